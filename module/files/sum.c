// SPDX-License-Identifier: GPL-2.0-only
/*
 * sum.c - a table of counts that grows, in which those of all CPUs are added up
 *
 * CPUs mostly have the same keys, so how many there are is known only at the end.
 */
#include <linux/errno.h>
#include <linux/numa.h>
#include <linux/sched.h>

#include "base/available.h"
#include "files/sum.h"
#include "profile/profile.h"

/* Keys that the table has room for at first, and rows that it never has. */
#define FIRST_ROWS	64
#define MAX_ROWS	(1U << 28)

static int set_up(struct kprof_counts *sum, u32 rows)
{
	if (!kprof_is_available(kprof_counts_size(rows)))
		return -ENOMEM;
	return kprof_counts_init(sum, rows, NUMA_NO_NODE);
}

/**
 * kprof_sum_init() - set up a table
 * @sum:	the table, for kprof_counts_free()
 *
 * Context: sleeps. Return: 0 or -ENOMEM.
 */
int kprof_sum_init(struct kprof_counts *sum)
{
	return set_up(sum, FIRST_ROWS);
}

/* Return: whether all have found room. */
static bool copy(struct kprof_counts *to, const struct kprof_counts *from)
{
	const struct kprof_count *count;
	bool ok = true;
	u32 i;

	for (i = 0; i <= from->mask && ok; i++) {
		count = &from->row[i];
		if (count->key)
			ok = kprof_counts_add(to, count->key, local64_read(&count->n),
					      local64_read(&count->weight));
	}
	return ok;
}

static int grow(struct kprof_counts *sum)
{
	struct kprof_counts larger = { };
	u64 mask = sum->mask;
	int err;

	do {
		kprof_counts_free(&larger);
		mask = 2 * mask + 1;
		err = mask < MAX_ROWS ? set_up(&larger, mask / 2 + 1) : -ENOMEM;
		if (err)
			return err;
	} while (!copy(&larger, sum));
	kprof_counts_free(sum);
	*sum = larger;
	return 0;
}

/**
 * kprof_sum_add() - add to the row of a key
 * @sum:	the table
 * @key:	the key, not 0
 * @n:		samples to add
 * @weight:	weight to add
 *
 * Context: sleeps. Return: 0 or -ENOMEM.
 */
int kprof_sum_add(struct kprof_counts *sum, u64 key, u64 n, u64 weight)
{
	int err = 0;

	if (!n && !weight)
		return 0;
	while (!err && !kprof_counts_add(sum, key, n, weight))
		err = grow(sum);
	return err;
}

/**
 * kprof_sum_add_all() - add all counts of a CPU
 * @sum:	the table
 * @counts:	what the CPU has, and may go on to add to
 *
 * Context: sleeps. Return: 0 or -ENOMEM.
 */
int kprof_sum_add_all(struct kprof_counts *sum, const struct kprof_counts *counts)
{
	const struct kprof_count *count;
	int err = 0;
	u64 key;
	u32 i;

	for (i = 0; i <= counts->mask && !err; i++) {
		count = &counts->row[i];
		key = READ_ONCE(count->key);
		if (key)
			err = kprof_sum_add(sum, key, local64_read(&count->n),
					    local64_read(&count->weight));
	}
	cond_resched();
	return err;
}
