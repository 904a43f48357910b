// SPDX-License-Identifier: GPL-2.0-only
/*
 * syscalls.c - kprof syscalls: which system calls, how long, and how many fail
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/msg.h"
#include "span/span.h"

static const char *const sort_names[] = { "time", "calls", "errors", "name", NULL };
static const enum span_sort sorts[] = {
	SPAN_BY_TIME, SPAN_BY_COUNT, SPAN_BY_ERRORS, SPAN_BY_NAME
};

static bool errors, offcpu;

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("system call of each thread"),
	OPTION_SPAN_CALLERS("a row for each stack"),
	{ .name = "errors", .type = OPT_FLAG, .value = &errors,
	  .help = "a row for each error of a system call, by its name" },
	{ .name = "offcpu", .type = OPT_FLAG, .value = &offcpu,
	  .help = "how much of the time the task was blocked" },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &span_options.sort,
	  .arg = "COLUMN", .choices = sort_names,
	  .help = "order of rows: time (the default), calls, errors or name" },
#include "cmd/span_options.list"
	{ 0 }
};

#define CALLS	"@syscalls by=syscall,end(errno($arg2))"

enum { CALL, ERROR, COMM, PID };

/* The same columns as strace -c. */
static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "off-CPU", "offcpu_ns", SPAN_BESIDE, 0, &offcpu },
	{ "usecs/call", NULL, SPAN_AVG, 0, NULL },
	{ "calls", NULL, SPAN_COUNT, 0, NULL },
	{ "errors", NULL, SPAN_ERRORS, 0, NULL },
	{ "syscall", "syscall", SPAN_TEXT, CALL, NULL },
	{ "error", "error", SPAN_TEXT, ERROR, &errors },
	{ "comm", "comm", SPAN_TEXT, COMM, &span_options.by_process },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ 0 }
};

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf error = { 0 };
	bool failed;

	(void)stack;
	span_key(row, "syscall", &text[CALL]);
	failed = span_key(row, "end(errno($arg2))", &error) && strcmp(error.data, "0");
	if (errors)
		buf_printf(&text[ERROR], "%s", failed ? error.data : "-");
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	buf_free(&error);
	return failed;
}

/* The wait itself has only a stack: whom it is for takes the time of all tasks. */
static void add_next(struct buf *next, char **argv)
{
	buf_printf(next, "where tasks waited: kprof offcpu --stacks");
	option_add_measured(next, opts);
	option_add_words(next, argv);
	buf_printf(next, "\n# and for whom, and what that one did meanwhile: kprof record --wall -a");
	option_add_words(next, argv);
	buf_printf(next, "%s; kprof report --waits", *argv ? "" : " -d 5");
}

static int run(int argc, char **argv)
{
	static const char *const alone[] = { CALLS, NULL };
	static const char *const both[] = {
		CALLS, "@offcpu if=state!=preempted,state!=throttled by=syscall", NULL
	};
	struct span_verb verb = {
		.target = alone, .process_keys = ",comm,pid", .column = columns, .texts = texts,
		.unbegun = "that had begun before", .sorts = sorts,
		.note = "seconds: until the call returns, what it waits for included; how much that is: "
			"--offcpu",
	};
	struct buf next = { 0 };
	int ret;

	(void)argc;
	if (offcpu) {
		if (span_options.callers)
			return msg_contradiction("--callers", "--offcpu");
		/* Of a task that is blocked nobody knows yet what its call will return. */
		if (errors)
			return msg_contradiction("--errors", "--offcpu");
		if (span_options.min)
			return msg_contradiction("--min", "--offcpu");
		verb.target = both;
		verb.beside = "@offcpu";
		verb.elsewhere = "blocked: outside of calls, or in calls of which none ended";
		verb.note = "seconds: until the call returns; off-CPU: from when a task blocked in such a "
			    "call until it ran again, also if it began before or had not ended";
		add_next(&next, argv);
		verb.next = next.data;
	}
	ret = span_run(&verb, argv);
	buf_free(&next);
	return ret;
}

const struct verb verb_syscalls = {
	.name = "syscalls",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Count system calls, their time and their errors",
	.details =
		"Prints a row for each system call: its share of the time, the time itself (as it\n"
		"passes, also while the call waits), how many there were and how many failed. It\n"
		"ends with COMMAND, with Ctrl-C, or after --duration. Calls that never return, such\n"
		"as exit_group, are not among them. Of a program of 32 bits names are of its own\n"
		"table where the program was built with it; else numbers are shown, 32:NUMBER.\n\n"
		"The exit status is COMMAND's. 3: the table is there, but calls were lost.\n\n"
		"Examples:\n"
		"  kprof syscalls -- ls -l\n"
		"  kprof syscalls --offcpu -p 4711 -d 10    how long they waited\n"
		"  kprof syscalls --errors -p 4711 -d 10    who fails, and how\n"
		"  kprof syscalls -a --by-process -i 1\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
