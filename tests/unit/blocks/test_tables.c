// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tables.c - from rows of the module's table to how often each block ran, as text and JSON
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/made.h"

/* The function of made.h, of which some blocks have a probe at their first instruction. */
static void watch(struct blocks *b, const bool counted[5])
{
	uint32_t i;

	make(b);
	b->counted = mem_zalloc(b->graph.nr, sizeof(*b->counted));
	b->probed = mem_zalloc(b->graph.nr, sizeof(*b->probed));
	for (i = 0; i < b->graph.nr; i++) {
		b->counted[i] = counted[i];
		b->probed[i] = b->graph.block[i].first;
		b->nr_counted += counted[i];
	}
}

/* Rows of probes at instructions. */
static struct lat_row row(char *target, uint32_t insn, const char *context, uint64_t calls)
{
	sprintf(target, "0x%llx", BASE + 4 * insn);
	return (struct lat_row){
		.target = target, .context = context, .calls = calls, .missed = LAT_UNKNOWN,
	};
}

/* The blocks begin at instructions 0, 1, 3, 4 and 5. */
static const bool needed[] = { false, true, true, true, false };

static void test_counts(void)
{
	char at[5][32];
	struct lat_row rows[] = {
		row(at[0], 1, "cpu=1", 30), row(at[1], 3, "cpu=1", 10), row(at[2], 4, "cpu=1", 4),
		row(at[3], 3, "-", 2), row(at[4], 3, "cpu=2", 1),
	};
	struct lat_table t = { .row = rows, .nr = 5 };
	struct blocks_runs runs = { .nr = 0 };
	struct blocks b = { .nr_counted = 0 };

	/* Of a probe, not of a context. */
	rows[1].missed = 3;
	rows[2].missed = 4;
	rows[4].missed = 3;
	strcat(at[3], BLOCKS_POINT);
	watch(&b, needed);
	CHECK(blocks_take(&runs, &b, &t));
	CHECK_INT(runs.nr, 3);
	CHECK_INT(runs.missed, 7);
	CHECK_STR(runs.run[0].context, "cpu=1");
	CHECK_INT(runs.run[0].calls, 10);
	CHECK_INT(runs.run[0].flow.node[0], 10);
	CHECK_INT(runs.run[0].flow.node[4], 10);
	CHECK_INT(runs.run[0].insns, 10 + 2 * 30 + 10 + 4 + 10);
	CHECK(!runs.run[0].is_partial);
	CHECK_STR(runs.run[1].context, "");
	CHECK_INT(runs.run[1].calls, 2);
	blocks_runs_free(&runs);
	blocks_free(&b);
}

/* The loop only: how often it was entered is not known. */
static const bool few[] = { false, true, false, false, false };

static void test_order(void)
{
	char at[2][32];
	struct lat_row rows[] = { row(at[0], 1, "b", 1), row(at[1], 1, "a", 1) };
	struct lat_table t = { .row = rows, .nr = 2 };
	struct blocks_runs runs = { .nr = 0 };
	struct blocks b = { .nr_counted = 0 };

	watch(&b, few);
	CHECK(blocks_take(&runs, &b, &t));
	CHECK_STR(runs.run[0].context, "a");
	CHECK(runs.run[0].is_partial);
	CHECK_INT(runs.run[0].insns, 2);
	CHECK_INT(runs.run[0].calls, COUNT_UNKNOWN);
	blocks_runs_free(&runs);
	blocks_free(&b);
}

static void test_other_rows(void)
{
	static const char *const others[] = {
		"vfs_read", "0x", "0xffffffff81000000", "0xffffffff81000004x",
		"0xffffffff81000005", "81000004",
	};
	struct blocks b = { .nr_counted = 0 };
	size_t i;

	watch(&b, needed);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct lat_row other = { .target = others[i], .context = "-", .calls = 1 };
		struct lat_table t = { .row = &other, .nr = 1 };
		struct blocks_runs runs = { .nr = 0 };

		CHECK(!blocks_take(&runs, &b, &t));
		blocks_runs_free(&runs);
	}
	blocks_free(&b);
}

