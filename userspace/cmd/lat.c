// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat.c - kprof lat: measure the latency of calls, by context
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lat/lat.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "record/kmod.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/snapshot.h"
#include "record/targets.h"

static struct opt_list targets, pids;
static double duration, interval;
static long count, lines = -1, max_rows, maxactive;
static bool all, us, ms, csv, json, histogram, timestamp, quiet, skip_missing, net;
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
	{ .name = "max-rows", .type = OPT_LONG, .value = &max_rows, .arg = "N",
	  .min = 1, .max = 65536, .help = "rows there is room for" },
	{ .name = "maxactive", .type = OPT_LONG, .value = &maxactive, .arg = "N",
	  .min = 1, .max = 65536,
	  .help = "calls of a target that may be under way at once, where\n"
		  "it is watched by a kretprobe" },
	OPTION_MODULE(&module),
	{ 0 }
};

struct run {
	struct measurement measurement;
	struct snapshots measure;
	int tables;		/* printed */
	int out;		/* the recording, or -1 */
};

static void print(struct run *r, const struct data *view, const struct lat_table *t)
{
	struct lat_output o = {
		.out = stdout, .data = view, .unit = ms ? LAT_MS : us ? LAT_US : LAT_NS,
		.lines = lines < 0 && (csv || json) ? 0 : lines,
		.nr = interval ? ++r->tables : 0, .histogram = histogram,
		.timestamp = timestamp, .net = net,
	};

	if (quiet)
		return;
	(json ? lat_print_json : csv ? lat_print_csv : lat_print_text)(&o, t);
	fflush(stdout);
}

/* The calls since the last time are looked at, and shown. */
static int step(struct run *r)
{
	struct lat_table t;
	struct data view;
	int ret = snapshots_step(&r->measure, &t, &view);

	if (!ret && interval) {
		if (net)
			lat_net(&t, &view);
		lat_sort(&t, sort);
		print(r, &view, &t);
	}
	lat_free(&t);
	return ret;
}

/* The last interval ends with the measurement: finish() shows it. */
static int loop(struct run *r)
{
	uint64_t start = record_now_ns(), now;
	uint64_t end = until_deadline(start, duration);
	uint64_t every = interval * 1e9, tick = every ? start + every : UINT64_MAX;
	long done = 0;

	for (;;) {
		now = record_now_ns();
		if (now >= end || until_is_over(&r->measurement.until))
			return EXIT_OK;
		if (now >= tick) {
			if (++done == count)
				return EXIT_OK;
			if (step(r))
				return EXIT_ERROR;
			tick += every * ((now - tick) / every + 1);
			continue;
		}
		if (until_sleep(&r->measurement.until, (tick < end ? tick : end) - now))
			return EXIT_ERROR;
	}
}

static int set_number(struct setup *c, const char *file, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	return value ? setup_set(c, file, text) : EXIT_OK;
}

static int configure(struct run *r)
{
	struct setup *c = &r->measurement.setup;

	if (set_number(c, "max_rows", max_rows) || set_number(c, "maxactive", maxactive) ||
	    (clock_choice >= 0 && setup_set(c, "clock", clock_names[clock_choice])))
		return EXIT_ERROR;
	if (setup_set(c, "event", "none") || setup_set(c, "record", "0") ||
	    setup_set_targets(c, targets.item, targets.nr, skip_missing))
		return EXIT_ERROR;
	/* An interrupt is no less slow for having come to an idle CPU. */
	if (setup_set(c, "idle", "1"))
		return EXIT_ERROR;
	return measurement_filter(&r->measurement, &pids, all, comm, cpus);
}

static void warn_if_stopped(void)
{
	struct buf enabled = { 0 };

	if (!kmod_read("enable", &enabled) && *enabled.data == '0')
		msg_warn("someone else stopped the module: later calls are not in the table");
	buf_free(&enabled);
}

/* Of the whole time: the table, unless intervals were shown, and the recording. */
static int finish(struct run *r)
{
	struct lat_table t;
	int ret;

	ret = step(r);
	if (ret)
		return ret;
	ret = snapshots_total(&r->measure, &t, sort);
	if (!ret && !interval && net) {
		lat_net(&t, &r->measure.result);
		lat_sort(&t, sort);
	}
	if (!ret && !interval)
		print(r, &r->measure.result, &t);
	if (!ret && r->out >= 0 && snapshots_write(&r->measure, r->out))
		ret = msg_error("--output: cannot write '%s': %s", output, strerror(errno));
	if (!ret)
		ret = lat_warn(&r->measure.result, &t, "");
	lat_free(&t);
	return ret;
}

/* Between here and the end calls are measured. */
static int measure(struct run *r, char **command)
{
	int ret = snapshots_begin(&r->measure, command);

	if (ret)
		return ret;
	ret = measurement_start(&r->measurement);
	if (!ret)
		ret = loop(r);
	if (!ret)
		warn_if_stopped();
	if (setup_set(&r->measurement.setup, "enable", "0"))
		ret = EXIT_ERROR;
	return ret ? ret : finish(r);
}

static int open_output(struct run *r)
{
	if (!output)
		return EXIT_OK;
	/* One of the two can have standard output. */
	quiet = quiet || !strcmp(output, "-");
	r->out = output_create(output);
	return r->out < 0 ? EXIT_ERROR : EXIT_OK;
}

/* --- the arguments --- */

/* TARGET [by=...] [if=...] [min=...] TARGET ..., each with what follows it as one text. */
static int take_targets(char **word)
{
	for (; *word && strcmp(*word, "--"); word++) {
		struct buf target = { 0 };

		if (opt_is_of_target(*word))
			return msg_usage("'%s' must follow the target it is for", *word);
		buf_printf(&target, "%s", *word);
		while (word[1] && opt_is_of_target(word[1]))
			buf_printf(&target, " %s", *++word);
		targets.item = mem_realloc(targets.item, targets.nr + 1, sizeof(*targets.item));
		targets.item[targets.nr++] = target.data;
	}
	if (!targets.nr)
		return msg_usage("no target: give the function whose calls are to be measured");
	return EXIT_OK;
}

static int check_options(void)
{
	if (until_check_pids(&pids, all) || targets_check(targets.item, targets.nr))
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
	struct run r = { .out = -1 };
	char **command = argv;
	int ret;

	(void)argc;
	if (take_targets(argv))
		return EXIT_USAGE;
	while (*command && strcmp(*command, "--"))
		command++;
	command += !!*command;
	if (check_options())
		return EXIT_USAGE;
	ret = EXIT_ERROR;
	if (!measurement_begin(&r.measurement, module, command, &pids) && !configure(&r) &&
	    !open_output(&r))
		ret = measure(&r, command);
	snapshots_free(&r.measure);
	if (measurement_end(&r.measurement))
		ret = EXIT_ERROR;
	ret = output_close(r.out, output, ret);
	if (r.out >= 0 && ret == EXIT_ERROR && strcmp(output, "-"))
		unlink(output);		/* there is nothing in it to be read */
	return command_status(ret, r.measurement.status);
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
		"context, syscall, caller, stack, hits(TARGET), log2(KEY), linear(KEY,STEP).\n"
		"Loads the module where it is not loaded and unloads it afterwards; a module that\n"
		"was there gets its settings back.\n\n"
		"The exit status is COMMAND's. 3: the table is there, but calls were lost.\n\n"
		"Examples:\n"
		"  kprof lat vfs_read by=comm -i 1             who waits for reads, each second\n"
		"  kprof lat allocate_slab 'by=$arg2:u32' -d 10 -H\n"
		"  kprof lat -t 'vfs_write min=10us' -o slow.data -- make -j8\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
