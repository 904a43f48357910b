// SPDX-License-Identifier: GPL-2.0-only
/*
 * command.c - fork a command that waits until it is told to start
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/msg.h"
#include "lib/opt.h"
#include "record/command.h"
#include "record/program.h"
#include "record/record_meta.h"

#define POLL_NS		50000000	/* poll interval, in case its exit does not wake us */

static void set_apart(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	setpgid(0, 0);
	for (i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (null < 0 || dup2(null, i) < 0)
			_exit(EXIT_NOT_RUN);
}

static _Noreturn void child(const struct command *c, int go, int failed, char **argv,
			    const sigset_t *mask)
{
	/* Before anything is measured: each place where it is not is a call that fails. */
	char *program = program_find(argv[0]);
	int error = 0;
	char byte;

	if (c->apart)
		set_apart();
	if (read(go, &byte, 1) != 1)	/* kprof has given up or exited */
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (c->before_exec)
		error = c->before_exec(c->argument);
	if (!error) {
		execvp(program ? program : argv[0], argv);
		error = errno;
	}
	if (write(failed, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

int command_start(struct command *c, char **argv, const sigset_t *mask)
{
	int go[2], failed[2];

	if (pipe2(go, O_CLOEXEC) || pipe2(failed, O_CLOEXEC))
		return msg_error("cannot make a pipe: %s", strerror(errno));
	signal(SIGCHLD, SIG_DFL);	/* who ignores it is not told how a command ended */
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		child(c, go[0], failed[1], argv, mask);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	/* Here, too: it may have to end before it has come to that. */
	if (c->apart && c->pid > 0)
		setpgid(c->pid, c->pid);
	if (c->pid > 0)
		return EXIT_OK;
	c->pid = 0;
	close(c->go);
	close(c->failed);
	return msg_error("cannot fork: %s", strerror(errno));
}

int command_release(struct command *c, const char *name)
{
	if (write(c->go, "", 1) != 1)
		return msg_error("cannot start %s: %s", name, strerror(errno));
	return EXIT_OK;
}

int command_ran(struct command *c, const char *name)
{
	int error = 0;
	ssize_t len;

	/* End of file means that exec succeeded: the pipe is close-on-exec. */
	do
		len = read(c->failed, &error, sizeof(error));
	while (len < 0 && errno == EINTR);
	c->runs = len != (ssize_t)sizeof(error);
	if (c->runs)
		return EXIT_OK;
	c->not_run = error == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN;
	return msg_error("cannot run %s: %s", name, strerror(error));
}

int command_go(struct command *c, const char *name)
{
	int ret = command_release(c, name);

	return ret ? ret : command_ran(c, name);
}

/* Has it ended? If it is apart, what it has left behind ends now; until here, its id is its own. */
static bool reap(struct command *c, int *status)
{
	siginfo_t info = { .si_pid = 0 };
	pid_t pid;

	if (c->apart && !waitid(P_PID, c->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid)
		kill(-c->pid, SIGKILL);
	do
		pid = waitpid(c->pid, status, WNOHANG);
	while (pid < 0 && errno == EINTR);
	return pid;
}

/*
 * Send SIGTERM. If kprof was interrupted by a signal, wait for the command, as a shell does, until
 * a second signal arrives; otherwise wait for one second. Then send SIGKILL.
 */
static void make_it_end(struct command *c, struct until *u)
{
	bool patient = until_take_signal(u);
	uint64_t end = record_now_ns() + 1000000000;
	pid_t whom = c->apart ? -c->pid : c->pid;
	int status;

	kill(whom, SIGTERM);
	while (!reap(c, &status)) {
		if ((!patient && record_now_ns() >= end) || until_sleep(u, POLL_NS) ||
		    until_take_signal(u)) {
			kill(whom, SIGKILL);
			waitpid(c->pid, &status, 0);
			return;
		}
	}
}

static void close_pipes(struct command *c)
{
	close(c->go);
	close(c->failed);
	c->pid = 0;
}

int command_ended(struct command *c, const char *name, int status)
{
	int ret = c->not_run;

	close_pipes(c);
	if (c->runs && WIFSIGNALED(status)) {
		if (!c->apart)
			msg_warn("%s was ended by signal %d (%s)", name, WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
		ret = 128 + WTERMSIG(status);
	} else if (c->runs && WEXITSTATUS(status)) {
		if (!c->apart)
			msg_warn("%s ended with status %d", name, WEXITSTATUS(status));
		ret = WEXITSTATUS(status);
	}
	return ret;
}

int command_end(struct command *c, const char *name, struct until *u)
{
	int status;

	if (!c->pid)
		return 0;
	if (reap(c, &status))
		return command_ended(c, name, status);
	make_it_end(c, u);
	close_pipes(c);
	return c->not_run;
}
