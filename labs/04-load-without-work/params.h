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

/* The kernel looks at the load each 5 s and a tick: this is with ticks of 4 ms. */
#define LOAD_SAMPLE_US	5004000

struct load_params {
	enum load_cause cause;
	u32 waiters;	/* threads that count */
	u32 decoys;	/* threads that sleep as everybody does */
	u32 wait_ms;	/* how long one waits each time; of lock or CPU, how long all have it */
	u32 busy;	/* per cent of the CPU: by the first decoy, or, about, all that want it */
};

/*
 * How often all want the CPU. The load counts those that do at the moment when the kernel looks.
 * If a number of periods fitted between two of these, it would see the same moment of the period
 * again and again, such as one at which none wants the CPU. So five thirteenths of a period are
 * left over: it sees thirteen moments, which are evenly apart.
 */
static inline u32 load_period_us(const struct load_params *p)
{
	u32 about_us = p->wait_ms * 1000 * 100 / p->busy;

	return LOAD_SAMPLE_US * 13 / (LOAD_SAMPLE_US / about_us * 13 + 5);
}

static inline void load_params(struct load_params *p, u64 token)
{
	/* So far apart that no length is near to more than two of them. */
	static const u32 waits[] = { 40, 64, 100, 160 };

	p->cause = derive_pick(token, "cause", LOAD_NR);
	p->waiters = derive_range(token, "waiters", 7, LOAD_WAITERS, 1);
	p->decoys = derive_range(token, "decoys", 4, LOAD_DECOYS, 1);
	p->wait_ms = waits[derive_pick(token, "wait", sizeof(waits) / sizeof(*waits))];
	p->busy = derive_range(token, "busy", 8, 40, 4);
	/* They count only while they queue up: fewer, or less work, would hardly be a load. */
	if (p->cause == LOAD_CPU) {
		p->waiters = derive_range(token, "waiters", 16, LOAD_WAITERS, 1);
		p->busy += 28;
	}
}

#endif /* LOAD_PARAMS_H */
