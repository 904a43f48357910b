// SPDX-License-Identifier: GPL-2.0-only
/*
 * irq.c - kprof irq: the time that interrupts take
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "span/span.h"

static const struct opt opts[] = {
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { KIND, NUMBER, NAME };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "count", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs p99", NULL, SPAN_P99, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "kind", "kind", SPAN_TEXT, KIND, NULL },
	{ "number", "number", SPAN_TEXT, NUMBER, NULL },
	{ "name", "name", SPAN_TEXT, NAME, NULL },
	{ 0 }
};

/* For softirqs, show the name instead of the number. */
static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	bool soft = !strcmp(row->target, "@softirq");

	(void)stack;
	buf_printf(&text[KIND], soft ? "soft" : "hard");
	span_key_at(row, 0, &text[soft ? NAME : NUMBER]);
	span_key_at(row, 1, &text[NAME]);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@irq", "@softirq", NULL };
	static const struct span_verb verb = {
		.target = target, .column = columns, .texts = texts,
		.unbegun = "that had begun before",
	};

	(void)argc;
	return span_run(&verb, argv);
}

const struct verb verb_irq = {
	.name = "irq",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show what interrupts take: handlers of devices, and softirqs",
	.details =
		"Prints a row for each handler of a device's interrupt and each kind of softirq: how often it\n"
		"ran and how long. A softirq's time includes the interrupts that came meanwhile. With COMMAND,\n"
		"--pid or --comm: those that interrupted these tasks.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof irq -d 10 -H\n"
		"  kprof irq -i 1 -C 0\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
