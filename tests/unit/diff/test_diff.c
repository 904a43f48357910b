// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_diff.c - measurements compared: intervals, ranks, reasons, differences of boots
 */
#include <math.h>
#include <string.h>

#include "diff/diff.h"
#include "unit.h"

#define HEAD	"target\tcontext\tcalls\tmissed\ttotal_ns\tself_ns\tmin_ns\tp50_ns\tp90_ns\t" \
		"p99_ns\tmax_ns\n"
#define BUCKETS	"target\tcontext\tlow_ns\thigh_ns\tcalls\n"

#define CHECK_NEAR(got, expected, error) \
	CHECK(fabs((got) - (expected)) <= (error))

struct sides {
	struct data data[2];
	struct diff d;
};

static void set(struct sides *s, int side, enum data_section_type type, const char *text)
{
	buf_add(&s->data[side].text[type], text, strlen(text));
}

static void make(struct sides *s)
{
	char error[256];
	int side;

	s->d = (struct diff){
		.path = { "a", "b" }, .data = { &s->data[0], &s->data[1] }, .threshold = 1,
	};
	for (side = 0; side < 2; side++) {
		CHECK_INT(lat_of_data(&s->d.table[side], &s->data[side], error), 0);
		lat_sort(&s->d.table[side], LAT_NAME);
	}
	diff_boot_make(&s->d);
	diff_absences_make(&s->d);
	diff_rows_make(&s->d);
}

static void end(struct sides *s)
{
	diff_free(&s->d);
	data_close(&s->data[0]);
	data_close(&s->data[1]);
}

/*
 * Student's "sleep" once more (see test_interval.c), as nanoseconds: 10 x + 20.
 * Buckets of one value have nothing to spread, so the interval is R's, times 10.
 */
static void test_interval(void)
{
	struct sides s = { 0 };
	const struct diff_row *row;

	set(&s, 0, DATA_LATENCY, HEAD "f\t-\t10\t0\t275\t275\t4\t20\t54\t57\t57\n");
	set(&s, 0, DATA_BUCKETS, BUCKETS
	    "f\t-\t4\t5\t1\nf\t-\t8\t9\t1\nf\t-\t18\t19\t1\nf\t-\t19\t20\t1\nf\t-\t20\t21\t1\n"
	    "f\t-\t27\t28\t1\nf\t-\t28\t29\t1\nf\t-\t40\t41\t1\nf\t-\t54\t55\t1\nf\t-\t57\t58\t1\n");
	set(&s, 1, DATA_LATENCY, HEAD "f\t-\t10\t0\t433\t433\t19\t36\t66\t75\t75\n");
	set(&s, 1, DATA_BUCKETS, BUCKETS
	    "f\t-\t19\t20\t1\nf\t-\t21\t22\t1\nf\t-\t28\t29\t1\nf\t-\t31\t32\t1\nf\t-\t36\t37\t1\n"
	    "f\t-\t39\t40\t1\nf\t-\t54\t55\t1\nf\t-\t64\t65\t1\nf\t-\t66\t67\t1\nf\t-\t75\t76\t1\n");
	make(&s);
	CHECK_INT(s.d.nr_rows, 1);
	row = &s.d.row[0];
	CHECK_NEAR(row->difference, 15.8, 0.000000001);
	CHECK(row->confidence.known);
	CHECK_NEAR(row->confidence.low, -2.054832, 0.00001);
	CHECK_NEAR(row->confidence.high, 33.654832, 0.00001);
	CHECK(row->verdict == DIFF_SAME);
	CHECK_NEAR(row->cost, 158, 0.000000001);
	CHECK_NEAR(row->ratio, 43.3 / 27.5, 0.000000000001);
	end(&s);
}

/*
 * Calls of a bucket are spread evenly: 12 values in 100 to 111, all integers of
 * it, have the variance (12^2 - 1) / 12 x 12 / 11 = 13. Against 12 values that are
 * all 117 the interval is 11.5 - + t(11) x sqrt(13 / 12), t(11) = 2.200985.
 */
