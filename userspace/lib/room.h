/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * room.h - a limit to the memory that a library may take for what others have written
 *
 * Where that is not enough, malloc() fails in the library. Not between the two calls may be what
 * exits then: see mem.h.
 */
#ifndef KPROF_ROOM_H
#define KPROF_ROOM_H

#include <stdint.h>
#include <sys/resource.h>

struct room {
	struct rlimit within, beyond;	/* between the two calls, and elsewhere */
};

uint64_t room_taken(void);	/* bytes of addresses that this process has; 0: not known */

/* @bytes: more than there are now. This reads a file, so it is for many calls of the others. */
void room_measure(struct room *room, uint64_t bytes);
void room_enter(const struct room *room);
void room_leave(const struct room *room);

#endif /* KPROF_ROOM_H */
