// SPDX-License-Identifier: GPL-2.0-only
/*
 * offcpu.c - kprof offcpu: where tasks wait, for how long, and for what
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "span/span.h"

static const char *const states[] = {
	"preempted", "throttled", "io", "wait", "sleep", "stopped", NULL
};

static int state = -1;
static bool by_syscall;

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("thread"),
	OPTION_SPAN_STACKS("the"),
	OPTION_SPAN_CALLERS("stacks also with the functions"),
	{ .name = "by-syscall", .type = OPT_FLAG, .value = &by_syscall,
	  .help = "a row for each system call; -: outside of calls" },
	{ .name = "state", .type = OPT_CHOICE, .value = &state, .arg = "STATE", .choices = states,
	  .help = "only these: preempted, throttled, io, wait, sleep or stopped" },
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { STATE, COMM, PID, CALL };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "count", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "state", "state", SPAN_TEXT, STATE, NULL },
	{ "comm", "comm", SPAN_TEXT, COMM, NULL },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "syscall", "syscall", SPAN_TEXT, CALL, &by_syscall },
	{ 0 }
};

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	span_key(row, "state", &text[STATE]);
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	span_key(row, "stack", stack);
	if (span_key(row, "syscall", &text[CALL]) && !strcmp(text[CALL].data, "-1")) {
		text[CALL].len = 0;
		buf_printf(&text[CALL], "-");
	}
	return false;
}

/* One cause may have many stacks, and of each the caller is known without any. */
static const char *next(void)
{
	if (span_has_stacks() && !by_syscall)
		return "several stacks of one cause in one row: --by-syscall in place of --stacks";
	return SPAN_NEXT_WAITS;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@offcpu by=state,comm", NULL };
	static const char *const of_calls[] = { "@offcpu by=state,comm,syscall", NULL };
	struct buf condition = { 0 };
	struct span_verb verb = {
		.target = by_syscall ? of_calls : target,
		.process_keys = ",pid", .stack_key = ",stack",
		.column = columns, .texts = texts,
		.unbegun = "that had begun before", .unbegun_or = ", or that were not asked for",
		.next = next(),
	};
	int ret;

	(void)argc;
	if (state >= 0) {
		buf_printf(&condition, "state==%s", states[state]);
		verb.condition = condition.data;
	}
	ret = span_run(&verb, argv);
	buf_free(&condition);
	return ret;
}

const struct verb verb_offcpu = {
	.name = "offcpu",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show where tasks wait: time off the CPU by state, task and stack",
	.details =
		"Prints a row for each reason and task: from when a task gave its CPU away until it had one\n"
		"again, the wait for a CPU included. preempted: it could have gone on; throttled: the CPU limit of\n"
		"the cgroup that is named was used up; io: for a device; wait: for what no signal ends, such as\n"
		"a mutex; sleep: for what a signal may end; stopped.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof offcpu --stacks -- make\n"
		"  kprof offcpu --by-syscall -- make         without the details of stacks\n"
		"  kprof offcpu --state io -p 4711 -d 10\n"
		"  kprof record -t @offcpu -d 10; kprof flame >offcpu.svg\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
