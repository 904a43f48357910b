// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_svg.c - the picture of how often each block ran
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/mem.h"
#include "unit.h"

#define BASE	0xffffffff81000000ull
#define NAME	"a<b>&\"\033[2J"

/* 0: before; 1-2: a loop of one block; 3: a branch past 4; 4; 5: return. 4 never runs. */
static void make(struct blocks *b)
{
	struct code_function *f = &b->function;
	struct buf symbols = { 0 };
	uint32_t i;

	buf_printf(&symbols, "%llx 18 %s\n", BASE, NAME);
	CHECK_INT(symtab_parse(&b->names.symbols, &symbols), 0);
	frames_open(&b->names, NULL, "");
	b->symbol = &b->names.symbols.sym[0];
	f->nr_parts = 1;
	f->nr = 6;
	f->part[0] = (struct code_part){ .symbol = b->symbol, .nr = 6 };
	f->insn = mem_zalloc(6, sizeof(*f->insn));
	f->byte = mem_zalloc(6, sizeof(*f->byte));
	for (i = 0; i < 6; i++)
		f->insn[i] = (struct code_insn){ .addr = BASE + 4 * i, .size = 4 };
	f->insn[2].flow = FLOW_BRANCH;
	f->insn[2].target = BASE + 4;
	f->insn[3].flow = FLOW_BRANCH;
	f->insn[3].target = BASE + 20;
	f->insn[5].flow = FLOW_RETURN;
	graph_make(&b->graph, f);
	CHECK_INT(b->graph.nr, 5);
}

static size_t times(const char *text, const char *part)
{
	size_t nr = 0;

	while ((text = strstr(text, part))) {
		text += strlen(part);
		nr++;
	}
	return nr;
}

/* Seven calls, of which the loop turns three times each. */
static char *draw(bool with_idle)
{
	static const uint64_t truth[] = { 7, 21, 7, 0, 7 };
	const bool counted[] = { true, true, true, true, true, false };
	struct blocks_output o = { .with_idle = with_idle, .lost = NAME };
	struct blocks_run run = { .context = "comm=\"" NAME "\"", .calls = 7, .insns = 63 };
	struct blocks_runs runs = { .run = &run, .nr = 1 };
	struct blocks b = { .nr_counted = 0 };
	char *text = NULL;
	size_t len;

	make(&b);
	flow_solve(&run.flow, &b.graph, counted, truth);
	o.out = open_memstream(&text, &len);
	blocks_print_svg(&o, &b, &runs);
	fclose(o.out);
	flow_free(&run.flow);
	blocks_free(&b);
	return text;
}

static void test_boxes(void)
{
	char *text = draw(false);

	CHECK_INT(times(text, "class=\"box"), 4 + 2);
	CHECK_INT(times(text, "marker-end"), 6);
	CHECK_INT(times(text, "class=\"edge back"), 1);
	CHECK_INT(times(text, ">14</text>"), 1);	/* back to the head of the loop */
	CHECK_INT(times(text, ">ran 21, 3.0 turns</text>"), 1);
	CHECK_INT(times(text, "; 1 blocks never ran"), 1);
	free(text);
	text = draw(true);
	CHECK_INT(times(text, "class=\"box"), 5 + 2);
	CHECK_INT(times(text, "class=\"edge idle\""), 2);
	CHECK_INT(times(text, "never ran"), 0);
	free(text);
}

static void test_names(void)
{
	char *text = draw(false);

	CHECK_INT(times(text, "\033"), 0);
	CHECK_INT(times(text, "a<b>"), 0);
	CHECK_INT(times(text, "&\""), 0);
	CHECK(times(text, "a&lt;b&gt;&amp;&quot;") >= 6);
	free(text);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "boxes", test_boxes },
		{ "names", test_names },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
