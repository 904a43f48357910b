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
#define APART_STUCK	5		/* in which it waits where no signal ends that */
#define APART_FAILURES	3		/* files of an owner that may end so */
#define APART_ALL	8		/* files of all owners; one person can have many user ids */

struct apart {
	pid_t child;
	uid_t owner;
	FILE *from;		/* what @read writes */
};

/*
 * Run @read, which reads the file @fd and writes what it finds, in a process of its own. Returns 0;
 * or -1 with @error set, and then there is nothing to end: also where too many files of its owner,
 * or of all, could not be read to the end, unless the owner is root or the caller.
 */
int apart_begin(struct apart *a, int fd, void (*read)(const void *what, FILE *to),
		const void *what, char error[256]);

/*
 * End it; if @wanted is false, at once. Returns whether @read came to its end, and all that it
 * wrote could be written; if it did not, warns where that was the last such file of an owner.
 */
bool apart_end(struct apart *a, bool wanted);

#endif /* KPROF_USER_APART_H */
