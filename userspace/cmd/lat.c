// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat.c - kprof lat: measure the latency of calls, by context
 */
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lat/lat.h"
#include "lib/msg.h"
#include "record/targets.h"
#include "record/watch.h"

static struct opt_list targets, pids;
static double duration, interval;
static long count, lines = -1, max_rows, maxactive;
static bool all, us, ms, csv, json, own, histogram, timestamp, quiet, skip_missing, net;
static int sort = LAT_TOTAL, clock_choice = -1;
static const char *cpus, *comm, *module, *output;

static const char *const clock_names[] = { "auto", "tsc", "cntvct", "mono", NULL };

static const struct opt opts[] = {
	{ .letter = 't', .name = "target", .type = OPT_LIST, .value = &targets, .arg = "TARGET",
	  .of_target = true,
	  .help = "a function with its keys and filters, as in TARGET, or\n"
		  "a pattern: 'vfs_*', 'ext4:*'; may be repeated" },
	OPTION_SKIP_MISSING(&skip_missing),
	OPTION_ALL(&all),
	OPTION_PID(&pids),
	OPTION_COMM(&comm),
	OPTION_CPUS(&cpus),
	OPTION_DURATION(&duration),
	{ .letter = 'i', .name = "interval", .type = OPT_DOUBLE, .value = &interval,
	  .arg = "SECONDS", .min = 0.01, .max = 1e7,
	  .help = "a table of the calls of each interval, not one at the end" },
	{ .name = "interval-count", .type = OPT_LONG, .value = &count, .arg = "N",
	  .min = 1, .max = 1e9, .help = "stop after so many intervals" },
	{ .letter = 'T', .name = "timestamp", .type = OPT_FLAG, .value = &timestamp,
	  .help = "the time of day above each table" },
	OPTION_US(&us),
	OPTION_MS(&ms),
	{ .letter = 'H', .name = "histogram", .type = OPT_FLAG, .value = &histogram,
	  .help = "draw how the calls of each row are spread, too" },
	{ .name = "net", .type = OPT_FLAG, .value = &net, .help = LAT_NET_HELP },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &sort, .arg = "COLUMN",
	  .choices = lat_sort_names,
	  .help = "order of rows: total (the default), self, calls, avg,\n"
		  "min, p50, p90, p99, max or name" },
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9,
	  .help = "no more than N rows of a table; default 40, of --csv and\n--json all" },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the table as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json,
	  .help = "all of it as JSON, a document for each interval" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "write a recording, too, for report and diff; - is\n"
		  "standard output, and no table" },
	{ .letter = 'q', .name = "quiet", .type = OPT_FLAG, .value = &quiet,
	  .help = "no table, only errors and losses" },
	{ .name = "clock", .type = OPT_CHOICE, .value = &clock_choice, .arg = "CLOCK",
	  .choices = clock_names,
	  .help = "what time is taken from: auto, tsc or cntvct (the counter\nof x86-64, of arm64) or mono (the kernel's clock);\n"
		  "default: as the module is set" },
	OPTION_MAX_ROWS(&max_rows, ""),
	{ .name = "maxactive", .type = OPT_LONG, .value = &maxactive, .arg = "N",
	  .min = 1, .max = 65536,
	  .help = "calls of a target that may be under way at once, where\n"
		  "it is watched by a kretprobe" },
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

static void show(struct watch *w, const struct data *view, struct lat_table *t)
{
	struct lat_output o = {
		.out = stdout, .data = view, .unit = ms ? LAT_MS : us ? LAT_US : LAT_NS,
		.lines = lines < 0 && (csv || json) ? 0 : lines,
		.nr = w->tables, .histogram = histogram, .timestamp = timestamp, .net = net,
		.sort = sort,
	};

	if (quiet)
		return;
	if (net)
		lat_net(t, view);
	lat_sort(t, sort);
	(json ? lat_print_json : csv ? lat_print_csv : lat_print_text)(&o, t);
	fflush(stdout);
}

/* --- the arguments --- */

static int check_options(void)
{
	if (measurement_check(&pids, all, cpus) || targets_check(targets.item, targets.nr))
		return EXIT_USAGE;
	if (us && ms)
		return msg_contradiction("--us", "--ms");
	if (csv && json)
		return msg_contradiction("--csv", "--json");
	if (count && !interval)
		return msg_usage("--interval-count needs intervals: give --interval, too");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct watch w = {
		.pids = &pids, .all = all, .comm = comm, .cpus = cpus, .module = module,
		.clock = clock_choice >= 0 ? clock_names[clock_choice] : NULL,
		.skip_missing = skip_missing, .own = own,
		.max_rows = max_rows, .maxactive = maxactive,
		.duration = duration, .interval = interval, .count = count, .sort = sort,
		/* Include idle CPUs: an interrupt that arrives there takes just as long. */
		.idle_too = true, .output = output, .show = show,
	};
	char **command = argv;
	int ret;

	(void)argc;
	if (option_take_targets(&targets, &command) || check_options())
		return EXIT_USAGE;
	/* Do not print to standard output if the recording goes there. */
	quiet = quiet || (output && !strcmp(output, "-"));
	w.target = targets.item;
	w.nr_targets = targets.nr;
	ret = watch_run(&w, command);
	return command_status(ret, w.measurement.status);
}

const struct verb verb_lat = {
	.name = "lat",
	.args = "TARGET [by=KEY,...] [if=CONDITION] [min=TIME]... [-- COMMAND [ARGUMENT]...]",
	.summary = "Measure the latency of functions, by context",
	.details =
		"Measures each call of TARGET until COMMAND ends, until Ctrl-C, or for --duration,\n"
		"and prints a row for each target and context, with the losses and the cost of\n"
		"the probe below. A KEY is $arg1 to $arg6 (type and dereference as kprobe_events\n"
		"has them: '+0x18($arg1):u32', ':string'), $retval, error, comm, pid, cpu,\n"
		"context, syscall, caller, stack, hits(TARGET), log2(KEY), linear(KEY,STEP), or an\n"
		"argument or member by name: 'count', 'file->f_flags' (see 'kprof list -v').\n"
		"Loads the module where it is not loaded and unloads it afterwards; a module that\n"
		"was there gets its settings back.\n\n"
		"The exit status is COMMAND's. 3: the table is there, but calls were lost.\n\n"
		"Examples:\n"
		"  kprof lat vfs_read by=comm -i 1             who waits for reads, each second\n"
		"  kprof lat allocate_slab 'by=$arg2:u32' -d 10 -H\n"
		"  kprof lat tp:block_rq_issue 'by=log2(rq->__data_len)' -a -d 10\n"
		"  kprof lat -t 'vfs_write min=10us' -o slow.data -- make -j8\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
