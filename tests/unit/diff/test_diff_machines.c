// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_diff_machines.c - runs of several machines, which differ more than the sides do
 */
#include "diff/simulate.h"
#include "unit.h"

/* How many experiments report anything, or that row 7 is slower. */
static void count_reports(const struct plan *p, int *any, int *slower)
{
	int i;

	state = 88172645463325252u;
	for (i = 0, *any = *slower = 0; i < EXPERIMENTS; i++) {
		struct diff_runs r;

		simulate(&r, p);
		*any += r.nr_differ > 0;
		*slower += row_of(&r, "f7")->verdict == DIFF_SLOWER;
		diff_runs_free(&r);
	}
}

static const struct plan machines_plans[] = {
	{ .runs = 3, .machines = 3, .apart = 2, .between = 0.005 },
	{ .runs = 6, .machines = 3, .apart = 2, .between = 0.005 },
	{ .runs = 6, .machines = 2, .apart = 2, .between = 0.005, .besides = true },
	{ .runs = 8, .machines = 4, .apart = 1, .between = 0.005, .besides = true },
	{ .runs = 9, .machines = 3, .apart = 2, .between = 0.005, .noisy = 4 },
	{ .runs = 4, .machines = 2, .between = 0.005, .noisy = 4 },
};

#define NR_MACHINES_PLANS (sizeof(machines_plans) / sizeof(machines_plans[0]))

/* The machines are three times as fast, or more; the sides are the same. */
static void test_machines_no_difference(void)
{
	int any, slower;
	size_t i;

	for (i = 0; i < NR_MACHINES_PLANS; i++) {
		count_reports(&machines_plans[i], &any, &slower);
		printf("# plan %zu: %d of %d report a difference\n", i + 1, any, EXPERIMENTS);
		CHECK(any <= 71);
		CHECK(any > 0);	/* else nothing is looked at */
	}
}

/* The first and the last plan have too few runs of such machines. */
static void test_machines_planted(void)
{
	int any, slower;
	size_t i;

	for (i = 1; i < NR_MACHINES_PLANS - 1; i++) {
		struct plan p = machines_plans[i];

		p.slower = 0.05;
		count_reports(&p, &any, &slower);
		printf("# plan %zu: found in %d of %d\n", i + 1, slower, EXPERIMENTS);
		CHECK(slower >= 850);
		p.blind = true;
		count_reports(&p, &any, &slower);
		CHECK(slower <= 10);	/* it is what the machines are for */
	}
}

/* Averages count on machines that have calls on both sides. */
static void test_machines_without_calls(void)
{
	/* Machines 0 and 1; runs 0 and 2 are of the first. */
	struct diff_runs r = { .nr = { 6, 6 }, .threshold = 1, .rate = 5, .machines = 2 };
	const struct diff_runs_row *row;
	size_t run;

	for (run = 0; run < 6; run++) {
		bool first = !(run % 2);

		if (first)	/* the other machine calls it on side B only, and is slow */
			add(&r, DIFF_A, run, "half", 10, 1000 + run);
		add(&r, DIFF_B, run, "half", 10, (first ? 1000 : 9000) + 10 - run);
		add(&r, first ? DIFF_A : DIFF_B, run, "never both", 10, 500);
	}
	diff_runs_judge(&r);
	row = row_of(&r, "half");
	CHECK(row->verdict == DIFF_SAME && row->of[DIFF_AVG].tested);
	CHECK(fabs(row->of[DIFF_AVG].difference - 0.6) < 1 / 1e9);
	row = row_of(&r, "never both");
	CHECK(row->verdict == DIFF_TOO_FEW && !row->of[DIFF_AVG].tested);
	CHECK(!diff_runs_known(&row->of[DIFF_AVG]));
	diff_runs_free(&r);
}

/*
 * Each machine does the same each time. Two runs of each side on two machines tell that the calls
 * take longer by 5 on both only if chance, one in 18, is below the rate, and three do.
 */
static void test_machines_identical_runs(void)
{
	size_t nr, run;

	for (nr = 4; nr <= 6; nr += 2) {
		struct diff_runs r = {
			.nr = { nr, nr }, .threshold = 0.1, .rate = 5, .machines = 2,
		};

		for (run = 0; run < nr; run++) {
			uint64_t total = run % 2 ? 1000 : 7000;

			add(&r, DIFF_A, run, "f", 10, total);
			add(&r, DIFF_B, run, "f", 10, total + 50);
			add(&r, DIFF_A, run, "g", 10, total);
			add(&r, DIFF_B, run, "g", 10, total);
		}
		diff_runs_judge(&r);
		CHECK(row_of(&r, "f")->verdict == (nr == 4 ? DIFF_SAME : DIFF_SLOWER));
		CHECK(!row_of(&r, "g")->of[DIFF_AVG].tested);
		CHECK_INT(r.nr_tests, 1);
		diff_runs_free(&r);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "machines that differ, and sides that do not", test_machines_no_difference },
		{ "a difference much smaller than that of machines", test_machines_planted },
		{ "machines without calls of one side", test_machines_without_calls },
		{ "machines that always do the same", test_machines_identical_runs },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
