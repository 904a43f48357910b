/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef STUTTER_PARAMS_H
#define STUTTER_PARAMS_H

#include "../lib/derive.h"

enum stutter_context {
	STUTTER_SOFTIRQ, STUTTER_HARDIRQ, STUTTER_THREAD, STUTTER_IRQS_OFF, STUTTER_NR
};

#define STUTTER_FUNCTIONS	6

/* Work that comes again and again: the culprit's, and that of two decoys. */
struct stutter_work {
	enum stutter_context context;
	u32 function;
	u32 cpu;
	u32 period_ms;
	u32 spin_us;	/* of each period */
};

struct stutter_params {
	struct stutter_work culprit, decoy[2];
};

/*
 * Decoys are in other contexts, one on each CPU, whichever the culprit's is, and take less than 2 %
 * of it. There is always one in a thread if the culprit is in none, and in an interrupt if it is
 * in one.
 */
static inline void stutter_params(struct stutter_params *p, u64 token)
{
	struct stutter_work *culprit = &p->culprit, *decoy = p->decoy;
	u32 percent = derive_range(token, "percent", 14, 38, 1);
	u32 turn = derive_pick(token, "turn", 2);
	u32 side = derive_pick(token, "side", 2);

	culprit->context = derive_pick(token, "context", STUTTER_NR);
	culprit->function = derive_pick(token, "function", STUTTER_FUNCTIONS);
	culprit->cpu = derive_pick(token, "cpu", 2);
	/* Whole jiffies, whatever HZ is: 100, 250 or 1000. */
	culprit->period_ms = derive_range(token, "period", 60, 180, 20);
	culprit->spin_us = culprit->period_ms * 10 * percent;

	decoy[0].context = culprit->context >= STUTTER_THREAD ? STUTTER_SOFTIRQ : STUTTER_THREAD;
	decoy[1].context = culprit->context == STUTTER_HARDIRQ ? STUTTER_SOFTIRQ : STUTTER_HARDIRQ;
	for (u32 i = 0; i < 2; i++) {
		u32 step = 1 + (i ^ turn);

		decoy[i].function = (culprit->function + step) % STUTTER_FUNCTIONS;
		decoy[i].cpu = (side + i) % 2;
		decoy[i].period_ms = i ? 40 : 20;
		decoy[i].spin_us = derive_range(token, i ? "decoy 1" : "decoy 0", 150, 350, 10);
	}
}

#endif /* STUTTER_PARAMS_H */
