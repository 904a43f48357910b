// SPDX-License-Identifier: GPL-2.0-only
/*
 * runs.c - sorts sequences of numbers in lexicographic order
 *
 * Stacks often begin alike, so a sort that compares whole stacks would compare the same
 * beginnings again and again. This is a quicksort by one number at a time: sequences with
 * the same number at one depth are sorted by the next.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "files/runs.h"

/* The sort key of a sequence at a depth; one that has ended there comes first. */
static u64 rank_at(const struct kprof_run *run, u32 depth)
{
	return depth < run->nr ? (u64)run->word[depth] + 1 : 0;
}

/* Partition into less than, equal to and more than @pivot; equal is [*begin, *end). */
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

/* Loop on the largest part. The others have at most half each, so recursion is shallow. */
static void sort_from(struct kprof_run **run, u32 nr, u32 depth)
{
	u32 less, more, equal, end;
	u64 pivot;

	while (nr > 1) {
		pivot = rank_at(run[nr / 2], depth);
		split(run, nr, depth, pivot, &less, &end);
		equal = pivot ? end - less : 0;	/* sequences that have ended are all equal */
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
 * kprof_runs_sort() - sort sequences in lexicographic order
 * @run:	the sequences; a prefix of another one comes before it
 * @nr:		number of sequences
 *
 * Context: sleeps; takes long if there are many.
 */
void kprof_runs_sort(struct kprof_run **run, u32 nr)
{
	sort_from(run, nr, 0);
}

/**
 * kprof_runs_shared() - length of the common prefix of two sequences
 * @one:	a sequence
 * @other:	another one
 *
 * Context: any. Return: number of common numbers.
 */
u32 kprof_runs_shared(const struct kprof_run *one, const struct kprof_run *other)
{
	u32 i = 0, nr = min(one->nr, other->nr);

	while (i < nr && one->word[i] == other->word[i])
		i++;
	return i;
}
