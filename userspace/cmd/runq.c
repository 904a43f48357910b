// SPDX-License-Identifier: GPL-2.0-only
/*
 * runq.c - kprof runq: how long tasks wait for a CPU, and which task had it
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "span/span.h"

#define THROTTLED	"throttled"

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("thread"),
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { COMM, PID, OTHER };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "count", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs p99", NULL, SPAN_P99, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "comm", "comm", SPAN_TEXT, COMM, NULL },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "ran instead", "ran_instead", SPAN_TEXT, OTHER, NULL },
	{ 0 }
};

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf state = { 0 };

	(void)stack;
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	/* Who has the CPU meanwhile is no reason to wait for a task that is throttled. */
	if (span_key(row, "state", &state) && !strncmp(state.data, THROTTLED, strlen(THROTTLED)))
		buf_printf(&text[OTHER], "[%s]", state.data);
	else
		span_key(row, "end(current)", &text[OTHER]);
	buf_free(&state);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@runqueue by=comm,state,end(current)", NULL };
	static const struct span_verb verb = {
		.target = target, .column = columns, .texts = texts,
		.unbegun = "that had begun to wait before", .unbegun_or = ", or were not woken",
		.overwritten = "wakeups of what had not gone to sleep yet",
		.process_keys = ",pid", .overall = true,
	};

	(void)argc;
	return span_run(&verb, argv);
}

const struct verb verb_runq = {
	.name = "runq",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show how long tasks wait for a CPU, and who had it",
	.details =
		"Prints a row for each task and the one that had the CPU until its turn came, and draws how\n"
		"the waits are spread: from when a task is woken, created or preempted until it runs. An idle\n"
		"CPU's task is swapper. [throttled:CGROUP] stands for the time in which the CPU limit (cpu.max) of\n"
		"that cgroup was used up: then no CPU helps.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof runq -d 10\n"
		"  kprof runq --min 10ms -a -- make -j8    who was slow, and because of whom\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
