// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind.c - counts how stacks were unwound; for every architecture
 */
#include <linux/cpumask.h>
#include <linux/string.h>

#include "stacks/unwind.h"

DEFINE_PER_CPU(struct kprof_unwind_totals, kprof_unwind_counters);

/**
 * kprof_unwind_totals() - how stacks have been unwound so far
 * @totals:	where the sums over all CPUs go
 *
 * Context: any.
 */
void kprof_unwind_totals(struct kprof_unwind_totals *totals)
{
	const struct kprof_unwind_totals *one;
	int cpu;

	memset(totals, 0, sizeof(*totals));
	for_each_possible_cpu(cpu) {
		one = per_cpu_ptr(&kprof_unwind_counters, cpu);
		totals->cached += READ_ONCE(one->cached);
		totals->kernel += READ_ONCE(one->kernel);
		totals->recalled += READ_ONCE(one->recalled);
		totals->mismatch += READ_ONCE(one->mismatch);
	}
}

/**
 * kprof_unwind_clear() - reset the counters
 *
 * Context: any; nothing may unwind meanwhile.
 */
void kprof_unwind_clear(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&kprof_unwind_counters, cpu), 0, sizeof(kprof_unwind_counters));
}
