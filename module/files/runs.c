// SPDX-License-Identifier: GPL-2.0-only
/*
 * runs.c - put runs of numbers into lexicographic order
 *
 * Stacks begin alike, so a sort that compares them as a whole goes over the same
 * beginnings again and again. This one is a quicksort by one number at a time: those
 * that have the same there are sorted by the next.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "files/runs.h"

/* What sorts a run at a depth; one that has ended there comes first. */
static u64 rank_at(const struct kprof_run *run, u32 depth)
{
	return depth < run->nr ? (u64)run->word[depth] + 1 : 0;
}

/* Into less, equal and more than @pivot; the equal ones are from @begin to @end. */
static void split(struct kprof_run **run, u32 nr, u32 depth, u64 pivot, u32 *begin, u32 *end)
{
	u32 less = 0, more = nr, at = 0;
	u64 rank;

	while (at < more) {
		rank = rank_at(run[at], depth);
		if (rank < pivot) {
			swap(run[less], run[at]);
			less++;
			at++;
		} else if (rank > pivot) {
			more--;
			swap(run[more], run[at]);
		} else {
			at++;
		}
	}
	*begin = less;
	*end = more;
}

/* The largest part is the next round's: no other has more than half, so this ends soon. */
static void sort_from(struct kprof_run **run, u32 nr, u32 depth)
{
	u32 less, more, equal, end;
	u64 pivot;

	while (nr > 1) {
		pivot = rank_at(run[nr / 2], depth);
		split(run, nr, depth, pivot, &less, &end);
		equal = pivot ? end - less : 0;	/* of those that have ended all are equal */
		more = nr - end;
		if (less >= equal && less >= more) {
			sort_from(run + less, equal, depth + 1);
			sort_from(run + end, more, depth);
			nr = less;
		} else if (equal >= more) {
			sort_from(run, less, depth);
			sort_from(run + end, more, depth);
			run += less;
			nr = equal;
			depth++;
		} else {
			sort_from(run, less, depth);
			sort_from(run + less, equal, depth + 1);
			run += end;
			nr = more;
		}
	}
}

/**
 * kprof_runs_sort() - put runs into lexicographic order
 * @run:	the runs; one that another begins with comes before it
 * @nr:		how many
 *
 * Context: sleeps for long, if there are many.
 */
void kprof_runs_sort(struct kprof_run **run, u32 nr)
{
	sort_from(run, nr, 0);
}

/**
 * kprof_runs_shared() - how many numbers two runs have in common, from the first on
 * @one:	a run
 * @other:	another
 *
 * Context: any. Return: how many.
 */
u32 kprof_runs_shared(const struct kprof_run *one, const struct kprof_run *other)
{
	u32 i = 0, nr = min(one->nr, other->nr);

	while (i < nr && one->word[i] == other->word[i])
		i++;
	return i;
}
