// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_diff_runs.c - several runs a side: simulated experiments whose truth is known
 */
#include <math.h>

#include "diff/simulate.h"
#include "unit.h"

/* Numbers of calls that are the same in all runs of a side: chance would make them vary. */
static void test_same_counts(void)
{
	struct diff_runs r = {
		.nr = { 3, 3 }, .threshold = 0, .rate = 5, .kind = DIFF_LATENCIES,
	};
	const struct diff_runs_row *row;
	int side, run;

	for (side = 0; side < DIFF_NR_SIDES; side++)
		for (run = 0; run < 3; run++) {
			uint64_t calls = side == DIFF_A ? 100 : 200;
			struct lat_row only = {
				.target = "f", .context = "-", .calls = calls,
				.total = 10 * calls, .self = 10 * calls,
			};
			struct lat_table t = { .row = &only, .nr = 1 };

			diff_runs_add_table(&r, side, run, &t);
		}
	diff_runs_judge(&r);
	row = row_of(&r, "f");
	CHECK(row && row->of[DIFF_CALLS].tested && row->of[DIFF_CALLS].chance < 0.001);
	CHECK(row && !row->of[DIFF_AVG].tested);
	diff_runs_free(&r);
}

/* Of 1,000 experiments without a difference, 5 % are 50, with a deviation of 6.9: up to 71. */
static void test_no_difference(void)
{
	static const size_t runs[] = { 3, 5, 10 };
	size_t k;
	int i;

	for (k = 0; k < 3; k++) {
		struct plan p = { .runs = runs[k], .between = 0.02 };
		int reports = 0;

		state = 88172645463325252u;
		for (i = 0; i < EXPERIMENTS; i++) {
			struct diff_runs r;

			simulate(&r, &p);
			CHECK_INT(r.nr_tested, ROWS);
			reports += r.nr_differ > 0;
			diff_runs_free(&r);
		}
		printf("# %zu runs a side: %d of %d report a difference\n", runs[k], reports,
		       EXPERIMENTS);
		CHECK(reports <= 71);
		CHECK(reports > 0);	/* else nothing is looked at */
	}
}

/* Slower by 3 %, where the runs deviate by 0.5 %; and 5 % more calls. */
static void test_planted(void)
{
	struct plan p = { .runs = 5, .between = 0.005, .slower = 0.03, .more = 0.05 };
	int i, slower = 0, more = 0, covered = 0;
	double false_part = 0;

	state = 2463534242u;
	for (i = 0; i < EXPERIMENTS; i++) {
		const struct diff_runs_row *row;
		struct diff_runs r;

		simulate(&r, &p);
		row = row_of(&r, "f7");
		slower += row->verdict == DIFF_SLOWER && row->differs;
		covered += row->of[DIFF_AVG].confidence.low <= 30 &&
			   row->of[DIFF_AVG].confidence.high >= 30;
		more += row_of(&r, "f3")->calls == DIFF_MORE;
		if (r.nr_differ)
			false_part += (double)(r.nr_differ - row->differs -
					       row_of(&r, "f3")->differs) / r.nr_differ;
		diff_runs_free(&r);
	}
	printf("# found: slower %d, more calls %d of %d; in the interval: %d; %.1f %% are false\n",
	       slower, more, EXPERIMENTS, covered, 100 * false_part / EXPERIMENTS);
	CHECK(slower >= 950 && more >= 950);
	CHECK(covered >= 930 && covered < 980);
	CHECK(false_part / EXPERIMENTS <= 0.055);
}

/* A row that is in one run of three only is no new one; one that is in all is, and is marked. */
static void test_rows_of_one_side(void)
{
	struct diff_runs r = { .nr = { 3, 3 }, .threshold = 1, .rate = 5 };
	const struct diff_runs_row *row;
	size_t run;

	for (run = 0; run < 3; run++) {
		add(&r, DIFF_A, run, "both", 100 + run, 10000);
		add(&r, DIFF_B, run, "both", 100 + run, 10000);
		add(&r, DIFF_B, run, "new", 1000 + run, 50000);
		add(&r, DIFF_A, run, "equal", 5, 50);
		add(&r, DIFF_B, run, "equal", 5, 50);
	}
	add(&r, DIFF_B, 1, "rare", 1, 500);
	add(&r, DIFF_A, 0, "seldom", 1, 500);
	add(&r, DIFF_B, 2, "seldom", 1, 700);
	diff_runs_judge(&r);
	CHECK_INT(r.nr_rows, 5);
	row = row_of(&r, "new");
	CHECK(row->verdict == DIFF_ONLY_B && row->calls == DIFF_MORE && row->differs);
	CHECK(row->cost == 50000 && row->cost_calls == 50000 && row->cost_time == 0);
	row = row_of(&r, "rare");
	CHECK(row->verdict == DIFF_ONLY_B && row->calls == DIFF_AS_MANY && !row->differs);
	row = row_of(&r, "seldom");
	CHECK(row->verdict == DIFF_TOO_FEW && !row->differs && !row->of[DIFF_AVG].tested);
	row = row_of(&r, "equal");
	CHECK(row->verdict == DIFF_SAME && !row->of[DIFF_CALLS].tested);
	CHECK_INT(r.nr_differ, 1);
	CHECK_INT(r.nr_tested, 4);
	CHECK(!strcmp(r.row[0].target, "new"));
	diff_runs_free(&r);
}

