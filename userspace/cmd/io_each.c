// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_each.c - kprof io --each: a line for each request to a disk, when it completes
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/io.h"
#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/pid.h"
#include "record/live.h"
#include "record/until.h"
#include "span/span.h"

/* Keys of the preset: the first two of the row, then those of each request. */
enum { DISK, FLAGS };
enum { BLOCK, BYTES, NR_EACH };

/* The kernel's REQ_*, as far as they are the same in all versions. */
#define OP(flags)	((flags) & 0xff)
#define SYNC		(1 << 11)
#define META		(1 << 12)
#define FUA		(1 << 17)
#define PREFLUSH	(1 << 18)
#define RAHEAD		(1 << 19)

struct lines {
	const struct io_each *options;
	struct csv csv;
	long shown;
};

/* The letters that the kernel's own trace events have for a request. */
static void add_type(struct buf *type, int64_t flags)
{
	static const char *const ops[] = { "R", "W", "F", "D", "N", "DE" };
	int64_t op = OP(flags);

	buf_printf(type, "%s%s%s%s%s%s", flags & PREFLUSH ? "F" : "", op < 6 ? ops[op] : "N",
		   flags & FUA ? "F" : "", flags & RAHEAD ? "A" : "", flags & SYNC ? "S" : "",
		   flags & META ? "M" : "");
}

static void begin(void *data)
{
	const struct io_each *o = ((struct lines *)data)->options;

	if (span_options.csv)
		printf("%s%scomm,pid,type,disk,block,bytes,ms\n", o->start_time ? "start," : "",
		       o->end_time ? "end," : "");
	else
		printf("#%s%s%-16s %7s %-5s %-9s %12s %9s %9s\n",
		       o->start_time ? "STARTs          " : "", o->end_time ? "ENDs            " : "",
		       "COMM", "PID", "TYPE", "DEV", "BLOCK", "BYTES", "LATms");
}

/* Seconds since boot, as dmesg has them. */
static void add_time(struct buf *out, uint64_t ns)
{
	buf_printf(out, "%8" PRIu64 ".%06" PRIu64, ns / 1000000000, ns / 1000 % 1000000);
}

static void print_csv(struct lines *l, const struct follow_event *e, const char *start,
		      const char *end, const char *type, const char *disk)
{
	struct csv *c = &l->csv;

	if (l->options->start_time)
		csv_text(c, start + strspn(start, " "));
	if (l->options->end_time)
		csv_text(c, end + strspn(end, " "));
	csv_text(c, e->comm);
	pid_csv(c, e->record->pid);
	csv_text(c, type);
	csv_text(c, disk);
	csv_u64(c, e->each[BLOCK]);
	csv_u64(c, e->each[BYTES]);
	csv_number(c, e->record->weight / 1e6, 3);
	csv_end_line(c);
}

static void print_text(struct lines *l, const struct follow_event *e, const char *start,
		       const char *end, const char *type, const char *disk)
{
	struct buf comm = { 0 };
	char pid[PID_TEXT];

	/* Escaped, as the name of a task may have a line feed. */
	escape_add(&comm, e->comm, strlen(e->comm));
	if (l->options->start_time)
		printf("%s ", start);
	if (l->options->end_time)
		printf("%s ", end);
	printf("%-17s %7s %-5s %-9s %12" PRIu64 " %9" PRIu64 " %9.3f\n",
	       comm.data ? comm.data : "", pid_text(e->record->pid, pid), type, disk,
	       (uint64_t)e->each[BLOCK], (uint64_t)e->each[BYTES], e->record->weight / 1e6);
	buf_free(&comm);
}

static void print_line(struct lines *l, const struct follow_event *e, const char *type,
		       const char *disk)
{
	struct buf start = { 0 }, end = { 0 };

	add_time(&start, e->record->time - e->record->weight);
	add_time(&end, e->record->time);
	(span_options.csv ? print_csv : print_text)(l, e, start.data, end.data, type, disk);
	buf_free(&start);
	buf_free(&end);
}

static bool is_wanted(const char *pattern, const char *text)
{
	return !pattern || !fnmatch(pattern, text, 0);
}

static bool show(const struct follow_event *e, void *data)
{
	struct lat_row row = { .target = e->source, .context = e->keys };
	struct buf disk = { 0 }, flags = { 0 }, type = { 0 }, name = { 0 };
	struct lines *l = data;
	int64_t nr = 0;

	/* Without room for its row, of a request there is what is its own. */
	if (!span_key_at(&row, DISK, &disk) || !span_key_at(&row, FLAGS, &flags) ||
	    !number_key(flags.data, &nr) || e->nr_each != NR_EACH)
		buf_printf(&type, "?");
	else
		add_type(&type, nr);
	escape_add(&name, disk.len ? disk.data : "?", disk.len ? disk.len : 1);
	if (e->nr_each == NR_EACH && is_wanted(l->options->disk, name.data) &&
	    is_wanted(l->options->type, type.data)) {
		print_line(l, e, type.data, name.data);
		l->shown++;
	}
	buf_free(&disk);
	buf_free(&flags);
	buf_free(&type);
	buf_free(&name);
	return !span_options.lines || l->shown < span_options.lines;
}

/* Options of the table, which make no sense for lines. */
static const char *table_option(void)
{
	const struct span_options *o = &span_options;

	return o->json ? "--json" : o->histogram ? "--histogram" : o->interval ? "--interval" :
	       o->count ? "--interval-count" : o->output ? "--output" :
	       o->max_rows ? "--max-rows" : o->sort ? "--sort" : NULL;
}

int io_each_run(const struct io_each *options, char **argv)
{
	const struct span_options *o = &span_options;
	struct lines lines = { .options = options, .csv = csv_begin(stdout, NULL) };
	struct buf target = { 0 };
	struct live live = {
		.nr_targets = 1, .pids = &o->pids, .all = o->all, .comm = o->comm,
		.cpus = o->cpus, .module = o->module, .duration = o->duration,
		.ring_kb = LIVE_RING_KB, .own = o->own, .csv = o->csv, .begin = begin, .show = show,
		.data = &lines,
	};
	int ret;

	if (table_option())
		return msg_contradiction("--each", table_option());
	if (span_check(argv))
		return EXIT_USAGE;
	buf_printf(&target, "%s%s%s", options->queued ? "@block_total" : "@block",
		   o->min ? " min=" : "", o->min ? o->min : "");
	live.target = (const char *const *)&target.data;
	ret = live_run(&live, argv + !!*argv);
	buf_free(&target);
	return ret;
}