static void test_spread(void)
{
	struct sides s = { 0 };
	const struct diff_row *row;

	set(&s, 0, DATA_LATENCY, HEAD "f\t-\t12\t0\t1266\t1266\t100\t105\t110\t111\t111\n");
	set(&s, 0, DATA_BUCKETS, BUCKETS "f\t-\t96\t112\t12\n");
	set(&s, 1, DATA_LATENCY, HEAD "f\t-\t12\t0\t1404\t1404\t117\t117\t117\t117\t117\n");
	set(&s, 1, DATA_BUCKETS, BUCKETS "f\t-\t112\t128\t12\n");
	make(&s);
	row = &s.d.row[0];
	CHECK(s.d.nr_rows == 1 && row->confidence.known);
	CHECK_NEAR(row->confidence.low, 11.5 - 2.200985 * sqrt(13.0 / 12), 0.00001);
	CHECK_NEAR(row->confidence.high, 11.5 + 2.200985 * sqrt(13.0 / 12), 0.00001);
	CHECK(row->verdict == DIFF_SLOWER);
	/* The median of A is somewhere from 100 to 111, and 106 by its rank. */
	CHECK(row->p50.known && row->p50.low >= 117 - 111 && row->p50.high <= 117 - 100);
	CHECK(!row->p99.known);
	end(&s);
}

static void test_order(void)
{
	static const char *const order[] = { "slow", "same", "fast", "gone", "left", "came" };
	static const char *const verdicts[] = {
		"slower", "same", "faster", "only A", "only A", "only B"
	};
	struct sides s = { 0 };
	size_t i;

	set(&s, 0, DATA_LATENCY, HEAD "fast\t-\t9\t0\t900\t900\t100\t100\t100\t100\t100\n"
	    "same\t-\t9\t0\t1800\t1800\t200\t200\t200\t200\t200\n"
	    "slow\t-\t9\t0\t900\t900\t100\t100\t100\t100\t100\n"
	    "left\t-\t1\t0\t5\t5\t5\t5\t5\t5\t5\ngone\t-\t1\t0\t50\t50\t50\t50\t50\t50\t50\n");
	set(&s, 0, DATA_BUCKETS, BUCKETS "fast\t-\t96\t112\t9\nsame\t-\t192\t224\t9\n"
	    "slow\t-\t96\t112\t9\nleft\t-\t5\t6\t1\ngone\t-\t48\t56\t1\n");
	set(&s, 1, DATA_LATENCY, HEAD "fast\t-\t9\t0\t450\t450\t50\t50\t50\t50\t50\n"
	    "same\t-\t9\t0\t1809\t1809\t201\t201\t201\t201\t201\n"
	    "slow\t-\t9\t0\t1800\t1800\t200\t200\t200\t200\t200\n"
	    "came\t-\t1\t0\t7\t7\t7\t7\t7\t7\t7\n");
	set(&s, 1, DATA_BUCKETS, BUCKETS "fast\t-\t48\t56\t9\nsame\t-\t192\t224\t9\n"
	    "slow\t-\t192\t224\t9\ncame\t-\t7\t8\t1\n");
	make(&s);
	CHECK_INT(s.d.nr_rows, 6);
	for (i = 0; i < s.d.nr_rows && i < 6; i++) {
		CHECK_STR(diff_name(&s.d.row[i])->target, order[i]);
		CHECK_STR(diff_verdict_names[s.d.row[i].verdict], verdicts[i]);
	}
	end(&s);
}

