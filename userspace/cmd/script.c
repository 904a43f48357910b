// SPDX-License-Identifier: GPL-2.0-only
/*
 * script.c - kprof script: print the samples of a recording one by one, in order of time
 */
#include <stdio.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "data/cgroups.h"
#include "data/empty.h"
#include "lib/pager.h"
#include "report/script.h"

static const char *source, *cpus, *input;
static int context = TALLY_ANY;
static bool cgroups;
static struct frames_options frames;
static struct filter_options filter_options;

static const struct opt opts[] = {
	OPTION_INPUT(&input, "the recording, as FILE is"),
	OPTION_SOURCE(&source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&context),
#include "cmd/filter_options.list"
	{ .name = "cgroups", .type = OPT_FLAG, .value = &cgroups,
	  .help = "the cgroup of the task behind each event, of 'kprof record\n"
		  "--cgroups'; as 'perf script -F +cgroup' prints it" },
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SRCLINE(&frames.lines),
	OPTION_NO_PAGER,
	{ 0 }
};

static void tell_empty(const struct data *d, const char *path)
{
	struct empty empty = {
		.path = path, .filter = &filter_options, .source = source, .cpus = cpus,
		.context = context,
	};

	empty_tell_of(&empty, d);
}

static int script(struct data *d, const char *path, struct tally_query *query)
{
	struct filter filter = { 0 };
	struct pager pager;
	int64_t printed;
	FILE *out;
	int ret;

	if (option_check_calls(d, path))
		return EXIT_ERROR;
	ret = filter_open(&filter, d, &filter_options, path);
	if (!ret && cgroups)
		ret = cgroups_check(d, path);
	query->filter = &filter;
	if (!ret)
		ret = tally_check_source(d, source, path);
	if (!ret) {
		out = pager_begin(&pager);
		printed = script_print(d, query, cgroups, out);
		pager_end(&pager);
		if (!printed)
			tell_empty(d, path);
	}
	filter_close(&filter);
	return ret ? ret : account_warn(d, path);
}

static int run(int argc, char **argv)
{
	const char *path;
	struct tally_query query = { .source = source, .context = context };
	struct data d;
	int ret;

	if (option_query_cpus(&query, cpus))
		return EXIT_USAGE;
	ret = option_take_recording(&path, argc, argv, input);
	if (ret)
		return ret;
	ret = frames_open_recording(&d, &frames, path);
	if (!ret)
		ret = script(&d, path, &query);
	data_close(&d);
	return ret;
}

const struct verb verb_script = {
	.name = "script",
	.args = "[FILE]",
	.summary = "Print the samples of a recording one by one, in the order of time",
	.details =
		"FILE is a recording of 'kprof record', by default kprof.data; - is standard input.\n"
		"The text is that of 'perf script', so what reads the one reads the other: a line\n"
		"COMM PID [CPU] SECONDS: WEIGHT EVENT:, then the stack, a line each from the\n"
		"function that ran to the outermost caller. The weight is nanoseconds of the timer\n"
		"and of a call that returned (EVENT__return), and events of a counter. Seconds are of\n"
		"CLOCK_MONOTONIC, as in the kernel's traces.\n\n"
		"Examples:\n"
		"  kprof script | stackcollapse-perf.pl | flamegraph.pl > flame.svg\n"
		"  kprof script --time +1,+1.5 --comm nginx\n",
	.opts = opts,
	.hints = hints_of_script,
	.run = run,
};
