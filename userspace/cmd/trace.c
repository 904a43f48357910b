// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - kprof trace: print each call, span or hit of a point as it happens, one per line
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/pid.h"
#include "record/live.h"
#include "record/measurement.h"
#include "record/targets.h"

static struct opt_list targets, pids;
static double duration;
static long lines, ring_kb = LIVE_RING_KB;
static bool own, all, csv, skip_missing;
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
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

static long shown;

/* The keys of the row, then those of this event alone. */
static void add_keys(struct buf *out, const struct follow_event *e)
{
	int i;

	buf_printf(out, "%s", e->keys);
	for (i = 0; i < e->nr_each; i++)
		buf_printf(out, ",each%d=%" PRIu64, i + 1, (uint64_t)e->each[i]);
}

static void print_csv(struct csv *c, const struct follow_event *e)
{
	const struct kprof_record *rec = e->record;
	struct buf keys = { 0 };

	csv_textf(c, "%" PRIu64 ".%09u", (uint64_t)rec->time / 1000000000,
		  (unsigned int)(rec->time % 1000000000));
	csv_u64(c, KPROF_INFO_CPU(rec->info));
	csv_text(c, e->comm);
	pid_csv(c, rec->pid);
	csv_text(c, e->source);
	csv_u64(c, rec->weight);
	add_keys(&keys, e);
	csv_text(c, keys.data);
	csv_end_line(c);
	buf_free(&keys);
}

static void print_line(const struct follow_event *e)
{
	const struct kprof_record *rec = e->record;
	struct buf comm = { 0 }, keys = { 0 };
	char pid[PID_TEXT];

	/* Escaped, as the name of a task may have a line feed. */
	escape_add(&comm, e->comm, strlen(e->comm));
	add_keys(&keys, e);
	printf("%8" PRIu64 ".%09u %4u %-16s %7s %12" PRIu64 "  %s  %s\n",
	       (uint64_t)rec->time / 1000000000, (unsigned int)(rec->time % 1000000000),
	       KPROF_INFO_CPU(rec->info), comm.data ? comm.data : "", pid_text(rec->pid, pid),
	       (uint64_t)rec->weight, e->source, keys.data);
	buf_free(&comm);
	buf_free(&keys);
}

static bool show(const struct follow_event *e, void *data)
{
	if (csv)
		print_csv(data, e);
	else
		print_line(e);
	return !lines || ++shown < lines;
}

static void begin(void *data)
{
	(void)data;
	if (csv)
		printf("time,cpu,comm,pid,target,ns,keys\n");
	else
		printf("#%17s %4s %-16s %7s %12s  target  keys\n", "time (s)", "cpu", "comm", "pid",
		       "took (ns)");
}

static int run(int argc, char **argv)
{
	struct csv c = csv_begin(stdout, NULL);
	struct live l = {
		.skip_missing = skip_missing, .pids = &pids, .all = all, .comm = comm,
		.cpus = cpus, .module = module, .duration = duration, .ring_kb = ring_kb,
		.own = own, .csv = csv, .begin = begin, .show = show, .data = &c,
	};

	(void)argc;
	if (option_take_targets(&targets, &argv) || measurement_check(&pids, all, cpus) ||
	    targets_check(targets.item, targets.nr))
		return EXIT_USAGE;
	l.target = targets.item;
	l.nr_targets = targets.nr;
	return live_run(&l, argv);
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