/* What a row costs more is told apart: calls that came, and what each takes longer. */
static void test_split(void)
{
	struct sides s = { 0 };
	const struct diff_row *row;

	set(&s, 0, DATA_LATENCY, HEAD "often\t-\t100\t0\t10000\t9000\t100\t100\t100\t100\t100\n"
	    "long\t-\t100\t0\t10000\t8000\t100\t100\t100\t100\t100\n"
	    "chance\t-\t100\t0\t1000\t1000\t10\t10\t10\t10\t10\n");
	set(&s, 0, DATA_BUCKETS, BUCKETS "often\t-\t96\t112\t100\nlong\t-\t96\t112\t100\n"
	    "chance\t-\t10\t11\t100\n");
	set(&s, 1, DATA_LATENCY, HEAD "often\t-\t2000\t0\t200000\t9500\t100\t100\t100\t100\t100\n"
	    "long\t-\t50\t0\t10000\t8000\t200\t200\t200\t200\t200\n"
	    "chance\t-\t110\t0\t1100\t1100\t10\t10\t10\t10\t10\n");
	set(&s, 1, DATA_BUCKETS, BUCKETS "often\t-\t96\t112\t2000\nlong\t-\t192\t224\t50\n"
	    "chance\t-\t10\t11\t110\n");
	make(&s);
	CHECK_INT(s.d.nr_rows, 3);
	row = &s.d.row[0];
	CHECK_STR(diff_name(row)->target, "often");
	CHECK(row->verdict == DIFF_SAME && row->calls == DIFF_MORE);
	CHECK_NEAR(row->cost, 190000, 0.001);
	CHECK_NEAR(row->cost_calls, 190000, 0.001);
	CHECK_NEAR(row->cost_time, 0, 0.001);
	CHECK_NEAR(row->cost_self, 500, 0.001);
	row = &s.d.row[1];
	CHECK_STR(diff_name(row)->target, "chance");
	CHECK(row->verdict == DIFF_SAME && row->calls == DIFF_AS_MANY);
	row = &s.d.row[2];
	CHECK_STR(diff_name(row)->target, "long");
	CHECK(row->verdict == DIFF_SLOWER && row->calls == DIFF_FEWER);
	CHECK_NEAR(row->cost, 0, 0.001);
	CHECK_NEAR(row->cost_calls, -5000, 0.001);
	CHECK_NEAR(row->cost_time, 5000, 0.001);
	end(&s);
}

static const char *reason(const struct sides *s, const char *target, const char **twin)
{
	size_t i;

	for (i = 0; i < s->d.nr_absences; i++)
		if (!strcmp(s->d.absence[i].target, target)) {
			*twin = s->d.absence[i].twin;
			return diff_reason_names[s->d.absence[i].reason];
		}
	return NULL;
}

#define ONE(name)	name "\t-\t1\t0\t5\t5\t5\t5\t5\t5\t5\n"

static void check_reasons(const char *kernel_b, const char *static_gone)
{
	struct sides s = { 0 };
	const char *twin;

	set(&s, 0, DATA_LATENCY, HEAD ONE("called") ONE("unwatched") ONE("clone") ONE("part")
	    ONE("inlined") ONE("gone") ONE("mod:f") ONE("joined"));
	set(&s, 0, DATA_BUCKETS, BUCKETS);
	set(&s, 0, DATA_META, "kernel: 6.1.0-30\n");
	set(&s, 0, DATA_FUNCTIONS, "T called\nT gone\nT unwatched\nt clone\nt f [mod]\nt inlined\n"
	    "t joined\nt part\n");
	set(&s, 1, DATA_LATENCY, HEAD ONE("joined.constprop.0"));
	set(&s, 1, DATA_BUCKETS, BUCKETS);
	set(&s, 1, DATA_META, kernel_b);
	set(&s, 1, DATA_TARGETS, "called by=comm\njoined.constprop.0\n");
	set(&s, 1, DATA_FUNCTIONS, "T called\nT unwatched\nt clone.isra.0\nt inlinedish\n"
	    "t joined.constprop.0\nt part.part.0\n");
	make(&s);
	CHECK_STR(reason(&s, "called", &twin), "not called");
	CHECK_STR(reason(&s, "unwatched", &twin), "not watched");
	CHECK_STR(reason(&s, "clone", &twin), "renamed");
	CHECK_STR(twin, "clone.isra.0");
	CHECK_STR(reason(&s, "part", &twin), "inlined in part");
	CHECK_STR(twin, "part.part.0");
	CHECK_STR(reason(&s, "inlined", &twin), static_gone);
	CHECK_STR(reason(&s, "gone", &twin), "missing");
	CHECK_STR(reason(&s, "mod:f", &twin), "missing with its module");
	CHECK_STR(reason(&s, "joined", &twin), "renamed");
	CHECK_INT(s.d.nr_absences, 8);
	/* The renamed one that both watched is one row. */
	CHECK_INT(s.d.nr_rows, 8);
	CHECK(s.d.row[0].side[DIFF_A] && s.d.row[0].side[DIFF_B]);
	end(&s);
}

static void test_reasons(void)
{
	check_reasons("kernel: 6.1.0-31\n", "inlined");
	check_reasons("kernel: 6.12.0-1\n", "inlined or missing");
}

