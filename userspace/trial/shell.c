// SPDX-License-Identifier: GPL-2.0-only
/*
 * shell.c - run commands of the shell, and note the signals that are to end kprof meanwhile
 *
 * system() does not tell that there was a signal: a command may end well after it, as kprof record
 * does. Here signals are blocked and taken one by one, so none is missed between two commands.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/exit.h"
#include "lib/msg.h"
#include "trial/shell.h"

void shell_begin(struct shell *s)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	s->interrupted = 0;
	sigemptyset(&s->ending);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		/* nohup ignores SIGHUP, and that is to stay so. */
		if (!sigaction(ends[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&s->ending, ends[i]);
	}
	s->awaited = s->ending;
	sigaddset(&s->awaited, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &s->awaited, &s->before);
	/* The processes of a command become our children when its shell is gone. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void shell_end(struct shell *s)
{
	shell_interrupted(s);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

static void note(struct shell *s, int sig)
{
	if (!s->interrupted)
		s->interrupted = sig;
}

int shell_interrupted(struct shell *s)
{
	static const struct timespec now = { 0 };
	int sig;

	while ((sig = sigtimedwait(&s->ending, NULL, &now)) > 0)
		note(s, sig);
	return s->interrupted;
}

static _Noreturn void child(const struct shell *s, const char *text)
{
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	execl("/bin/sh", "sh", "-c", text, (char *)NULL);
	_exit(EXIT_NOT_FOUND);
}

/*
 * Reap what has ended of the group of @pid. Returns whether there is more to wait for: the shell,
 * and, @all, what it has started.
 */
static bool goes_on(pid_t pid, bool all, bool *ended, int *status)
{
	int one;
	pid_t of;

	while ((of = waitpid(all || *ended ? -pid : pid, &one, WNOHANG)) > 0) {
		if (of == pid) {
			*status = one;
			*ended = true;
			if (!all)
				return false;
		}
	}
	return !*ended || (all && !of);
}

int shell_run(struct shell *s, const char *text, bool stays)
{
	int status = 0, sig, nr_signals = stays ? -1 : 0;
	bool ended = false;
	pid_t pid = fork();

	if (!pid)
		child(s, text);
	if (pid < 0) {
		msg_error("cannot fork: %s", strerror(errno));
		return -1;
	}
	setpgid(pid, pid);	/* here, too: a signal may come before it is done there */
	while (goes_on(pid, nr_signals > 0, &ended, &status)) {
		do
			sig = sigwaitinfo(&s->awaited, NULL);
		while (sig < 0 && errno == EINTR);
		if (sig == SIGCHLD)
			continue;
		note(s, sig);
		if (++nr_signals <= 0)
			continue;
		kill(-pid, nr_signals == 1 ? SIGTERM : SIGKILL);
		kill(-pid, SIGCONT);	/* what is stopped, too */
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