/* Machines that do the same each time: three runs a side tell nothing, four do. */
static void test_identical_runs(void)
{
	size_t nr, run;

	for (nr = 3; nr <= 4; nr++) {
		struct diff_runs r = { .nr = { nr, nr }, .threshold = 1, .rate = 5 };

		for (run = 0; run < nr; run++) {
			add(&r, DIFF_A, run, "f", 10, 1000);
			add(&r, DIFF_B, run, "f", 10, 1050);
		}
		diff_runs_judge(&r);
		CHECK(r.row[0].verdict == (nr == 3 ? DIFF_SAME : DIFF_SLOWER));
		diff_runs_free(&r);
	}
}

/* What is proven may be too small to matter. */
static void test_threshold(void)
{
	struct diff_runs r = { .nr = { 5, 5 }, .threshold = 10, .rate = 5 };
	size_t run;

	for (run = 0; run < 5; run++) {
		add(&r, DIFF_A, run, "f", 10, 100000 + 100 * run);
		add(&r, DIFF_B, run, "f", 10, 109000 + 100 * run);
		add(&r, DIFF_A, run, "g", 10, 100000 + 100 * run);
		add(&r, DIFF_B, run, "g", 10, 112000 + 100 * run);
	}
	diff_runs_judge(&r);
	CHECK_INT(r.nr_differ, 1);
	CHECK(row_of(&r, "g")->verdict == DIFF_SLOWER);
	CHECK(row_of(&r, "f")->verdict == DIFF_SAME);
	CHECK(row_of(&r, "f")->of[DIFF_AVG].adjusted < 0.000001);
	diff_runs_free(&r);
}

/* Net: what may be left of the probes is as large as the difference, or is not known. */
static void test_net(void)
{
	static const uint64_t unsure[] = { 2, 30, LAT_UNKNOWN };
	static const enum diff_verdict verdict[] = { DIFF_SLOWER, DIFF_UNSURE, DIFF_UNSURE };
	size_t i, run;
	int side;

	for (i = 0; i < 3; i++) {
		struct diff_runs r = { .nr = { 4, 4 }, .threshold = 1, .rate = 5, .net = true };

		for (run = 0; run < 4; run++) {
			for (side = 0; side < 2; side++) {
				struct lat_row row = {
					.target = "f", .context = "-", .calls = 100, .net = true,
					.total = 10000 + 2000 * side + 10 * run,
					.unsure_ns = unsure[i],
				};
				struct lat_table t = { .row = &row, .nr = 1 };

				diff_runs_add_table(&r, side, run, &t);
			}
		}
		diff_runs_judge(&r);
		CHECK(r.row[0].verdict == verdict[i]);
		CHECK_INT(r.nr_differ, i == 0);
		diff_runs_free(&r);
	}
}

/* --- many functions of a sample or two --- */

#define LARGE	10
#define SMALL	300

/* A number of samples, as chance makes it of that mean. */
static double samples(double mean)
{
	double limit = exp(-mean), product = 1;
	int nr = -1;

	if (mean > 30)
		return fmax(floor(mean + sqrt(mean) * normal() + 0.5), 0);
	for (; product > limit; nr++)
		product *= (number() >> 11) / 9007199254740992.0;
	return nr;
}

/* Functions of 300 samples a run, and many of 1; if @more, one large one has half as many again. */
static void simulate_samples(struct diff_runs *r, double least, bool more)
{
	char name[16];
	int i, run;

	*r = (struct diff_runs){
		.nr = { 3, 3 }, .rate = 5, .kind = DIFF_FUNCTIONS, .are_counts = true,
		.least = least,
	};
	for (i = 0; i < LARGE + SMALL; i++) {
		struct diff_runs_row *row;

		snprintf(name, sizeof(name), "f%d", i);
		row = diff_runs_row(r, name, "");
		for (run = 0; run < 6; run++) {
			double mean = i >= LARGE ? 1 : more && !i && run >= 3 ? 450 : 300;

			row->of[DIFF_SELF].value[run] = samples(mean);
			row->of[DIFF_TOTAL].value[run] = row->of[DIFF_SELF].value[run];
		}
	}
	diff_runs_judge(r);
}

/* How many of 1,000 comparisons say that the first function, or that any, has more or fewer. */
static void count_findings(double least, bool more, int *first, int *any)
{
	int i;

	state = 88172645463325252u;
	for (i = 0, *first = *any = 0; i < EXPERIMENTS; i++) {
		struct diff_runs r;

		simulate_samples(&r, least, more);
		*first += row_of(&r, "f0")->verdict == DIFF_SLOWER;
		*any += r.nr_differ > 0;
		CHECK(r.nr_tested >= LARGE && (!least || r.nr_tested < 2 * LARGE));
		diff_runs_free(&r);
	}
}

static void test_small_functions(void)
{
	int with, without, any;

	count_findings(0, true, &without, &any);
	count_findings(DIFF_RUNS_LEAST, true, &with, &any);
	printf("# found: %d of %d; %d if all functions are tested\n", with, EXPERIMENTS, without);
	CHECK(with > 700);
	CHECK(without < with / 2);
	count_findings(DIFF_RUNS_LEAST, false, &with, &any);
	printf("# %d of %d report a difference where there is none\n", any, EXPERIMENTS);
	CHECK(any <= 71);
	CHECK(any > 0);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "no difference: at most 5 % report any", test_no_difference },
		{ "a planted difference is found", test_planted },
		{ "rows of one side", test_rows_of_one_side },
		{ "runs that are identical", test_identical_runs },
		{ "the threshold", test_threshold },
		{ "numbers of calls that do not vary", test_same_counts },
		{ "net of the probes", test_net },
		{ "many functions of a sample or two", test_small_functions },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
