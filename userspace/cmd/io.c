// SPDX-License-Identifier: GPL-2.0-only
/*
 * io.c - kprof io: disk requests, their time in the queue and in the device
 */
#include <string.h>

#include "cmd/io.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "span/span.h"

#define QUEUE	"@block_queue"

static bool is_each;
static struct io_each each;

static const struct opt opts[] = {
	{ .name = "each", .type = OPT_FLAG, .value = &is_each,
	  .help = "a line for each request when it completes, not a table" },
	{ .name = "queued", .type = OPT_FLAG, .value = &each.queued,
	  .help = "with --each: take the time from when a request is queued" },
	{ .name = "start-time", .type = OPT_FLAG, .value = &each.start_time,
	  .help = "with --each: print when it began, in seconds since boot" },
	{ .name = "end-time", .type = OPT_FLAG, .value = &each.end_time,
	  .help = "with --each: print when it completed" },
	{ .name = "disk", .type = OPT_STRING, .value = &each.disk, .arg = "PATTERN",
	  .help = "with --each: only these disks, such as 'sd*'" },
	{ .name = "type", .type = OPT_STRING, .value = &each.type, .arg = "PATTERN",
	  .help = "with --each: only these types, such as '*R*' for all reads" },
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { DISK, TYPE, BYTES, PHASE };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "count", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs p99", NULL, SPAN_P99, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "time in", "time_in", SPAN_TEXT, PHASE, NULL },
	{ "disk", "disk", SPAN_TEXT, DISK, NULL },
	{ "type", "type", SPAN_TEXT, TYPE, NULL },
	{ "bytes", "bytes", SPAN_TEXT, BYTES, NULL },
	{ 0 }
};

/* The kernel's REQ_OP_*, as far as their numbers are the same in all versions; flags are above. */
static void add_type(struct buf *out, int64_t flags)
{
	static const char *const names[] = { "read", "write", "flush", "discard" };
	int op = flags & 0xff;

	if (op < 4)
		buf_printf(out, "%s", names[op]);
	else
		buf_printf(out, "%d", op);
}

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf op = { 0 };
	int64_t nr;

	(void)stack;
	buf_printf(&text[PHASE], strcmp(row->target, "@block") ? "queue" : "device");
	span_key_at(row, 0, &text[DISK]);
	if (span_key_at(row, 1, &op) && number_key(op.data, &nr))
		add_type(&text[TYPE], nr);
	span_key_at(row, 2, &text[BYTES]);
	buf_free(&op);
	return false;
}

static int run(int argc, char **argv)
{
	static const char *const target[] = { "@block", QUEUE, NULL };
	static const struct span_verb verb = {
		.target = target, .column = columns, .texts = texts,
		.unbegun = "that the device had got before",
		.apart = QUEUE,
		.unbegun_apart = "of the queue's: they did not queue there, as without an I/O "
				 "scheduler, or had begun to before",
	};

	(void)argc;
	if (is_each)
		return io_each_run(&each, argv);
	if (each.queued || each.start_time || each.end_time || each.disk || each.type)
		return msg_usage("--queued, --start-time, --end-time, --disk and --type need --each");
	return span_run(&verb, argv);
}

const struct verb verb_io = {
	.name = "io",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show how long requests to disks take, in the queue and in the device",
	.details =
		"Prints a row for each disk, type of request and size, by powers of two: time in the\n"
		"device, from when it got the request until it was done, and in the queue of an I/O\n"
		"scheduler before that; without one requests do not queue. With COMMAND, --pid or\n"
		"--comm: what these tasks issue; what is written back later, kernel threads issue.\n"
		"With --each it prints a line for each request when it completes: whose it is, its type by\n"
		"the kernel's letters (R, W, D, F; F flush or FUA, A ahead, S synchronous, M metadata), the\n"
		"disk, the first sector, bytes, and milliseconds in the device. A request is of the task\n"
		"that queued it, and a merged one is of the first such task.\n\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3:\n"
		"the table is there, but some were lost.\n\n"
		"Examples:\n"
		"  kprof io -d 10 -H\n"
		"  kprof io -a -- sync\n"
		"  kprof io --each --start-time --type '*W*' -a\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
