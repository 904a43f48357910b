/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the program and its truth
 */
#ifndef HUNDRED_PARAMS_H
#define HUNDRED_PARAMS_H

#include "lib/derive.h"

struct hundred_params {
	u32 threads;	/* 1: threads, 0: processes */
	u32 number;
	u32 mib;	/* resident memory of who makes them */
};

static inline void hundred_params(struct hundred_params *p, u64 token)
{
	p->threads = derive_pick(token, "threads", 2);
	p->number = derive_range(token, "number", 60, 140, 1);
	p->mib = derive_range(token, "mib", 4, 24, 1);
}

#endif /* HUNDRED_PARAMS_H */
