// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_folded.c - folded text: read, merged, ordered, written
 */
#include <stdlib.h>

#include "lib/buf.h"
#include "data/folded.h"
#include "data/text_guess.h"
#include "data/text_read.h"
#include "lib/opt.h"
#include "unit.h"

/* What a set says of itself, as folded text. */
static char *text_of(const struct folded *f)
{
	size_t len;
	char *text;
	FILE *out = open_memstream(&text, &len);

	CHECK(!folded_write(f, out));
	fclose(out);
	return text;
}

static void check_text(struct folded *f, const char *expected)
{
	char *text = text_of(f);

	CHECK_STR(text, expected);
	free(text);
	folded_free(f);
}

/* Messages on purpose do not belong among the results. */
static void parse_silently(struct folded *f, const char *text, size_t len)
{
	FILE *old = stderr, *null = fopen("/dev/null", "w");

	stderr = null;
	folded_parse(f, text, len, "test");
	stderr = old;
	fclose(null);
}

static void check_parse(unsigned int mode, const char *text, const char *expected)
{
	struct folded f;

	folded_init(&f, mode);
	folded_parse(&f, text, strlen(text), "test");
	CHECK_INT(f.bad_lines, 0);
	check_text(&f, expected);
}

static void test_merge(void)
{
	check_parse(FOLDED_MERGE, "a;b 1\nx 5\na 2\na;b 3\n", "a 2\na;b 4\nx 5\n");
	check_parse(FOLDED_MERGE, "a;b;c 1\na;bc 1\na;b;cd 1\nab;b;c 1",
		    "a;b;c 1\na;b;cd 1\na;bc 1\nab;b;c 1\n");
	check_parse(FOLDED_MERGE, "", "");
}

/* Siblings lie as their lines do in text sorted by bytes. */
static void test_sorted_as_lines(void)
{
	check_parse(FOLDED_MERGE, "a;f64 1\na;f;g 1\n", "a;f64 1\na;f;g 1\n");
	check_parse(FOLDED_MERGE, "a;f64 1\na;f 1\n", "a;f 1\na;f64 1\n");
	check_parse(FOLDED_MERGE, "a;f.isra.0 1\na;f (x) 1\na;f 1\n",
		    "a;f (x) 1\na;f 1\na;f.isra.0 1\n");
}

static void test_lines_like_flamegraph(void)
{
	check_parse(FOLDED_MERGE, "a b;c d 7\n", "a b;c d 7\n");
	check_parse(FOLDED_MERGE, "a;b\t7\r\n\r\n\n", "a;b 7\n");
	check_parse(FOLDED_MERGE, "a;b;; 7\n", "a;b 7\n");
	check_parse(FOLDED_MERGE, ";a 7\n;;b 1\n 2\n", " 2\n;;b 1\n;a 7\n");
}

static void test_counts(void)
{
	check_parse(FOLDED_MERGE, "a 9223372036854775808\n", "a 9223372036854775808\n");
	check_parse(FOLDED_MERGE, "a 9223372036854775808\na 9223372036854775807\n",
		    "a 18446744073709551615\n");
	check_parse(FOLDED_MERGE, "a 0000000000000000000000000000007\n", "a 7\n");
	check_parse(FOLDED_MERGE, "a 9007199254740993\na 9007199254740993\n",
		    "a 18014398509481986\n");
	check_parse(FOLDED_MERGE, "a 0.25\na 1.5\na 2.\n", "a 3.75\n");
	check_parse(FOLDED_MERGE, "a 1 2\nb 0 3\n", "a 1 2\nb 0 3\n");
}

static void test_bad_lines(void)
{
	static const char text[] = "a;b\na 1\na -1\na 1e3\n12\na .5\nb x1\na 1,5\nc 2\x20\n";
	struct folded f;

	folded_init(&f, FOLDED_MERGE);
	parse_silently(&f, text, strlen(text));
	CHECK_INT(f.lines, 9);
	CHECK_INT(f.bad_lines, 8);
	CHECK(f.total == 1);
	check_text(&f, "a 1\n");
}

