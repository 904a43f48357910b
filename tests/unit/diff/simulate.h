/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * simulate.h - simulated experiments of several runs a side, whose truth is known
 *
 * The calls of a run depend on each other: each has half of what the call before it was off. And
 * all rows of a run have something in common, as on a machine that is warmer today. So the only
 * thing that tells a difference from none is how the runs differ among themselves.
 */
#ifndef KPROF_TEST_SIMULATE_H
#define KPROF_TEST_SIMULATE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_runs.h"

#define ROWS		10
#define CALLS		20
#define EXPERIMENTS	1000

static uint64_t state;	/* of the numbers; set it first */

static inline uint64_t number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* The sum of twelve even ones is nearly normal, deviation 1, and the same on every machine. */
static inline double normal(void)
{
	uint64_t sum = 0, four;
	int i;

	for (i = 0; i < 3; i++)
		for (four = number(); four; four >>= 16)
			sum += four & 0xffff;
	return sum / 65536.0 - 6;
}

struct plan {
	size_t runs;
	double between;		/* deviation between runs, as a part of the mean */
	double slower;		/* row 7 of side B, as a part */
	double more;		/* calls of row 3 of side B, as a part */
	size_t machines;	/* 0: one */
	double apart;		/* how much machines differ: in speed, or what they do besides */
	bool besides;
	bool blind;		/* they are not told apart */
	double noisy;		/* how much more the first one varies; 0: as much */
};

/* Total of the calls of one run, of which each takes about @mean. */
static inline double sum_of_calls(double mean, size_t calls)
{
	double sum = 0, off = 0;
	size_t i;

	for (i = 0; i < calls; i++) {
		off = off / 2 + 0.005 * normal();
		sum += mean * (1 + off);
	}
	return sum;
}

static inline void simulate_run(struct diff_runs *r, const struct plan *p, enum diff_side side,
				size_t run)
{
	static char name[ROWS][8];
	struct lat_row rows[ROWS] = { 0 };
	struct lat_table t = { .row = rows, .nr = ROWS };
	size_t machine = p->machines ? run % p->machines : 0, i;
	double between = p->noisy && !machine ? p->noisy * p->between : p->between;
	double common = 1 + between / 2 * normal();

	for (i = 0; i < ROWS; i++) {
		double mean = 1000 * common * (1 + between * normal()), calls = CALLS;

		mean *= !p->besides ? 1 + p->apart * machine : 1;
		snprintf(name[i], sizeof(name[i]), "f%zu", i);
		if (side == DIFF_B && i == 7)
			mean *= 1 + p->slower;
		if (side == DIFF_B && i == 3)
			calls *= 1 + p->more;
		mean += p->besides ? 1000 * p->apart * machine : 0;
		calls = floor(calls * 10 * (1 + p->apart * machine) * (1 + between * normal()));
		rows[i].target = name[i];
		rows[i].context = "-";
		rows[i].calls = calls;
		rows[i].total = sum_of_calls(mean, CALLS) / CALLS * calls;
		rows[i].self = rows[i].total;
	}
	diff_runs_add_table(r, side, run, &t);
}

static inline void simulate(struct diff_runs *r, const struct plan *p)
{
	int side;
	size_t run;

	*r = (struct diff_runs){
		.nr = { p->runs, p->runs }, .threshold = 0, .rate = 5, .kind = DIFF_LATENCIES,
		.machines = p->blind ? 0 : p->machines,
	};
	for (side = 0; side < DIFF_NR_SIDES; side++)
		for (run = 0; run < p->runs; run++)
			simulate_run(r, p, side, run);
	diff_runs_judge(r);
}

static inline const struct diff_runs_row *row_of(const struct diff_runs *r, const char *target)
{
	size_t i;

	for (i = 0; i < r->nr_rows; i++)
		if (!strcmp(r->row[i].target, target))
			return &r->row[i];
	return NULL;
}

/* Add a run of one row. */
static inline void add(struct diff_runs *r, enum diff_side side, size_t run, const char *target,
		       uint64_t calls, uint64_t total)
{
	struct lat_row row = { .target = target, .context = "-", .calls = calls, .total = total };
	struct lat_table t = { .row = &row, .nr = 1 };

	diff_runs_add_table(r, side, run, &t);
}

#endif /* KPROF_TEST_SIMULATE_H */
