/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the program and its truth
 */
#ifndef TRY_AGAIN_PARAMS_H
#define TRY_AGAIN_PARAMS_H

#include "lib/derive.h"

#define BLOCK	4096	/* bytes of a block, as the task has it */

struct again_params {
	u32 blocks;	/* to be copied, numbered from 1 */
	u32 first;	/* the first whose read fails */
	u32 every;	/* and then each so many blocks */
	u32 asked;	/* bytes that a read asks for: a block, or one less */
	u32 retries;	/* 1: a read that failed is tried again; 0: the block is given up */
};

static inline void again_params(struct again_params *p, u64 token)
{
	p->blocks = derive_range(token, "blocks", 200, 400, 10);
	/* So late that blocks / errors is not the distance. */
	p->first = p->blocks / 3 + derive_pick(token, "first", p->blocks / 4);
	p->every = derive_range(token, "every", 7, 23, 1);
	p->asked = BLOCK - derive_pick(token, "short", 2);
	p->retries = derive_pick(token, "retries", 2);
}

static inline int again_fails(const struct again_params *p, u32 block)
{
	return block >= p->first && (block - p->first) % p->every == 0;
}

#endif /* TRY_AGAIN_PARAMS_H */