/* What is printed of these counts: the loop turns three times, and block 3 never runs. */
static char *print(blocks_printer *printer, const struct blocks_output *how, struct blocks *b,
		   struct lat_row *rows, size_t nr)
{
	struct lat_table t = { .row = rows, .nr = nr };
	struct blocks_runs runs = { .nr = 0 };
	struct blocks_output o = *how;
	char *text = NULL;
	size_t len;

	CHECK(blocks_take(&runs, b, &t));
	o.out = open_memstream(&text, &len);
	printer(&o, b, &runs);
	fclose(o.out);
	blocks_runs_free(&runs);
	return text;
}

/* Counted one more than is needed, which differs from what follows. */
static char *of_all(blocks_printer *printer, const struct blocks_output *how)
{
	static const bool all[] = { true, true, true, true, true };
	char at[4][32];
	struct lat_row rows[] = {
		row(at[0], 0, "k=\033", 7), row(at[1], 1, "k=\033", 21),
		row(at[2], 3, "k=\033", 7), row(at[3], 5, "k=\033", 9),
	};
	struct blocks b = { .nr_refused = 1 };
	char *text;

	rows[2].missed = 5;
	buf_printf(&b.refusal, "why");
	watch(&b, all);
	text = print(printer, how, &b, rows, 4);
	blocks_free(&b);
	return text;
}

static char *of_one(const bool counted[5], uint32_t insn, blocks_printer *printer,
		    const struct blocks_output *how)
{
	char at[1][32];
	struct lat_row rows[] = { row(at[0], insn, "-", insn == 1 ? 9 : 0) };
	struct blocks b = { .nr_counted = 0 };
	char *text;

	watch(&b, counted);
	text = print(printer, how, &b, rows, 1);
	blocks_free(&b);
	return text;
}

