// SPDX-License-Identifier: GPL-2.0-only
/*
 * command.c - run a command that waits for its start until it is told to go
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "msg.h"
#include "opt.h"

static _Noreturn void child(int go, int failed, char **argv, const sigset_t *mask)
{
	int error;
	char byte;

	if (read(go, &byte, 1) != 1)	/* kprof gave up */
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	if (write(failed, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

int command_start(struct command *c, char **argv, const sigset_t *mask)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
		return msg_error("cannot make a pipe: %s", strerror(errno));
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		child(go[0], failed[1], argv, mask);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	if (c->pid > 0)
		return EXIT_OK;
	c->pid = 0;
	close(c->go);
	close(c->failed);
	return msg_error("cannot fork: %s", strerror(errno));
}

int command_go(struct command *c, const char *name)
{
	int error = 0;
	ssize_t len;

	if (write(c->go, "", 1) != 1)
		return msg_error("cannot start %s: %s", name, strerror(errno));
	/* The end of the file comes when the program has taken the child's place. */
	do
		len = read(c->failed, &error, sizeof(error));
	while (len < 0 && errno == EINTR);
	c->runs = len != (ssize_t)sizeof(error);
	if (!c->runs)
		return msg_error("cannot run %s: %s", name, strerror(error));
	return EXIT_OK;
}

void command_end(struct command *c, const char *name)
{
	int status;

	if (!c->pid)
		return;
	close(c->go);
	close(c->failed);
	if (!waitpid(c->pid, &status, WNOHANG)) {
		kill(c->pid, SIGTERM);
		waitpid(c->pid, &status, 0);
	} else if (c->runs && WIFSIGNALED(status)) {
		msg_warn("%s was ended by signal %d (%s)", name, WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	} else if (c->runs && WEXITSTATUS(status)) {
		msg_warn("%s ended with status %d", name, WEXITSTATUS(status));
	}
	c->pid = 0;
}
