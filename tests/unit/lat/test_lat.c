// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_lat.c - tables of latencies: parsed, subtracted, ordered; damaged ones
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "lat/lat.h"
#include "unit.h"

#define HEAD	"target\tcontext\tcalls\tmissed\ttotal_ns\tself_ns\tavg_ns\tmin_ns\tp50_ns\t" \
		"p90_ns\tp99_ns\tmax_ns\n"
#define BUCKETS	"target\tcontext\tlow_ns\thigh_ns\tcalls\n"

static char error[256];

static int parse(struct lat_table *t, const char *latency, const char *buckets)
{
	struct buf texts[2] = { { 0 }, { 0 } };
	int ret;

	buf_add(&texts[0], latency, strlen(latency));
	buf_add(&texts[1], buckets, strlen(buckets));
	*error = '\0';
	ret = lat_parse(t, &texts[0], &texts[1], error);
	buf_free(&texts[0]);
	buf_free(&texts[1]);
	return ret;
}

static void test_parse(void)
{
	const struct lat_row *row;
	struct lat_table t;

	CHECK(!parse(&t, HEAD "f\t-\t3\t1\t60\t50\t20\t10\t16\t32\t33\t34\n"
			    "f\tcomm=\"a\\tb\"\t2\t0\t7\t7\t3\t3\t3\t4\t4\t4\n",
			BUCKETS "f\t-\t10\t12\t1\nf\t-\t16\t20\t1\nf\t-\t32\t40\t1\n"
				"f\tcomm=\"a\\tb\"\t3\t4\t1\nf\tcomm=\"a\\tb\"\t4\t5\t1\n"));
	CHECK_INT(t.nr, 2);
	row = lat_find(&t, "f", "-");
	CHECK(row && row->calls == 3 && row->missed == 1 && row->total == 60 && row->self == 50);
	CHECK(row && row->min == 10 && row->p50 == 16 && row->p90 == 32 && row->p99 == 33 &&
	      row->max == 34);
	CHECK_INT(row ? row->nr_buckets : 0, 3);
	CHECK(lat_find(&t, "f", "comm=\"a\\tb\""));
	CHECK(!lat_find(&t, "f", "comm") && !lat_find(&t, "g", "-"));
	lat_free(&t);
}

/* The module may add columns, and put them in any order. */
static void test_columns(void)
{
	struct lat_table t;

	CHECK(!parse(&t, "new\tcalls\ttarget\tcontext\tmissed\ttotal_ns\tself_ns\tmin_ns\tp50_ns\t"
			    "p90_ns\tp99_ns\tmax_ns\nx\t7\tf\t-\t0\t8\t8\t1\t1\t1\t1\t2\n",
			"calls\thigh_ns\tlow_ns\tcontext\ttarget\n7\t2\t1\t-\tf\n"));
	CHECK(t.nr == 1 && t.row[0].calls == 7 && t.row[0].max == 2);
	CHECK(t.nr == 1 && t.row[0].nr_buckets == 1 && t.row[0].bucket[0].high == 2);
	lat_free(&t);
}

static void check_refused(const char *latency, const char *buckets, const char *why)
{
	struct lat_table t;

	CHECK(parse(&t, latency, buckets) == -1);
	CHECK_STR(error, why);
	lat_free(&t);
}

#define ROW	"f\t-\t1\t0\t5\t5\t5\t5\t5\t5\t5\t5\n"

static void test_refused(void)
{
	check_refused("", BUCKETS, "latency, line 0: the header is missing");
	check_refused("target\tcontext\n", BUCKETS, "latency, line 1: there is no column 'calls'");
	check_refused(HEAD "f\t-\tmany\n", BUCKETS, "latency, line 2: calls 'many' is no number");
	check_refused(HEAD "f\t-\t-1\n", BUCKETS, "latency, line 2: calls '-1' is no number");
	check_refused(HEAD "f\t-\t1\n", BUCKETS, "latency, line 2: missed '' is no number");
	check_refused(HEAD "f\t-\t99999999999999999999\n", BUCKETS,
		      "latency, line 2: calls '99999999999999999999' is no number");
	check_refused(HEAD "f\t-\t1\t0\t5\t5\t5\t6\t5\t5\t5\t5\n", BUCKETS,
		      "latency, line 2: the shortest call is longer than the longest");
	check_refused(HEAD ROW, BUCKETS "f\t-\t6\t6\t1\n",
		      "buckets, line 2: a bucket that holds nothing");
	check_refused(HEAD ROW, BUCKETS "f\t-\t5\t6\t1\nf\t-\t4\t5\t1\n",
		      "buckets, line 3: buckets are out of order");
	check_refused(HEAD ROW ROW, BUCKETS "f\t-\t5\t7\t1\nf\t-\t6\t8\t1\n",
		      "buckets, line 3: buckets of one row overlap");
}