static void test_text(void)
{
	struct blocks_output o = { .own = 3, .lost = "ring 5" };
	char *text = of_all(blocks_print_text, &o);

	CHECK_STR(text, "# a<b>&\"\033[2J: 6 instructions in 5 blocks, 1 loop\n"
		  "# counted: 5 blocks; the others follow from what leads where\n"
		  "# not to be counted: 1 block; the first: why\n"
		  "\n"
		  "# k=\\x1b\n"
		  "# calls 7, instructions 65: 9.3 a call\n"
		  "# % insns  count  a call  insns  turns  block  then                  function\n"
		  "     10.8      7    1.00      1      -  +0x0   +0x4                  a<b>&\"\\x1b[2J\n"
		  "     64.6     21    3.00      2    3.0   +0x4  +0x4 (14), +0xc (7)   a<b>&\"\\x1b[2J\n"
		  "     10.8      7    1.00      1      -  +0xc   +0x14 (7), +0x10 (0)  a<b>&\"\\x1b[2J\n"
		  "     13.8      9    1.29      1      -  +0x14  leave                 a<b>&\"\\x1b[2J\n"
		  "# 1 block never ran; --idle shows all\n"
		  "#\n"
		  "# by inlined function and loop; each: instructions of a call, or of a turn of a loop;\n"
		  "# fixed: those of them outside of the loops in it\n"
		  "# % insns  count  each  fixed  turns  function, or loop\n"
		  "    100.0      7   9.3    3.3      -  a<b>&\"\\x1b[2J\n"
		  "     64.6     21   2.0    2.0    3.0    loop at +0x4\n"
		  "# checked: 2 of 2 more counts differ, by up to 2\n"
		  "# 5 hits missed, inside of another probe\n"
		  "# left out: 3 hits of kprof itself (--own)\n"
		  "# lost: ring 5\n"
		  "# what the turns depend on: kprof explain --turns a<b>&\"\033[2J\n");
	free(text);
	o = (struct blocks_output){ .with_idle = true, .with_insns = true };
	text = of_one(needed, 3, blocks_print_text, &o);
	CHECK_STR(text, "# a<b>&\"\033[2J: 6 instructions in 5 blocks, 1 loop\n"
		  "# counted: 3 blocks; the others follow from what leads where\n"
		  "# calls 0, instructions 0\n"
		  "# % insns  count  a call  insns  turns  block  then                  function\n"
		  "      0.0      0    0.00      1      -  +0x0   +0x4                  a<b>&\"\\x1b[2J\n"
		  "      0.0      0    0.00      2      ?   +0x4  +0x4 (0), +0xc (0)    a<b>&\"\\x1b[2J\n"
		  "      0.0      0    0.00      1      -  +0xc   +0x14 (0), +0x10 (0)  a<b>&\"\\x1b[2J\n"
		  "      0.0      0    0.00      1      -  +0x10  +0x14                 a<b>&\"\\x1b[2J\n"
		  "      0.0      0    0.00      1      -  +0x14  leave                 a<b>&\"\\x1b[2J\n"
		  "\n"
		  "# 0  +0x0\n"
		  "  ffffffff81000000:\t?\n"
		  "\n"
		  "# 0  +0x4\n"
		  "  ffffffff81000004:\t?\n"
		  "  ffffffff81000008:\t?\n"
		  "\n"
		  "# 0  +0xc\n"
		  "  ffffffff8100000c:\t?\n"
		  "\n"
		  "# 0  +0x10\n"
		  "  ffffffff81000010:\t?\n"
		  "\n"
		  "# 0  +0x14\n"
		  "  ffffffff81000014:\t?\n"
		  "#\n"
		  "# by inlined function and loop; each: instructions of a call, or of a turn of a loop;\n"
		  "# fixed: those of them outside of the loops in it\n"
		  "# % insns  count  each  fixed  turns  function, or loop\n"
		  "      0.0      0     ?      ?      -  a<b>&\"\\x1b[2J\n"
		  "      0.0      0     ?      ?      ?    loop at +0x4\n"
		  "# checked: 0 more counts; all are what follows from the others\n"
		  "# what the turns depend on: kprof explain --turns a<b>&\"\033[2J\n");
	free(text);
	text = of_one(few, 1, blocks_print_text, &o);
	CHECK_STR(text, "# a<b>&\"\033[2J: 6 instructions in 5 blocks, 1 loop\n"
		  "# counted: 1 block; the others follow from what leads where\n"
		  "# calls not known, instructions at least 18\n"
		  "# % insns  count  a call  insns  turns  block  then          function\n"
		  "        ?      ?       ?      1      -  +0x0   +0x4          a<b>&\"\\x1b[2J\n"
		  "    100.0      9       ?      2      ?   +0x4  +0x4, +0xc    a<b>&\"\\x1b[2J\n"
		  "        ?      ?       ?      1      -  +0xc   +0x14, +0x10  a<b>&\"\\x1b[2J\n"
		  "        ?      ?       ?      1      -  +0x10  +0x14         a<b>&\"\\x1b[2J\n"
		  "        ?      ?       ?      1      -  +0x14  leave         a<b>&\"\\x1b[2J\n"
		  "\n"
		  "# not known  +0x0\n"
		  "  ffffffff81000000:\t?\n"
		  "\n"
		  "# 9  +0x4\n"
		  "  ffffffff81000004:\t?\n"
		  "  ffffffff81000008:\t?\n"
		  "\n"
		  "# not known  +0xc\n"
		  "  ffffffff8100000c:\t?\n"
		  "\n"
		  "# not known  +0x10\n"
		  "  ffffffff81000010:\t?\n"
		  "\n"
		  "# not known  +0x14\n"
		  "  ffffffff81000014:\t?\n"
		  "#\n"
		  "# by inlined function and loop; each: instructions of a call, or of a turn of a loop;\n"
		  "# fixed: those of them outside of the loops in it\n"
		  "# % insns  count  each  fixed  turns  function, or loop\n"
		  "        ?      ?     ?      ?      -  a<b>&\"\\x1b[2J\n"
		  "        ?      9   2.0    2.0      ?    loop at +0x4\n"
		  "# checked: 0 more counts; all are what follows from the others\n"
		  "# what the turns depend on: kprof explain --turns a<b>&\"\033[2J\n");
	free(text);
}

