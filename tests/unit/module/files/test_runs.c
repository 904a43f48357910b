// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_runs.c - runs of numbers come out in lexicographic order, whatever they are
 */
#include <stdlib.h>

#include "unit.h"
#include "files/runs.c"

#define MAX_RUNS	2000
#define MAX_WORDS	12

static u32 words[MAX_RUNS][MAX_WORDS];
static struct kprof_run runs[MAX_RUNS], *order[MAX_RUNS];

static int compare(const struct kprof_run *one, const struct kprof_run *other)
{
	u32 i;

	for (i = 0; i < one->nr && i < other->nr; i++)
		if (one->word[i] != other->word[i])
			return one->word[i] < other->word[i] ? -1 : 1;
	return (one->nr > other->nr) - (one->nr < other->nr);
}

/* All runs are still there, each in its place. */
static void check_order(u32 nr)
{
	static bool seen[MAX_RUNS];
	u32 i;

	kprof_runs_sort(order, nr);
	memset(seen, 0, sizeof(seen));
	for (i = 0; i < nr; i++) {
		CHECK(!seen[order[i] - runs]);
		seen[order[i] - runs] = true;
		if (i)
			CHECK(compare(order[i - 1], order[i]) <= 0);
	}
}

static void make(u32 nr, u32 max_words, u32 values)
{
	u32 i, j;

	for (i = 0; i < nr; i++) {
		runs[i] = (struct kprof_run) { .word = words[i], .nr = rand() % (max_words + 1) };
		for (j = 0; j < runs[i].nr; j++)
			words[i][j] = (u32)rand() % values;
		order[i] = &runs[i];
	}
}

static void test_order(void)
{
	static const u32 values[] = { 1, 2, 3, 100, 1000000000 };
	u32 i, nr;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (nr = 0; nr <= MAX_RUNS; nr = 3 * nr + 1) {
			make(nr, MAX_WORDS, values[i]);
			check_order(nr);
			check_order(nr);	/* what is in order stays so */
		}
}

static void test_ends(void)
{
	static u32 word[] = { 0, UINT32_MAX, 0 };
	u32 i;

	/* Beginnings of one run, the longest first; the largest number is one, too. */
	for (i = 0; i < 4; i++) {
		runs[i] = (struct kprof_run) { .word = word, .nr = 3 - i };
		order[i] = &runs[i];
	}
	check_order(4);
	CHECK_INT(order[0]->nr, 0);
	CHECK_INT(order[3]->nr, 3);
}

static void test_shared(void)
{
	static u32 a[] = { 1, 2, 3 }, b[] = { 1, 2, 4, 5 };
	struct kprof_run one = { a, 3 }, other = { b, 4 }, none = { a, 0 };

	CHECK_INT(kprof_runs_shared(&one, &other), 2);
	CHECK_INT(kprof_runs_shared(&other, &one), 2);
	CHECK_INT(kprof_runs_shared(&one, &one), 3);
	CHECK_INT(kprof_runs_shared(&one, &none), 0);
}

static const struct unit_test tests[] = {
	{ "in order, with many words and with few", test_order },
	{ "one that another begins with comes first", test_ends },
	{ "what two have in common", test_shared },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
