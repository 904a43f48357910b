/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorded.h - a file of user code that a recording names, if it is still here
 */
#ifndef KPROF_USER_RECORDED_H
#define KPROF_USER_RECORDED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/buf.h"

struct user_recorded {
	int fd;
	struct buf path;
	uid_t owner;
};

/*
 * Open file @id of a file_table: the file at its path if it has the recorded build id, or is the
 * very file that was mapped. Returns 0; or -1 with @why set, and then there is nothing to close.
 */
int user_recorded_open(struct user_recorded *r, const struct buf *table, uint32_t id,
		       char why[256]);
void user_recorded_close(struct user_recorded *r);

#endif /* KPROF_USER_RECORDED_H */