/* Stacks that differ in offsets alone read alike: 10 short calls and 30 long ones. */
static void test_alike(void)
{
	const struct lat_row *row;
	struct lat_table t;

	CHECK(!parse(&t, HEAD "f\tstack=a;b\t10\t2\t1050\t1000\t105\t100\t105\t109\t110\t110\n"
			    "g\t-\t1\t0\t9\t9\t9\t9\t9\t9\t9\t9\n"
			    "f\tstack=a;b\t30\t3\t4500\t4500\t140\t90\t140\t149\t150\t150\n",
			BUCKETS "f\tstack=a;b\t96\t112\t10\ng\t-\t8\t10\t1\n"
				"f\tstack=a;b\t80\t96\t1\nf\tstack=a;b\t96\t112\t1\n"
				"f\tstack=a;b\t128\t160\t28\n"));
	CHECK_INT(t.nr, 2);
	row = lat_find(&t, "f", "stack=a;b");
	CHECK(row && row->calls == 40 && row->total == 5550 && row->self == 5500);
	CHECK(row && row->min == 90 && row->max == 150);
	/* The target's, and said in each of its rows. */
	CHECK_INT(row ? row->missed : 0, 3);
	CHECK_INT(row ? row->nr_buckets : 0, 3);
	CHECK(row && row->bucket[1].low == 96 && row->bucket[1].calls == 11);
	/* Of 40 the 20th is the 8th of those from 128 on, the 36th the 24th of them. */
	CHECK_INT(row ? row->p50 : 0, 137);
	CHECK_INT(row ? row->p90 : 0, 150);
	CHECK_INT(row ? row->p99 : 0, 150);
	CHECK(lat_find(&t, "g", "-") && lat_find(&t, "g", "-")->nr_buckets == 1);
	lat_free(&t);
}

/*
 * Before: 10 calls from 100 to 110. Since then: 4 calls, 2 from 96 to 111, which
 * may be the shortest, and 2 from 128 to 159, one of which is the longest of all.
 */
static void test_subtract(void)
{
	struct lat_table t, before;
	const struct lat_row *row;

	CHECK(!parse(&before, HEAD "f\t-\t10\t1\t1050\t1000\t105\t100\t105\t109\t110\t110\n"
				      "old\t-\t5\t0\t5\t5\t1\t1\t1\t1\t1\t1\n",
			BUCKETS "f\t-\t96\t112\t10\nold\t-\t1\t2\t5\n"));
	CHECK(!parse(&t, HEAD "f\t-\t14\t3\t1550\t1400\t110\t100\t105\t120\t150\t150\n"
				 "old\t-\t5\t0\t5\t5\t1\t1\t1\t1\t1\t1\n"
				 "new\t-\t1\t0\t9\t9\t9\t9\t9\t9\t9\t9\n",
			BUCKETS "f\t-\t96\t112\t12\nf\t-\t128\t160\t2\nold\t-\t1\t2\t5\n"
				"new\t-\t8\t10\t1\n"));
	CHECK(lat_subtract(&t, &before));
	CHECK_INT(t.nr, 2);
	row = lat_find(&t, "f", "-");
	CHECK(row && row->calls == 4 && row->missed == 2 && row->total == 500 && row->self == 400);
	CHECK(row && row->nr_buckets == 2 && row->bucket[0].calls == 2);
	CHECK(row && row->min == 100 && row->max == 150);
	/* The second of two in 96 to 111 is at its end; the third of 4 begins the next. */
	CHECK(row && row->p50 == 112 && row->p90 == 150);
	row = lat_find(&t, "new", "-");
	CHECK(row && row->calls == 1 && row->p50 == 9);
	CHECK(!lat_subtract(&before, &t));
	lat_free(&t);
	lat_free(&before);
}