static void test_json(void)
{
	struct blocks_output o = { .own = 3, .lost = "ring 5" };
	char *text = of_all(blocks_print_json, &o);

	CHECK_STR(text, "{\n"
		  "  \"function\": \"a<b>&\\\"\\u001b[2J\",\n"
		  "  \"module\": null,\n"
		  "  \"kernel\": \"6.1.0\",\n"
		  "  \"counted\": 5,\n"
		  "  \"refused\": 1,\n"
		  "  \"refusal\": \"why\",\n"
		  "  \"own\": 3,\n"
		  "  \"missed\": 5,\n"
		  "  \"lost\": \"ring 5\",\n"
		  "  \"runs\": [\n"
		  "    {\n"
		  "      \"context\": \"k=\\u001b\",\n"
		  "      \"calls\": 7,\n"
		  "      \"instructions\": 65,\n"
		  "      \"all_known\": true,\n"
		  "      \"checked\": 2,\n"
		  "      \"wrong\": 2,\n"
		  "      \"blocks\": [\n"
		  "        {\"block\": \"+0x0\", \"count\": 7, \"counted\": true, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"9e31bc05aff46811\"},\n"
		  "        {\"block\": \"+0x4\", \"count\": 21, \"counted\": true, \"insns\": 2, \"loop\": \"+0x4\", \"entries\": 7, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"2df9028afbfcc024\"},\n"
		  "        {\"block\": \"+0xc\", \"count\": 7, \"counted\": true, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"8ce23005a62754b0\"},\n"
		  "        {\"block\": \"+0x10\", \"count\": 0, \"counted\": true, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"9e31bc05aff46811\"},\n"
		  "        {\"block\": \"+0x14\", \"count\": 9, \"counted\": true, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"ccd788165292cdd2\"}\n"
		  "      ],\n"
		  "      \"edges\": [\n"
		  "        {\"from\": \"+0x0\", \"to\": \"+0x4\", \"count\": 7},\n"
		  "        {\"from\": \"+0x4\", \"to\": \"+0x4\", \"count\": 14},\n"
		  "        {\"from\": \"+0x4\", \"to\": \"+0xc\", \"count\": 7},\n"
		  "        {\"from\": \"+0xc\", \"to\": \"+0x14\", \"count\": 7},\n"
		  "        {\"from\": \"+0xc\", \"to\": \"+0x10\", \"count\": 0},\n"
		  "        {\"from\": \"+0x10\", \"to\": \"+0x14\", \"count\": 0},\n"
		  "        {\"from\": \"+0x14\", \"to\": \"leave\", \"count\": 9},\n"
		  "        {\"from\": \"leave\", \"to\": \"+0x0\", \"count\": 7}\n"
		  "      ],\n"
		  "      \"nest\": [\n"
		  "        {\"depth\": 0, \"function\": \"a<b>&\\\"\\u001b[2J\", \"loop\": null, \"file\": null, \"line\": null, \"count\": 7, \"entries\": 7, \"insns\": 65, \"fixed\": 23},\n"
		  "        {\"depth\": 1, \"function\": \"a<b>&\\\"\\u001b[2J\", \"loop\": \"+0x4\", \"file\": null, \"line\": null, \"count\": 21, \"entries\": 7, \"insns\": 42, \"fixed\": 42}\n"
		  "      ]\n"
		  "    }\n"
		  "  ]\n"
		  "}\n");
	free(text);
	o = (struct blocks_output){ .with_insns = true };
	text = of_one(few, 1, blocks_print_json, &o);
	CHECK_STR(text, "{\n"
		  "  \"function\": \"a<b>&\\\"\\u001b[2J\",\n"
		  "  \"module\": null,\n"
		  "  \"kernel\": \"6.1.0\",\n"
		  "  \"counted\": 1,\n"
		  "  \"refused\": 0,\n"
		  "  \"refusal\": null,\n"
		  "  \"own\": 0,\n"
		  "  \"missed\": 0,\n"
		  "  \"lost\": null,\n"
		  "  \"runs\": [\n"
		  "    {\n"
		  "      \"context\": \"\",\n"
		  "      \"calls\": null,\n"
		  "      \"instructions\": 18,\n"
		  "      \"all_known\": false,\n"
		  "      \"checked\": 0,\n"
		  "      \"wrong\": 0,\n"
		  "      \"blocks\": [\n"
		  "        {\"block\": \"+0x0\", \"count\": null, \"counted\": false, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"9e31bc05aff46811\", \"instructions\": [\"?\"]},\n"
		  "        {\"block\": \"+0x4\", \"count\": 9, \"counted\": true, \"insns\": 2, \"loop\": \"+0x4\", \"entries\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"2df9028afbfcc024\", \"instructions\": [\"?\", \"?\"]},\n"
		  "        {\"block\": \"+0xc\", \"count\": null, \"counted\": false, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"8ce23005a62754b0\", \"instructions\": [\"?\"]},\n"
		  "        {\"block\": \"+0x10\", \"count\": null, \"counted\": false, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"9e31bc05aff46811\", \"instructions\": [\"?\"]},\n"
		  "        {\"block\": \"+0x14\", \"count\": null, \"counted\": false, \"insns\": 1, \"loop\": null, \"stray\": false, \"functions\": [\"a<b>&\\\"\\u001b[2J\"], \"line\": null, \"code\": \"ccd788165292cdd2\", \"instructions\": [\"?\"]}\n"
		  "      ],\n"
		  "      \"edges\": [\n"
		  "        {\"from\": \"+0x0\", \"to\": \"+0x4\", \"count\": null},\n"
		  "        {\"from\": \"+0x4\", \"to\": \"+0x4\", \"count\": null},\n"
		  "        {\"from\": \"+0x4\", \"to\": \"+0xc\", \"count\": null},\n"
		  "        {\"from\": \"+0xc\", \"to\": \"+0x14\", \"count\": null},\n"
		  "        {\"from\": \"+0xc\", \"to\": \"+0x10\", \"count\": null},\n"
		  "        {\"from\": \"+0x10\", \"to\": \"+0x14\", \"count\": null},\n"
		  "        {\"from\": \"+0x14\", \"to\": \"leave\", \"count\": null},\n"
		  "        {\"from\": \"leave\", \"to\": \"+0x0\", \"count\": null}\n"
		  "      ],\n"
		  "      \"nest\": [\n"
		  "        {\"depth\": 0, \"function\": \"a<b>&\\\"\\u001b[2J\", \"loop\": null, \"file\": null, \"line\": null, \"count\": null, \"entries\": null, \"insns\": null, \"fixed\": null},\n"
		  "        {\"depth\": 1, \"function\": \"a<b>&\\\"\\u001b[2J\", \"loop\": \"+0x4\", \"file\": null, \"line\": null, \"count\": 9, \"entries\": null, \"insns\": 18, \"fixed\": 18}\n"
		  "      ]\n"
		  "    }\n"
		  "  ]\n"
		  "}\n");
	free(text);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "counts", test_counts },
		{ "order", test_order },
		{ "other rows", test_other_rows },
		{ "text", test_text },
		{ "JSON", test_json },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
