// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - kprof trace: print each call, span or hit of a point as it happens, one per line
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "record/follow.h"
#include "record/kmod.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/targets.h"

#define WAIT_MS	100	/* needed, as rings wake their reader only when they are half full */
#define ROWS	"16384"	/* for keys with many values, which are typical here */

static struct opt_list targets, pids;
static double duration;
static long lines, ring_kb = 1024;
static bool all, csv, skip_missing;
static const char *cpus, *comm, *module;

static const struct opt opts[] = {
	{ .letter = 't', .name = "target", .type = OPT_LIST, .value = &targets, .arg = "TARGET",
	  .of_target = true,
	  .help = "a function, point or span with its keys and filters, as\n"
		  "in TARGET; may be repeated" },
	OPTION_SKIP_MISSING(&skip_missing),
	OPTION_ALL(&all),
	OPTION_PID(&pids),
	OPTION_COMM(&comm),
	OPTION_CPUS(&cpus),
	OPTION_DURATION(&duration),
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9, .help = "stop after N lines" },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "lines as CSV" },
	{ .name = "ring-kb", .type = OPT_LONG, .value = &ring_kb, .arg = "KB", .min = 4,
	  .max = 65536, .help = "size of each CPU's ring; default 1024" },
	OPTION_MODULE(&module),
	{ 0 }
};

static long shown;

static void print_csv(struct csv *c, const struct follow_event *e)
{
	const struct kprof_record *rec = e->record;

	csv_textf(c, "%" PRIu64 ".%09u", (uint64_t)rec->time / 1000000000,
		  (unsigned int)(rec->time % 1000000000));
	csv_u64(c, KPROF_INFO_CPU(rec->info));
	csv_text(c, e->comm);
	csv_u64(c, rec->pid);
	csv_text(c, e->source);
	csv_u64(c, rec->weight);
	csv_text(c, e->keys);
	csv_end_line(c);
}

static void print_line(const struct follow_event *e)
{
	const struct kprof_record *rec = e->record;
	struct buf comm = { 0 };

	/* Escaped, as the name of a task may have a line feed. */
	escape_add(&comm, e->comm, strlen(e->comm));
	printf("%8" PRIu64 ".%09u %4u %-16s %7u %12" PRIu64 "  %s  %s\n",
	       (uint64_t)rec->time / 1000000000, (unsigned int)(rec->time % 1000000000),
	       KPROF_INFO_CPU(rec->info), comm.data ? comm.data : "", rec->pid,
	       (uint64_t)rec->weight, e->source, e->keys);
	buf_free(&comm);
}

static bool show(const struct follow_event *e, void *data)
{
	if (csv)
		print_csv(data, e);
	else
		print_line(e);
	return !lines || ++shown < lines;
}

static bool is_enough(void)
{
	return lines && shown >= lines;
}

static int loop(struct follow *f, struct until *until, struct csv *c)
{
	uint64_t end = until_deadline(record_now_ns(), duration);

	while (record_now_ns() < end && !until_is_over(until) && !is_enough()) {
		if (f->collect.stopped) {
			msg_warn("someone else stopped the module: nothing more comes");
			break;
		}
		if (collect_wait(&f->collect, until->wake, until->nr_wake, WAIT_MS) ||
		    follow_step(f, false, show, c))
			return EXIT_ERROR;
		fflush(stdout);
	}
	return EXIT_OK;
}

static int print_account(struct follow *f)
{
	struct buf *text = f->collect.meta.text, causes = { 0 };
	uint64_t lost, full;

	if (kmod_read("stats", &text[DATA_STATS]))
		return EXIT_ERROR;
	lost = account_dropped(&text[DATA_STATS_BEFORE], &text[DATA_STATS], &causes);
	full = account_growth(&text[DATA_STATS_BEFORE], &text[DATA_STATS], "dropped_full");
	if (full)
		buf_printf(&causes, "%sring.dropped_full %" PRIu64, lost ? ", " : "", full);
	if (!csv)
		printf("# lost: %" PRIu64 "%s%s\n", lost + full, lost + full ? ": " : "",
		       lost + full ? causes.data : "");
	else if (lost + full)
		msg_warn("lost: %s", causes.data);
	buf_free(&causes);
	return lost + full ? EXIT_LOST : EXIT_OK;
}

static int follow(struct measurement *s, struct follow *f)
{
	struct csv c = csv_begin(stdout, NULL);
	int ret;

	if (csv)
		printf("time,cpu,comm,pid,target,ns,keys\n");
	else
		printf("#%17s %4s %-16s %7s %12s  target  keys\n", "time", "cpu", "comm", "pid", "ns");
	ret = measurement_start(s);
	if (!ret)
		ret = loop(f, &s->until, &c);
	if (setup_set(&s->setup, "enable", "0"))
		ret = EXIT_ERROR;
	if (!ret && !is_enough())
		ret = follow_step(f, true, show, &c);
	return ret ? ret : print_account(f);
}

static int configure(struct measurement *s)
{
	struct setup *c = &s->setup;

	if (setup_set_number(c, "ring_kb", ring_kb) || setup_set(c, "max_rows", ROWS) ||
	    setup_set(c, "event", "none") || setup_set(c, "record", "1") ||
	    setup_set(c, "idle", "0") || setup_set(c, "stacks", "none") ||
	    setup_set_targets(c, targets.item, targets.nr, skip_missing))
		return EXIT_ERROR;
	return measurement_filter(s, &pids, all, comm, cpus);
}

static int run(int argc, char **argv)
{
	struct measurement s;
	struct follow f;
	int ret;

	(void)argc;
	if (option_take_targets(&targets, &argv) || until_check_pids(&pids, all) ||
	    targets_check(targets.item, targets.nr))
		return EXIT_USAGE;
	if (measurement_begin(&s, module, argv, &pids) || configure(&s)) {
		ret = EXIT_ERROR;
	} else {
		ret = follow_open(&f);
		if (!ret)
			ret = follow(&s, &f);
		follow_close(&f);
	}
	if (measurement_end(&s))
		ret = EXIT_ERROR;
	return command_status(ret, s.status);
}

const struct verb verb_trace = {
	.name = "trace",
	.args = "TARGET [by=KEY,...] [if=CONDITION] [min=TIME]... [-- COMMAND [ARGUMENT]...]",
	.summary = "Print calls, points and spans as they happen, a line each",
	.details =
		"Prints a line for each call of TARGET when it returns, each span when it ends and each\n"
		"point when it is passed: the time (seconds since boot, as dmesg has it), the CPU, whom\n"
		"it is about, how long it took in nanoseconds, and the values of its keys. A key that\n"
		"is ever new, such as a sector, fills the table of rows (16384), after which its\n"
		"values read [row table full]. Ends with COMMAND, with Ctrl-C, after --duration, or\n"
		"after --lines, and says what was lost.\n\n"
		"The exit status is COMMAND's. 3: some were lost on the way.\n\n"
		"Examples:\n"
		"  kprof trace @syscalls -- ls\n"
		"  kprof trace '@offcpu min=10ms by=state' --comm postgres\n"
		"  kprof trace 'tp:sched_process_exec by=+0($arg3):string' -a -n 10\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
