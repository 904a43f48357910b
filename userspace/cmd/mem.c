// SPDX-License-Identifier: GPL-2.0-only
/*
 * mem.c - kprof mem: memory that the kernel has allocated and not freed, by allocating stack
 */
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/msg.h"
#include "span/span.h"

static const char *const sort_names[] = { "bytes", "count", "age", "name", NULL };
static const enum span_sort sorts[] = { SPAN_BY_TIME, SPAN_BY_COUNT, SPAN_BY_MAX, SPAN_BY_NAME };

static bool pages;
static long max_open = 262144;

static const struct opt opts[] = {
	{ .name = "pages", .type = OPT_FLAG, .value = &pages,
	  .help = "of the page allocator, not of the slab allocator" },
	OPTION_SPAN_BY_PROCESS("thread that allocated"),
	OPTION_SPAN_CALLERS("stacks also with the functions"),
	{ .name = "max-open", .type = OPT_LONG, .value = &max_open, .arg = "N", .min = 8,
	  .max = 1048576, .help = "objects there is room for; default 262144" },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &span_options.sort,
	  .arg = "COLUMN", .choices = sort_names,
	  .help = "order of rows: bytes (the default), count, age or name" },
#include "cmd/span_options.list"
	{ 0 }
};

enum { CALLER, COMM, PID };

static const struct span_column columns[] = {
	{ "% bytes", NULL, SPAN_SHARE, 0, NULL },
	{ "bytes", NULL, SPAN_BYTES, 0, NULL },
	{ "objects", NULL, SPAN_COUNT, 0, NULL },
	{ "oldest s", NULL, SPAN_AGE, 0, NULL },
	{ "comm", "comm", SPAN_TEXT, COMM, &span_options.by_process },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "allocated by", NULL, SPAN_TEXT, CALLER, NULL },
	{ 0 }
};

/* There are no other texts: the stack tells everything. */
static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	span_key(row, "stack", stack);
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const slab[] = { "@alloc by=stack", NULL };
	static const char *const page[] = { "@pages by=stack", NULL };
	struct span_verb verb = {
		.target = pages ? page : slab, .process_keys = ",comm,pid",
		.column = columns, .texts = texts, .sorts = sorts,
		.unbegun = "that were freed, and had been allocated before",
		.is_live = true, .max_open = max_open,
	};

	(void)argc;
	if (span_options.min)
		return msg_usage("--min: what has not ended has no duration");
	span_options.stacks = true;
	return span_run(&verb, argv);
}

const struct verb verb_mem = {
	.name = "mem",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show memory that the kernel has allocated and not freed",
	.details =
		"Prints a row for each stack that allocated objects which live when the measurement\n"
		"ends, or the interval does: their bytes, how many, and the age of the oldest. What was\n"
		"allocated before is not in it; frees count from any context. What is allocated or freed\n"
		"in bulk has no event (kmem_cache_alloc_bulk, kfree_rcu).\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3:\n"
		"the table is there, but some were lost: try --max-open.\n\n"
		"Examples:\n"
		"  kprof mem -d 60 -n 10                what has come to stay in a minute\n"
		"  kprof mem -a -- modprobe ext4\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
