// SPDX-License-Identifier: GPL-2.0-only
/*
 * cover.c - few seeds that have everything the seeds of a lab can have
 *
 *	cover LAB SEEDS
 *
 * prints seeds of 1..SEEDS, a line each with the answers that are new: among them there is every
 * answer that is a word, and of every one that is a number the least and the greatest. What a lab's
 * module would count comes from lab_model(), as no machine is needed. labs/run test --cover runs
 * those seeds in machines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

#define SEEDS_MAX	1000

static struct truth truths[SEEDS_MAX];
static int nr_seeds;

/* Covered, by question: of a word, all seeds that have it; else the extremes alone. */
static bool covered[TRUTH_QUESTIONS][SEEDS_MAX];

static bool is_number(const struct truth_question *q)
{
	return q->kind != TRUTH_WORD && q->kind != TRUTH_SEEN;
}

static bool is_extreme(int question, double number)
{
	bool least = true, greatest = true;
	double other;
	int seed;

	for (seed = 0; seed < nr_seeds; seed++) {
		other = truths[seed].question[question].number;
		least = least && !(other < number);
		greatest = greatest && !(other > number);
	}
	return !isnan(number) && (least || greatest);
}

static bool is_same(int question, int seed, int other)
{
	const struct truth_question *q = &truths[seed].question[question];
	const struct truth_question *r = &truths[other].question[question];

	return is_number(q) ? q->number == r->number : !strcmp(q->words, r->words);
}

/* Numbers between the extremes need not be tried. */
static void begin(void)
{
	int i, seed;

	for (i = 0; i < truths[0].nr; i++)
		for (seed = 0; seed < nr_seeds; seed++)
			covered[i][seed] = is_number(&truths[seed].question[i]) &&
					   !is_extreme(i, truths[seed].question[i].number);
}

/* How many answers only this seed adds. */
static int adds(int seed)
{
	int i, nr = 0;

	for (i = 0; i < truths[0].nr; i++)
		nr += !covered[i][seed];
	return nr;
}

static void cover(int seed)
{
	const struct truth_question *q = truths[seed].question;
	int i, other;

	printf("%d", seed + 1);
	for (i = 0; i < truths[0].nr; i++) {
		if (covered[i][seed])
			continue;
		if (is_number(&q[i]))
			printf(" %s=%.9g", q[i].name, q[i].number);
		else
			printf(" %s=%.*s", q[i].name, (int)strcspn(q[i].words, " "), q[i].words);
		for (other = 0; other < nr_seeds; other++)
			if (is_same(i, seed, other))
				covered[i][other] = true;
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	const char *key = getenv("LABS_KEY");
	int seed, best;

	nr_seeds = argc == 3 ? atoi(argv[2]) : 0;
	if (nr_seeds < 1 || nr_seeds > SEEDS_MAX) {
		fprintf(stderr, "usage: cover LAB SEEDS\n");
		return 2;
	}
	for (seed = 0; seed < nr_seeds; seed++)
		truth_of_seed(&truths[seed], key ? key : "", argv[1], seed + 1);
	begin();
	/* Each time the seed that adds most, and of those the first. */
	for (;;) {
		for (best = 0, seed = 1; seed < nr_seeds; seed++)
			if (adds(seed) > adds(best))
				best = seed;
		if (!adds(best))
			return 0;
		cover(best);
	}
}
