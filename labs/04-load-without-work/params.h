/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef LOAD_PARAMS_H
#define LOAD_PARAMS_H

#include "../lib/derive.h"

enum load_cause {
	LOAD_IO, LOAD_LOCK, LOAD_SLEEP, LOAD_CPU, LOAD_NR
};

#define LOAD_WAITERS	24	/* at most */
#define LOAD_DECOYS	12

struct load_params {
	enum load_cause cause;
	u32 waiters;	/* threads that count */
	u32 decoys;	/* threads that sleep as everybody does */
	u32 wait_ms;	/* how long one waits each time; of lock or CPU, how long all have it */
	u32 busy;	/* per cent of the CPU: by the first decoy, or all that want it */
};

static inline void load_params(struct load_params *p, u64 token)
{
	/* So far apart that no length is near to more than two of them. */
	static const u32 waits[] = { 40, 64, 100, 160 };

	p->cause = derive_pick(token, "cause", LOAD_NR);
	p->waiters = derive_range(token, "waiters", 7, LOAD_WAITERS, 1);
	p->decoys = derive_range(token, "decoys", 4, LOAD_DECOYS, 1);
	p->wait_ms = waits[derive_pick(token, "wait", sizeof(waits) / sizeof(*waits))];
	p->busy = derive_range(token, "busy", 8, 40, 4);
	if (p->cause == LOAD_CPU)
		p->busy += 20;
}

#endif /* LOAD_PARAMS_H */