/* "missed" is of the target, and so in each of its rows. */
static void test_missed(void)
{
	struct lat_table t, before;
	const struct lat_row *row;

	CHECK(!parse(&before, HEAD "e\t-\t1\t7\t1\t1\t1\t1\t1\t1\t1\t1\n"
				   "f\tb\t1\t1000\t1\t1\t1\t1\t1\t1\t1\t1\n",
		     BUCKETS "e\t-\t1\t2\t1\nf\tb\t1\t2\t1\n"));
	CHECK(!parse(&t, HEAD "e\t-\t1\t7\t1\t1\t1\t1\t1\t1\t1\t1\n"
			      "f\ta\t1\t1003\t1\t1\t1\t1\t1\t1\t1\t1\n"
			      "f\tb\t2\t1003\t2\t2\t1\t1\t1\t1\t1\t1\n"
			      "g\t-\t1\t5\t1\t1\t1\t1\t1\t1\t1\t1\n",
		     BUCKETS "e\t-\t1\t2\t1\nf\ta\t1\t2\t1\nf\tb\t1\t2\t2\ng\t-\t1\t2\t1\n"));
	CHECK(lat_subtract(&t, &before));
	CHECK_INT(t.nr, 3);
	row = lat_find(&t, "f", "a");
	CHECK(row && row->calls == 1 && row->missed == 3);
	row = lat_find(&t, "f", "b");
	CHECK(row && row->calls == 1 && row->missed == 3);
	row = lat_find(&t, "g", "-");
	CHECK(row && row->missed == 5);
	lat_free(&t);
	lat_free(&before);
}

/* Of calls like those before, the buckets say how long they can have been. */
static void test_bounds(void)
{
	struct lat_table t, before;

	CHECK(!parse(&before, HEAD "f\t-\t2\t0\t600\t600\t300\t100\t100\t500\t500\t500\n"
				   "g\t-\t1\t0\t900\t900\t900\t900\t900\t900\t900\t900\n",
		     BUCKETS "f\t-\t96\t112\t1\nf\t-\t448\t512\t1\ng\t-\t112\t128\t1\n"));
	CHECK(!parse(&t, HEAD "f\t-\t3\t0\t800\t800\t266\t100\t200\t500\t500\t500\n"
			      "g\t-\t2\t0\t1900\t1900\t950\t900\t900\t999\t999\t999\n",
		     BUCKETS "f\t-\t96\t112\t1\nf\t-\t192\t224\t1\nf\t-\t448\t512\t1\n"
			     "g\t-\t112\t128\t2\n"));
	CHECK(lat_subtract(&t, &before));
	CHECK(t.nr == 2 && t.row[0].min == 192 && t.row[0].max == 223);
	/* Beyond the end of the last bucket, and longer than all before. */
	CHECK(t.nr == 2 && t.row[1].max == 999);
	lat_free(&t);
	lat_free(&before);
}

/* A profile that was emptied shows as a row that is gone, or has less. */
static void test_emptied(void)
{
	struct lat_table t, before;

	CHECK(!parse(&before, HEAD ROW, BUCKETS));
	CHECK(!parse(&t, HEAD, BUCKETS));
	CHECK(!lat_subtract(&t, &before));
	lat_free(&t);
	lat_free(&before);
}

static void test_sort(void)
{
	struct lat_table t;

	CHECK(!parse(&t, HEAD "a\t-\t1\t0\t50\t1\t50\t50\t50\t50\t50\t50\n"
				 "b\t-\t9\t0\t90\t2\t10\t10\t10\t10\t10\t10\n"
				 "c\t-\t9\t0\t60\t3\t6\t6\t6\t6\t6\t6\n", BUCKETS));
	lat_sort(&t, LAT_TOTAL);
	CHECK_STR(t.row[0].target, "b");
	lat_sort(&t, LAT_AVG);
	CHECK_STR(t.row[0].target, "a");
	lat_sort(&t, LAT_CALLS);
	CHECK_STR(t.row[0].target, "b");
	CHECK_STR(t.row[1].target, "c");
	lat_sort(&t, LAT_SELF);
	CHECK_STR(t.row[0].target, "c");
	lat_sort(&t, LAT_NAME);
	CHECK_STR(t.row[0].target, "a");
	CHECK(lat_find(&t, "c", "-") == &t.row[2]);
	lat_free(&t);
}

