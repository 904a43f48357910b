/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef SHUFFLE_PARAMS_H
#define SHUFFLE_PARAMS_H

#include "../lib/derive.h"

enum shuffle_cause {
	SHUFFLE_FREELIST,	/* one cache has its freelists shuffled, the other one has not */
	SHUFFLE_CONSTRUCTOR,	/* one has a constructor that does more */
	SHUFFLE_NONE,		/* they do not differ */
	SHUFFLE_NR
};

#define SHUFFLE_SLABS	11	/* that a round makes, at most */

struct shuffle_params {
	enum shuffle_cause cause;
	u32 dear;	/* the cache that costs more: the first or the second */
	u32 plain;	/* if it is not for the shuffle, 1: none of the two is shuffled */
	u32 size;	/* bytes of an object */
	u32 slabs;	/* that a round makes of each */
	u32 turns;	/* of the constructor that does more */
};

static inline void shuffle_params(struct shuffle_params *p, u64 token)
{
	p->cause = derive_pick(token, "cause", SHUFFLE_NR);
	p->dear = derive_pick(token, "dear", 2);
	p->plain = derive_pick(token, "plain", 2);
	p->size = derive_range(token, "size", 64, 320, 16);
	p->slabs = derive_range(token, "slabs", 4, SHUFFLE_SLABS, 1);
	p->turns = derive_range(token, "turns", 12, 48, 1);
}

#endif /* SHUFFLE_PARAMS_H */