/* No count is so large; what prints them has room for what is. */
static void test_huge_counts(void)
{
	struct buf text = { 0 };
	struct folded f;
	int i;

	folded_init(&f, FOLDED_MERGE);
	buf_printf(&text, "a 9223372036854775809\na 1 99999999999999999999\nb ");
	for (i = 0; i < 5000; i++)
		buf_add(&text, "9", 1);
	buf_printf(&text, "\nc 0.");
	for (i = 0; i < 5000; i++)
		buf_add(&text, "5", 1);
	buf_printf(&text, "\nd 4611686018427387904.5\n");
	parse_silently(&f, text.data, text.len);
	CHECK_INT(f.bad_lines, 3);
	check_text(&f, "c 0.555556\nd 4611686018427387904.5\n");
	buf_free(&text);
}

/* Names that must not reach a terminal are escaped, and meet those that read so. */
static void test_names_to_show(void)
{
	check_parse(FOLDED_MERGE, "a\033[2J;\xff\u00fc;\u202eb 1\na\\x1b[2J;\xff\u00fc;\\u202eb 2\n",
		    "a\\x1b[2J;\\xff\u00fc;\\u202eb 3\n");
}

static void test_nul_in_a_line(void)
{
	static const char text[] = "a\0b 1\nc 2\n";
	struct folded f;

	folded_init(&f, FOLDED_MERGE);
	parse_silently(&f, text, sizeof(text) - 1);
	CHECK(f.total == 3);
	CHECK_INT(f.nr_nodes, 3);
	folded_free(&f);
}

static void test_leaf_first(void)
{
	check_parse(FOLDED_LEAF_FIRST, "a;b;c 1\nx;c 2\n", "c;b;a 1\nc;x 2\n");
}

static void test_in_order(void)
{
	static const char text[] = "a;b 1\nc 2\na;b 3\na;b 4\na 5\na;b 6\n";
	struct folded f;

	folded_init(&f, FOLDED_IN_ORDER);
	folded_parse(&f, text, strlen(text), "test");
	/* The two neighbours met; what stands apart did not, b under the same a. */
	CHECK_INT(f.nr_nodes, 1 + 6);
	CHECK(f.start[f.nr_nodes - 1] == 15);
	check_text(&f, "a;b 1\nc 2\na 5\na;b 7\na;b 6\n");
}

/* Count a stack of names. */
static void add_names(struct folded *f, const char *const *name, size_t nr, uint64_t count)
{
	struct folded_frame frame[8];
	size_t i;

	for (i = 0; i < nr; i++)
		frame[i] = folded_frame(name[i]);
	folded_add(f, frame, nr, count);
}

static void test_add(void)
{
	static const char *const stack[] = { "sh", "a;b", "line\nend", "", "count 12", "1.5" };
	struct folded f;

	folded_init(&f, FOLDED_MERGE);
	add_names(&f, stack, 6, 1ull << 60);
	add_names(&f, stack, 6, 1);
	add_names(&f, stack, 5, 3);
	add_names(&f, stack, 0, 4);
	check_text(&f, " 4\nsh;a:b;line\\x0aend;[unknown];count 12; 3\n"
		   "sh;a:b;line\\x0aend;[unknown];count 12;1.5 1152921504606846977\n");
}

/* Many names and nodes: tables grow and everything is found again. */
static void test_growth(void)
{
	struct folded f;
	char name[2][32];
	const char * const stack[] = { name[0], name[1], "leaf" };
	int round, i;

	folded_init(&f, FOLDED_MERGE);
	for (round = 0; round < 2; round++)
		for (i = 0; i < 50000; i++) {
			snprintf(name[0], sizeof(name[0]), "root%d", i % 7);
			snprintf(name[1], sizeof(name[1]), "function%d", i);
			add_names(&f, stack, 3, 1);
		}
	CHECK_INT(f.nr_nodes, 1 + 7 + 2 * 50000);
	CHECK_INT(f.names.nr, 1 + 7 + 50000 + 1);
	CHECK(f.total == 100000);
	folded_free(&f);
}

