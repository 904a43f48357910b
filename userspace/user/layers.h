/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layers.h - code that a process has generated: where one piece replaced another one, the last is
 * on top
 *
 * A process says where it has put code, but not when it has given up what was there before.
 * Whether a sample is of the code on top or of what it replaced can then not be told, so its name
 * tells of both.
 */
#ifndef KPROF_USER_LAYERS_H
#define KPROF_USER_LAYERS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/strtab.h"
#include "user/code.h"

/* A piece of code, from @start up to @end. */
struct layer {
	uint64_t start, end;
	uint32_t name;		/* its number in the names */
	uint32_t other;		/* a name that it replaced; STRTAB_NONE: none, or several */
	size_t order;		/* the larger one is on top */
	size_t nr_others;	/* of different names that it replaced: 0, 1, or more */
};

/* Zero-initialise. */
struct layers {
	struct layer *item;	/* in the order in which they were put there */
	size_t nr, room;
	struct strtab names;
};

/* Put a piece of code on top of all others. Without a size, or beyond user addresses: nothing. */
void layers_add(struct layers *l, uint64_t start, uint64_t size, const char *name, size_t len);

/*
 * All that was put there so far was there before the first sample. So samples in what is covered
 * now cannot be of that.
 */
void layers_settle(struct layers *l);

/* Add what is on top, piece by piece, and empty @l. */
void layers_show(struct layers *l, struct user_functions *f);

#endif /* KPROF_USER_LAYERS_H */
