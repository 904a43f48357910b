/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell.h - run commands of the shell, several at once, and note the signals that are to end kprof
 */
#ifndef KPROF_SHELL_H
#define KPROF_SHELL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* A text that runs. */
struct shell_job {
	int status;		/* when it has ended: as a shell gives it */
	pid_t pid;		/* private: of its shell, and its process group */
	int nr_signals;		/* private: that it was told of; negative: the next is not for it */
	bool ended;		/* private: the shell; what it has started may go on */
	struct shell_job *next;	/* private */
};

struct shell {
	int interrupted;	/* the first such signal, or 0 */
	struct shell_job *jobs;	/* private: those that run */
	sigset_t ending;	/* private: the signals that are to end kprof, */
	sigset_t awaited;	/* with SIGCHLD, */
	sigset_t before;	/* and the mask as it was, which commands get */
};

/*
 * From now on SIGINT, SIGQUIT, SIGTERM and SIGHUP are noted, unless kprof was started with them
 * ignored. shell_end() ends this.
 */
void shell_begin(struct shell *s);
void shell_end(struct shell *s);

/* The first signal that was noted until now, or 0. Those that run are told of what is noted. */
int shell_interrupted(struct shell *s);

/*
 * Begin to run a text with sh, in a process group of its own. At the first signal that comes while
 * it runs its processes get SIGTERM, at the next one SIGKILL, and all of them are waited for. If it
 * @stays, the first signal is only noted. @job has to stay until shell_wait() returns it. Returns
 * false after a message.
 */
bool shell_start(struct shell *s, struct shell_job *job, const char *text, bool stays);

/* Wait until one of those that run has ended, and return it; NULL: none runs. */
struct shell_job *shell_wait(struct shell *s);

#endif /* KPROF_SHELL_H */
