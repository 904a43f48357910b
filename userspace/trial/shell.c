// SPDX-License-Identifier: GPL-2.0-only
/*
 * shell.c - run commands of the shell, several at once, and note the signals that are to
 * end kprof meanwhile
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
	s->jobs = NULL;
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

static void tell(struct shell_job *job)
{
	if (++job->nr_signals <= 0)
		return;
	kill(-job->pid, job->nr_signals == 1 ? SIGTERM : SIGKILL);
	kill(-job->pid, SIGCONT);	/* what is stopped, too */
}

static void note(struct shell *s, int sig)
{
	struct shell_job *job;

	if (!s->interrupted)
		s->interrupted = sig;
	for (job = s->jobs; job; job = job->next)
		tell(job);
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

bool shell_start(struct shell *s, struct shell_job *job, const char *text, bool stays)
{
	pid_t pid = fork();

	if (!pid)
		child(s, text);
	if (pid < 0) {
		msg_error("cannot fork: %s", strerror(errno));
		return false;
	}
	setpgid(pid, pid);	/* here, too: a signal may come before it is done there */
	*job = (struct shell_job){ .pid = pid, .nr_signals = stays ? -1 : 0, .next = s->jobs };
	s->jobs = job;
	return true;
}

/*
 * Reap what has ended of it. Returns whether there is more to wait for: the shell, and, once it was
 * told to end, what it has started.
 */
static bool goes_on(struct shell_job *job)
{
	bool all = job->nr_signals > 0;
	int one;
	pid_t of;

	while ((of = waitpid(all || job->ended ? -job->pid : job->pid, &one, WNOHANG)) > 0) {
		if (of == job->pid) {
			job->status = WIFSIGNALED(one) ? 128 + WTERMSIG(one) : WEXITSTATUS(one);
			job->ended = true;
			if (!all)
				return false;
		}
	}
	return !job->ended || (all && !of);
}

static struct shell_job *take_ended(struct shell *s)
{
	struct shell_job **at, *job;

	for (at = &s->jobs; *at; at = &(*at)->next) {
		job = *at;
		if (goes_on(job))
			continue;
		*at = job->next;
		return job;
	}
	return NULL;
}

struct shell_job *shell_wait(struct shell *s)
{
	struct shell_job *job = NULL;
	int sig;

	while (s->jobs && !(job = take_ended(s))) {
		do
			sig = sigwaitinfo(&s->awaited, NULL);
		while (sig < 0 && errno == EINTR);
		if (sig != SIGCHLD)
			note(s, sig);
	}
	return job;
}
