/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exit.h - the exit codes of every verb
 */
#ifndef KPROF_EXIT_H
#define KPROF_EXIT_H

enum {
	EXIT_OK = 0,
	EXIT_ERROR = 1,		/* it could not be done */
	EXIT_USAGE = 2,		/* it was asked for wrongly */
	EXIT_LOST = 3,		/* it was done, but data was lost on the way */
};

#endif /* KPROF_EXIT_H */
