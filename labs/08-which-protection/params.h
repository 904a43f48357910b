/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef WHICH_PARAMS_H
#define WHICH_PARAMS_H

#include "../lib/derive.h"

/*
 * page_alloc.shuffle=1 is none of them: measuring does not show it. It mixes the free lists while
 * the kernel boots, which is over when the lab begins; later, is_shuffle_order() is true of blocks
 * of the largest order alone (mm/shuffle.h: SHUFFLE_ORDER), for which shuffle_pick_tail() draws a
 * bit whenever one is freed as a whole. The module's objects come from slabs of a few pages: no
 * call would be dearer, by a tenth or at all. What could be seen says it outright instead: calls
 * of shuffle_pick_tail(), which there are none of otherwise, and the parameter "shuffle" in
 * /sys/module/page_alloc/parameters.
 */
enum which_protection {
	WHICH_ON_ALLOC, WHICH_ON_FREE, WHICH_SLUB_DEBUG, WHICH_USERCOPY, WHICH_NONE, WHICH_NR
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
