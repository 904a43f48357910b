/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by module, program and truth
 */
#ifndef FINAL_PARAMS_H
#define FINAL_PARAMS_H

#include "../lib/derive.h"

/* The labs 1 to 6, in their order. */
enum final_cause {
	FINAL_STUTTER, FINAL_HUNDRED, FINAL_COPY, FINAL_LOAD, FINAL_WRITES, FINAL_ELF, FINAL_NR
};

#define FINAL_NAMES	3	/* processes */
#define FINAL_WAITERS	16	/* threads, at most */
#define FINAL_IDLERS	4	/* more of them, which do nothing, or a little */
#define FINAL_HOLDERS	3	/* of these: they want the lock, all at once */
#define FINAL_HOLD_MS	100	/* so often */

struct final_params {
	enum final_cause cause;
	u32 culprit;		/* which of the processes */
	u32 turn;		/* which of the other two writes a little, too */
	u32 percent;		/* of the CPU's time, if it is that which is short */
	u32 function;		/* of the two that may take it, in the kernel */
	u32 in_thread;		/* they are called by one of its own, or by a kworker */
	u32 on_lock;		/* threads wait for a lock, or else just so */
	u32 waiters;		/* threads */
	u32 wait_ms;		/* of each of them, for one turn of all */
	u32 service_ms;		/* that the disk takes for a request */
	u32 pause;		/* between requests, if the disk is short: per cent of service_ms */
	u32 little;		/* per cent of the disk's time, for who writes a little */
	u32 hold_ms;		/* that some idlers hold the lock, unless it is short */
	u32 mib;		/* that are in use, beside the usual */
};

static inline void final_params(struct final_params *p, u64 token)
{
	p->cause = derive_pick(token, "cause", FINAL_NR);
	p->culprit = derive_pick(token, "culprit", FINAL_NAMES);
	p->turn = derive_pick(token, "turn", 2);
	p->percent = derive_range(token, "percent", 60, 78, 1);
	p->function = derive_pick(token, "function", 2);
	p->in_thread = derive_pick(token, "in thread", 2);
	p->on_lock = derive_pick(token, "on lock", 2);
	p->waiters = derive_range(token, "waiters", 6, FINAL_WAITERS, 1);
	p->wait_ms = derive_range(token, "wait", 60, 160, 20);
	p->service_ms = derive_range(token, "service", 40, 80, 8);
	p->pause = derive_range(token, "pause", 10, 50, 10);
	p->little = derive_range(token, "little", 3, 35, 4);
	p->hold_ms = derive_range(token, "hold", 2, 28, 2);
	p->mib = derive_range(token, "mib", 60, 360, 20);
}

/* Whether threads wait for the lock all the time. */
static inline u32 final_locks_short(const struct final_params *p)
{
	return p->cause == FINAL_LOAD && p->on_lock;
}

#endif /* FINAL_PARAMS_H */
