// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults.c - kprof faults: page faults, minor and major, and how long they take
 */
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "span/span.h"

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("thread"),
	OPTION_SPAN_STACKS("the"),
	OPTION_SPAN_CALLERS("stacks also with the functions"),
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { KIND, COMM, PID };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "faults", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs p99", NULL, SPAN_P99, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "fault", "fault", SPAN_TEXT, KIND, NULL },
	{ "comm", "comm", SPAN_TEXT, COMM, NULL },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ 0 }
};

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	span_key(row, "fault", &text[KIND]);
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	span_key(row, "stack", stack);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@faults by=fault,comm", NULL };
	static const struct span_verb verb = {
		.target = target, .process_keys = ",pid", .stack_key = ",stack",
		.column = columns, .texts = texts,
		.unbegun = "that had begun before",
	};

	(void)argc;
	return span_run(&verb, argv);
}

const struct verb verb_faults = {
	.name = "faults",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Count page faults, minor and major, and their time",
	.details =
		"Prints a row for each kind of page fault and task: minor, where memory was only to be\n"
		"mapped, and major, where something was read from a device. With --stacks those of\n"
		"system calls are told from those of user mode. It ends with COMMAND, with Ctrl-C, or\n"
		"after --duration. The exit status is COMMAND's. 3: the table is there, but some were\n"
		"lost.\n\n"
		"Examples:\n"
		"  kprof faults -- make\n"
		"  kprof faults --by-process -p 4711 -i 1\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