/* Where the other side measured clones of a function: which one is told, and of it alone. */
static void test_twins(void)
{
	struct sides s = { 0 };
	const char *twin;

	set(&s, 0, DATA_LATENCY, HEAD ONE("f") ONE("fg") ONE("h.isra.0"));
	set(&s, 0, DATA_BUCKETS, BUCKETS);
	set(&s, 0, DATA_FUNCTIONS, "t f\nt fg\nt h.isra.0\n");
	set(&s, 1, DATA_LATENCY, HEAD ONE("f.isra.3") ONE("f.constprop.0") ONE("h.constprop.1"));
	set(&s, 1, DATA_BUCKETS, BUCKETS);
	set(&s, 1, DATA_FUNCTIONS, "t f.constprop.0\nt f.isra.3\nt h.constprop.1\n"
	    "t h.part.0.isra.9\nt h.isra.9\n");
	make(&s);
	CHECK_STR(reason(&s, "f", &twin), "renamed");
	CHECK_STR(twin ? twin : "none", "f.constprop.0");	/* sorted by name: the first */
	CHECK_STR(reason(&s, "h.isra.0", &twin), "renamed");
	CHECK_STR(twin ? twin : "none", "h.constprop.1");
	CHECK_STR(reason(&s, "fg", &twin), "inlined or missing");
	CHECK_STR(twin ? twin : "none", "none");
	end(&s);
}

static void test_no_list(void)
{
	struct sides s = { 0 };
	const char *twin;

	set(&s, 0, DATA_LATENCY, HEAD ONE("f"));
	set(&s, 0, DATA_BUCKETS, BUCKETS);
	set(&s, 1, DATA_LATENCY, HEAD);
	set(&s, 1, DATA_BUCKETS, BUCKETS);
	make(&s);
	CHECK_STR(reason(&s, "f", &twin), "unknown");
	end(&s);
}

static void check_change(const struct diff *d, size_t i, const char *kind, const char *name,
			 const char *a, const char *b)
{
	const struct diff_change *c = &d->change[i];

	CHECK(i < d->nr_changes);
	if (i >= d->nr_changes)
		return;
	CHECK_STR(c->kind, kind);
	CHECK_STR(c->name, name);
	CHECK_STR(c->value[DIFF_A] ? c->value[DIFF_A] : "none", a);
	CHECK_STR(c->value[DIFF_B] ? c->value[DIFF_B] : "none", b);
}

static void test_boots(void)
{
	struct sides s = { 0 };
	int side;

	for (side = 0; side < 2; side++) {
		set(&s, side, DATA_LATENCY, HEAD);
		set(&s, side, DATA_BUCKETS, BUCKETS);
	}
	set(&s, 0, DATA_META, "kernel: 6.1\ncmdline: console=tty0 console=ttyS0 \"a b\"=1 quiet\n");
	set(&s, 1, DATA_META, "kernel: 6.1\ncmdline: quiet console=ttyS0  \"a b\"=2 init_on_alloc=1\n");
	set(&s, 0, DATA_STATS, "f.probe: direct\nf.fired: 1\n");
	set(&s, 1, DATA_STATS, "f.probe: kretprobe\nf.fired: 9\n");
	set(&s, 1, DATA_CONFIG, "CONFIG_A=y\n");
	make(&s);
	CHECK_INT(s.d.nr_changes, 5);
	check_change(&s.d, 0, "cmdline", "\"a b\"", "1", "2");
	check_change(&s.d, 1, "cmdline", "console", "tty0", "none");
	check_change(&s.d, 2, "cmdline", "init_on_alloc", "none", "1");
	check_change(&s.d, 3, "probe", "f.probe", "direct", "kretprobe");
	check_change(&s.d, 4, "config", "whole list", "not recorded", "recorded");
	end(&s);
}

static const struct unit_test tests[] = {
	{ "the interval of the difference", test_interval },
	{ "calls are spread over their bucket", test_spread },
	{ "rows by what they cost", test_order },
	{ "more calls and slower calls", test_split },
	{ "why a function has no calls", test_reasons },
	{ "which clone stands for a function", test_twins },
	{ "without a list of functions nothing is claimed", test_no_list },
	{ "differences of boots", test_boots },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
