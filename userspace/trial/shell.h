/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell.h - run commands of the shell, and note the signals that are to end kprof meanwhile
 */
#ifndef KPROF_SHELL_H
#define KPROF_SHELL_H

#include <signal.h>
#include <stdbool.h>

struct shell {
	int interrupted;	/* the first such signal, or 0 */
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

/* The first signal that was noted until now, or 0. */
int shell_interrupted(struct shell *s);

/*
 * Run a text with sh, in a process group of its own. At the first signal that comes while it runs
 * its processes get SIGTERM, at the next one SIGKILL, and all of them are waited for. If it @stays,
 * the first signal is only noted. Returns its exit status as a shell does, or -1 after a message.
 */
int shell_run(struct shell *s, const char *text, bool stays);

#endif /* KPROF_SHELL_H */
