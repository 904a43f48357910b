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
};

#endif /* KPROF_EXIT_H */
