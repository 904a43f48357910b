/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * totals.h - what became of user stacks, and what was missed of what processes map
 */
#ifndef KPROF_USER_TOTALS_H
#define KPROF_USER_TOTALS_H

#include <linux/types.h>

/**
 * struct kprof_user_totals - statistics of user stacks, over all CPUs
 * @taken:	stacks with at least the interrupted place
 * @cut:	of these, deeper than "depth"
 * @partial:	of these, ended before the root: no frame pointer, or an invalid one
 * @ruled:	of these, with steps by rules
 * @early:	of these, with a place in a file whose rules no reader has provided yet
 * @unknown:	of these, ended where the file describes the frame in a way that no rule can
 * @uncalled:	of these, ended at an address in code that no call returns to
 * @unchecked:	of these, with an address that was taken for a return address, as the code before it
 *		was not in memory
 * @nobody:	not taken: a kernel thread, or a process without memory
 * @unloaded:	not taken: the CPU had loaded another address space than that of the task
 * @fresh:	not taken: the process has not been in user mode since it began, or since its
 *		last exec
 * @unmapped:	not taken: the place is in no known executable memory
 * @stale:	not taken: what is mapped there has changed, and was not looked at since
 */
struct kprof_user_totals {
	u64 taken;
	u64 cut;
	u64 partial;
	u64 ruled;
	u64 early;
	u64 unknown;
	u64 uncalled;
	u64 unchecked;
	u64 nobody;
	u64 unloaded;
	u64 fresh;
	u64 unmapped;
	u64 stale;
};

/**
 * struct kprof_follow_totals - how often a change of a process's mappings was missed
 * @errands:	there was no room to have the process look at them
 * @locks:	another thread of the process kept its memory locked
 * @probes:	the kernel's kprobe was missed
 * @memory:	there was no memory, or the process was being killed
 * @limited:	the process had changed them too often just before; it looks at them once a sample
 *		of it needs them
 * @unwatched:	seconds in which kprobes were switched off
 */
struct kprof_follow_totals {
	u64 errands;
	u64 locks;
	u64 probes;
	u64 memory;
	u64 limited;
	u64 unwatched;
};

void kprof_user_totals(struct kprof_user_totals *sum);
void kprof_follow_totals(struct kprof_follow_totals *sum);
u32 kprof_spaces_nr(void);
u64 kprof_maps_left_out(void);
unsigned long kprof_maps_bytes(void);

#endif /* KPROF_USER_TOTALS_H */
