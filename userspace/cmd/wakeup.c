// SPDX-License-Identifier: GPL-2.0-only
/*
 * wakeup.c - kprof wakeup: who wakes whom, and how long the woken task was blocked
 */
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "span/span.h"

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("thread that is woken"),
	OPTION_SPAN_STACKS("the waker's"),
	OPTION_SPAN_CALLERS("stacks also with the functions"),
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { WOKEN, PID, CONTEXT, WAKER };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "wakeups", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "woken", "woken", SPAN_TEXT, WOKEN, NULL },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "from", "from", SPAN_TEXT, CONTEXT, NULL },
	{ "waker", "waker", SPAN_TEXT, WAKER, NULL },
	{ 0 }
};

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	span_key(row, "comm", &text[WOKEN]);
	span_key(row, "pid", &text[PID]);
	span_key(row, "end(context)", &text[CONTEXT]);
	span_key(row, "end(current)", &text[WAKER]);
	span_key(row, "end(stack)", stack);
	return false;
}

#define BLOCKED_UNTIL_WOKEN \
	"tp:sched_switch($arg2,state!=dead,state!=preempted,state!=throttled)..tp:sched_waking($arg1) " \
	"as=blocked by=comm,end(current),end(context)"

static int run(int argc, char **argv)
{
	static const char *const target[] = { BLOCKED_UNTIL_WOKEN, NULL };
	static const struct span_verb verb = {
		.target = target, .column = columns, .texts = texts,
		.unbegun = "wakeups of what had blocked before", .unbegun_or = ", or did not block",
		.process_keys = ",pid", .stack_key = ",end(stack)",
		.user_key = "end(ustack)",
	};

	(void)argc;
	return span_run(&verb, argv);
}

const struct verb verb_wakeup = {
	.name = "wakeup",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show who wakes whom, and how long that one was blocked",
	.details =
		"Prints a row for each task that is woken and its waker: how often, and the time from when it\n"
		"blocked until it was woken. Where the waker was interrupted (from softirq or hardirq), the\n"
		"interrupt has woken, not the task.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof wakeup -d 10\n"
		"  kprof wakeup --stacks --comm postgres\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
