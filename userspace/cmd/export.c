// SPDX-License-Identifier: GPL-2.0-only
/*
 * export.c - kprof export: write a recording in a format that other tools read
 */
#include <stdio.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "data/empty.h"
#include "export/export.h"
#include "lib/msg.h"
#include "lib/output.h"

static const char *source, *cpus, *input, *output;
static int context = TALLY_ANY, format = -1;
static struct frames_options frames;
static struct filter_options filter_options;

static const struct opt opts[] = {
	{ .name = "format", .type = OPT_CHOICE, .value = &format, .arg = "FORMAT",
	  .choices = export_names,
	  .help = "what to write: pprof, speedscope, callgrind, folded,\n"
		  "perf-script or chrome" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "where it goes; default standard output" },
	OPTION_INPUT(&input, "the recording, as FILE is"),
	OPTION_SOURCE(&source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&context),
#include "cmd/filter_options.list"
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SRCLINE(&frames.lines),
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

static int export(struct data *d, const char *path, const struct tally_query *query)
{
	struct export e = { .data = d, .path = path, .query = *query };
	struct filter filter = { 0 };
	int ret;

	if (option_check_calls(d, path))
		return EXIT_ERROR;
	ret = filter_open(&filter, d, &filter_options, path);
	e.query.filter = &filter;
	if (!ret)
		ret = tally_check_source(d, source, path);
	if (!ret && output)
		ret = output_redirect(output);
	if (!ret)
		ret = export_write(&e, format);
	if (!ret && e.is_empty)
		tell_empty(d, path);
	filter_close(&filter);
	return ret ? ret : account_warn(d, path);
}

static int which_format(void)
{
	struct buf list = { 0 };
	const char *const *name;
	int ret;

	for (name = export_names; *name; name++)
		buf_printf(&list, "%s%s", name == export_names ? "" : ", ", *name);
	ret = msg_usage("in which format? Give --format and one of %s", list.data);
	buf_free(&list);
	return ret;
}

static int run(int argc, char **argv)
{
	struct tally_query query = { .source = source, .context = context };
	const char *path;
	struct data d;
	int ret;

	if (format < 0)
		return which_format();
	if (option_query_cpus(&query, cpus))
		return EXIT_USAGE;
	ret = option_take_recording(&path, argc, argv, input);
	if (ret)
		return ret;
	ret = frames_open_recording(&d, &frames, path);
	if (!ret)
		ret = export(&d, path, &query);
	data_close(&d);
	return ret;
}

const struct verb verb_export = {
	.name = "export",
	.args = "[FILE]",
	.summary = "Write a recording in a format that other tools read",
	.details =
		"FILE is a recording of 'kprof record', by default kprof.data; - is standard input.\n"
		"The totals are those of 'kprof report'. A warning says what the recording has and the\n"
		"format does not hold. The formats are\n"
		"  pprof        pprof, Pyroscope, Parca and others; compressed by gzip\n"
		"  speedscope   speedscope: JSON, a profile for each thread, in the order of time\n"
		"  callgrind    KCachegrind, callgrind_annotate: costs by function and line\n"
		"  folded       folded text, as 'kprof fold' prints it\n"
		"  perf-script  the text of perf script, as 'kprof script' prints it\n"
		"  chrome       Perfetto, chrome://tracing: JSON, slices of threads in time\n\n"
		"Examples:\n"
		"  kprof export --format pprof -o profile.pb.gz\n"
		"  go tool pprof -http : profile.pb.gz\n",
	.opts = opts,
	.run = run,
};
