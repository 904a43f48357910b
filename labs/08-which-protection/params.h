/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef WHICH_PARAMS_H
#define WHICH_PARAMS_H

#include "../lib/derive.h"

/*
 * Shuffling the free lists of pages makes no call dearer by a tenth. Most of it is done while the
 * kernel boots; later, a block of the largest order that is freed as a whole goes to an end of its
 * list by a random bit (mm/shuffle.h: SHUFFLE_ORDER). What shows it is that this function is called
 * at all: a few of the thousands of instructions that such a block takes.
 */
enum which_protection {
	WHICH_ON_ALLOC, WHICH_ON_FREE, WHICH_SLUB_DEBUG, WHICH_USERCOPY, WHICH_SHUFFLE, WHICH_NONE,
	WHICH_NR
};

/* The functions of the module: each has a number in the ledger of either boot. */
enum which_call {
	WHICH_ALLOC, WHICH_COPY, WHICH_FREE,
	WHICH_BLOCK,	/* the one that has no objects, but one block of pages */
	WHICH_CALLS
};

#define WHICH_OBJECTS	96	/* at most */

struct which_params {
	enum which_protection protection;
	u32 boot;	/* the one that has it: 1 or 2 */
	u32 size;	/* bytes of an object */
	u32 objects;	/* that are allocated, copied and freed in a round */
};

static inline void which_params(struct which_params *p, u64 token)
{
	p->protection = derive_pick(token, "protection", WHICH_NR);
	p->boot = 1 + derive_pick(token, "boot", 2);
	p->size = derive_range(token, "size", 128, 320, 32);
	p->objects = derive_range(token, "objects", 48, WHICH_OBJECTS, 1);
}

#endif /* WHICH_PARAMS_H */