/* A stack a million deep must not end the program. */
static void test_depth(void)
{
	size_t depth = 1000000;
	char *text = malloc(2 * depth + 3), *again;
	struct folded f;
	size_t i;

	for (i = 0; i < depth; i++)
		memcpy(text + 2 * i, "f;", 2);
	strcpy(text + 2 * depth - 1, " 1\n");
	folded_init(&f, FOLDED_MERGE);
	folded_parse(&f, text, strlen(text), "test");
	CHECK_INT(f.nr_nodes, depth + 1);
	again = text_of(&f);
	CHECK(!strcmp(again, text));
	free(again);
	free(text);
	folded_free(&f);
}

/* Lines that end on either side of what one read() gets. */
static void test_file(void)
{
	char path[] = "/tmp/kprof-test-XXXXXX";
	FILE *out = fdopen(mkstemp(path), "w");
	struct folded f;
	struct input in;
	uint64_t sum = 0;
	int i;

	for (i = 0; i < 200000; i++) {
		fprintf(out, "root;a function with a name;leaf%d %d\n", i % 1000, i);
		sum += (uint64_t)i;
	}
	fclose(out);
	folded_init(&f, FOLDED_MERGE);
	CHECK(!input_open(&in, path));
	CHECK_INT(text_read(&f, &in, TEXT_AUTO, NULL), EXIT_OK);
	input_close(&in);
	CHECK_INT(f.lines, 200000);
	CHECK_INT(f.bad_lines, 0);
	CHECK_INT(f.nr_nodes, 1 + 2 + 1000);
	CHECK(f.total == sum);
	folded_free(&f);
	remove(path);
}

/* Lines that end like @many, more than are looked at first, and the last one. */
static void read_many(struct folded *f, const char *many, const char *last)
{
	FILE *old = stderr, *null = fopen("/dev/null", "w");
	struct buf text = { 0 };
	struct input in;

	while (text.len < 2 * TEXT_GUESS_LOOK)
		buf_printf(&text, "root;leaf %s\n", many);
	buf_printf(&text, "%s\n", last);
	folded_init(f, FOLDED_MERGE);
	input_from_memory(&in, &text);
	stderr = null;
	CHECK_INT(text_read(f, &in, TEXT_AUTO, NULL), EXIT_OK);
	stderr = old;
	fclose(null);
	input_close(&in);
	CHECK_INT(f->bad_lines, 0);
}

/* Most lines tell whether a second number is a count, also of a line far behind them. */
static void test_columns(void)
{
	struct folded f;

	read_many(&f, "1", "GC 1 18");
	CHECK(!f.differential);
	CHECK(folded_find(&f, 0, "GC 1"));
	folded_free(&f);
	read_many(&f, "2 1", "GC 18");
	CHECK(f.differential);
	CHECK(f.self[folded_find(&f, 0, "GC")].after == 18);
	folded_free(&f);
}

static const struct unit_test tests[] = {
	{ "equal stacks meet", test_merge },
	{ "sorted as lines are", test_sorted_as_lines },
	{ "lines as flamegraph.pl takes them", test_lines_like_flamegraph },
	{ "whole and decimal counts, and two of them", test_counts },
	{ "lines that are no stacks are counted", test_bad_lines },
	{ "counts beyond 2^63 are refused", test_huge_counts },
	{ "names that must not be shown as they are", test_names_to_show },
	{ "a NUL in a line", test_nul_in_a_line },
	{ "leaf first", test_leaf_first },
	{ "in the order of time", test_in_order },
	{ "names from elsewhere are made fit", test_add },
	{ "many names and nodes", test_growth },
	{ "a stack a million deep", test_depth },
	{ "a file in several pieces", test_file },
	{ "two counts a line, or one", test_columns },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
