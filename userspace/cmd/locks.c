// SPDX-License-Identifier: GPL-2.0-only
/*
 * locks.c - kprof locks: which locks tasks wait for, and where
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/number.h"
#include "span/span.h"

static const struct opt opts[] = {
	OPTION_SPAN_BY_PROCESS("thread"),
	OPTION_SPAN_STACKS("the"),
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { TYPE, CALLER, COMM, PID };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "contended", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "type", "type", SPAN_TEXT, TYPE, NULL },
	{ "comm", "comm", SPAN_TEXT, COMM, &span_options.by_process },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "caller", "caller", SPAN_TEXT, CALLER, NULL },
	{ 0 }
};

/* The kernel's LCB_F_*: how the task waits, and for what kind of lock. */
static const char *type_name(int64_t flags)
{
	static const struct {
		int64_t flags;
		const char *name;
	} types[] = {
		{ 0x00, "semaphore" }, { 0x01, "spinlock" }, { 0x03, "rwlock:R" },
		{ 0x05, "rwlock:W" }, { 0x02, "rwsem:R" }, { 0x04, "rwsem:W" },
		{ 0x08, "rtmutex" }, { 0x0a, "rwlock-rt:R" }, { 0x0c, "rwlock-rt:W" },
		{ 0x10, "pcpu-sem" }, { 0x12, "pcpu-sem:R" }, { 0x14, "pcpu-sem:W" },
		{ 0x20, "mutex" }, { 0x21, "mutex" },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].flags == flags)
			return types[i].name;
	return NULL;
}

static void add_type(const struct lat_row *row, struct buf *out)
{
	struct buf flags = { 0 };
	const char *name = NULL;
	int64_t nr;

	if (span_key(row, "$arg2:x32", &flags) && number_key(flags.data, &nr))
		name = type_name(nr);
	buf_printf(out, "%s", name ? name : flags.data ? flags.data : "");
	buf_free(&flags);
}

/* Is a function one of those that implement locks? */
static bool is_lock(const char *name, size_t len)
{
	static const char *const begins[] = {
		"__down", "down", "__mutex_", "mutex_", "__ww_mutex_", "ww_mutex_", "rwsem_",
		"__percpu_down", "percpu_down", "percpu_rwsem_", "__rt_mutex_", "rt_mutex_",
		"__rt_spin_", "rt_spin_", "rtlock_", "rwbase_", "rt_read_", "rt_write_", "_raw_",
		"do_raw_", "queued_", "native_queued_", "__pv_queued_", "osq_",
	};
	size_t i;

	for (i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (len >= strlen(begins[i]) && !memcmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* The function that takes the lock: the innermost one that does not implement locks. */
static void add_caller(const char *stack, struct buf *out)
{
	const char *end = stack + strlen(stack), *frame;

	for (;;) {
		for (frame = end; frame > stack && frame[-1] != ';'; frame--)
			;
		if (frame == stack || !is_lock(frame, end - frame))
			break;
		end = frame - 1;
	}
	buf_add(out, frame, end - frame);
}

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf all = { 0 };

	add_type(row, &text[TYPE]);
	if (span_key(row, "stack", &all))
		add_caller(all.data, &text[CALLER]);
	if (span_options.stacks)
		buf_add(stack, all.data, all.len);
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	buf_free(&all);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@locks by=$arg2:x32,stack", NULL };
	static const struct span_verb verb = {
		.target = target, .column = columns, .texts = texts,
		.unbegun = "that waited already",
		.process_keys = ",comm,pid",
	};

	(void)argc;
	return span_run(&verb, argv);
}

const struct verb verb_locks = {
	.name = "locks",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show for which locks tasks wait, and where",
	.details =
		"Prints a row for each kind of lock and the function that wanted one which another had: how\n"
		"often, and how long it waited. What is not contended costs nothing and is not seen. Needs a\n"
		"kernel of 5.19 or later.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof locks -d 10\n"
		"  kprof locks --stacks -- make -j8\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
