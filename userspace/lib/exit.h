/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exit.h - the exit codes of every verb
 */
#ifndef KPROF_EXIT_H
#define KPROF_EXIT_H

enum {
	EXIT_OK = 0,
	EXIT_ERROR = 1,		/* the operation failed */
	EXIT_USAGE = 2,		/* wrong usage of the command line */
	EXIT_LOST = 3,		/* the operation succeeded, but data was lost */
	EXIT_NOT_RUN = 126,	/* the command that was given could not be run, */
	EXIT_NOT_FOUND = 127,	/* or not be found; as with a shell, env or nice */
};

#endif /* KPROF_EXIT_H */
