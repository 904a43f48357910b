/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apart.h - reads the file of another user in a process of its own, which has limits
 *
 * The file may be made to exhaust, block or crash who reads it.
 */
#ifndef KPROF_USER_APART_H
#define KPROF_USER_APART_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define APART_MEMORY	(4ul << 30)	/* bytes that reading may take */
#define APART_SECONDS	20		/* of processor time; three times that in all */

struct apart {
	pid_t child;
	FILE *from;		/* what @read writes */
};

/*
 * Run @read, which writes what it finds, in a process of its own. Returns 0; or -1 with @error set,
 * and then there is nothing to end.
 */
int apart_begin(struct apart *a, void (*read)(const void *what, FILE *to), const void *what,
		char error[256]);

/*
 * End it; if @wanted is false, at once. Returns whether @read came to its end, and all that it
 * wrote could be written.
 */
bool apart_end(struct apart *a, bool wanted);

#endif /* KPROF_USER_APART_H */