/* What was written is what is read. */
static void test_write(void)
{
	struct buf latency = { 0 }, buckets = { 0 }, latency2 = { 0 }, buckets2 = { 0 };
	struct lat_table t;

	CHECK(!parse(&t, HEAD ROW, BUCKETS "f\t-\t5\t6\t1\n"));
	lat_write(&t, &latency, &buckets);
	lat_free(&t);
	CHECK(!parse(&t, latency.data, buckets.data));
	lat_write(&t, &latency2, &buckets2);
	CHECK_STR(latency2.data, latency.data);
	CHECK_STR(buckets2.data, buckets.data);
	CHECK(strstr(latency.data, "\nf\t-\t1\t0\t5\t5\t5\t5\t5\t5\t5\n"));
	CHECK(strstr(buckets.data, "\nf\t-\t5\t6\t1\n"));
	buf_free(&latency);
	buf_free(&buckets);
	buf_free(&latency2);
	buf_free(&buckets2);
	lat_free(&t);
}

/* --- whatever the text is, nothing bad happens; the sanitizers watch --- */

static const char *const pieces[] = {
	HEAD, BUCKETS, ROW, "f", "\t", "\n", "-", "0", "1", "18446744073709551615", "5",
	"[row table full]", "f\t-\t5\t6\t1\n", "f\t-\t1\t18446744073709551615\t3\n", "target",
};

static uint64_t state = 1;

static unsigned int next_random(unsigned int below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % below;
}

static void damage(struct buf *b, const char *text)
{
	unsigned int i;

	buf_add(b, text, strlen(text));
	if (next_random(3))
		return;
	for (i = next_random(4); i; i--) {
		const char *piece = pieces[next_random(sizeof(pieces) / sizeof(*pieces))];
		size_t at = next_random(b->len + 1), len = strlen(piece);

		buf_reserve(b, len);
		memmove(b->data + at + len, b->data + at, b->len - at + 1);
		memcpy(b->data + at, piece, len);
		b->len += len;
	}
	if (!next_random(3))
		b->data[next_random(b->len)] = next_random(256);
	if (!next_random(8))
		b->data[b->len = next_random(b->len)] = '\0';
}

static void show_all(struct diff *d, FILE *out)
{
	struct diff_output o = { .out = out };
	struct lat_output lat = { .out = out, .data = d->data[0], .histogram = true };

	lat_print_text(&lat, &d->table[0]);
	lat_print_json(&lat, &d->table[0]);
	lat_print_csv(&lat, &d->table[0]);
	diff_boot_make(d);
	diff_absences_make(d);
	diff_rows_make(d);
	diff_print_text(&o, d);
	diff_print_csv(&o, d);
	diff_print_json(&o, d);
	diff_print_svg(&o, d);
}

static void test_damaged(void)
{
	static const char latency[] = HEAD ROW "g\t-\t9\t0\t90\t2\t10\t10\t10\t10\t10\t10\n";
	static const char buckets[] = BUCKETS "f\t-\t5\t6\t1\ng\t-\t8\t10\t4\ng\t-\t10\t12\t5\n";
	FILE *null = fopen("/dev/null", "w");
	int i, good = 0, side;

	for (i = 0; i < 30000; i++) {
		struct data data[2] = { { .whole = true }, { .whole = true } };
		struct diff d = { .path = { "a", "b" }, .data = { &data[0], &data[1] } };
		int bad = 0;

		for (side = 0; side < 2; side++) {
			damage(&data[side].text[DATA_LATENCY], latency);
			damage(&data[side].text[DATA_BUCKETS], buckets);
			damage(&data[side].text[DATA_CONFIG], "CONFIG_A=y\n# CONFIG_B is not set\n");
			damage(&data[side].text[DATA_FUNCTIONS], "T f\nt g.isra.0 [m]\n");
			damage(&data[side].text[DATA_META], "kernel: 6.1\ncmdline: a=1 \"b c\" d\n");
			bad |= lat_of_data(&d.table[side], &data[side], error);
		}
		good += !bad;
		if (!bad)
			show_all(&d, null);
		if (!bad)
			lat_subtract(&d.table[0], &d.table[1]);
		diff_free(&d);
		data_close(&data[0]);
		data_close(&data[1]);
	}
	fclose(null);
	/* Else it was not the parser, or not the printers, that was tested. */
	CHECK(good > 1000 && good < 29000);
}

static const struct unit_test tests[] = {
	{ "a table is parsed", test_parse },
	{ "columns are found by name", test_columns },
	{ "what is no table is refused", test_refused },
	{ "rows that read alike are one", test_alike },
	{ "what was added since", test_subtract },
		{ "what a target has missed is in its new rows, too", test_missed },
	{ "shortest and longest of what was added", test_bounds },
	{ "a profile that was emptied is noticed", test_emptied },
	{ "order of rows", test_sort },
	{ "written and read again", test_write },
	{ "damaged tables", test_damaged },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
