// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_svg.c - the picture of how often each block ran
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/made.h"

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
	CHECK_INT(times(text, "; 1 block never ran"), 1);
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
