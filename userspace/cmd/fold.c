// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold.c - kprof fold: convert a recording to folded stacks
 */
#include <stdio.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/stacks.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "wall/wall.h"

static bool by_pid, ns, samples, full_address, annotate, delimit, wall, chain, regions,
	    cgroups;
static const char *source, *cpus, *input;
static int context = TALLY_ANY, format = TEXT_AUTO;
static struct frames_options frames;
static struct filter_options filter_options;

static const struct opt opts[] = {
	{ .name = "by-pid", .type = OPT_FLAG, .value = &by_pid,
	  .help = "tell threads apart: the first frame is COMM-PID" },
	OPTION_INPUT(&input, "the recording or text, as FILE is"),
	OPTION_FORMAT(&format),
	OPTION_WALL(&wall),
	OPTION_CHAIN(&chain),
	OPTION_REGIONS(&regions),
	OPTION_CGROUPS(&cgroups),
	OPTION_NS(&ns),
	OPTION_SAMPLES(&samples),
	OPTION_SOURCE(&source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&context),
#include "cmd/filter_options.list"
	{ .name = "full-address", .type = OPT_FLAG, .value = &full_address,
	  .help = "frames as NAME+0xOFFSET" },
	OPTION_ANNOTATIONS(&annotate),
	OPTION_DELIMITED(&delimit),
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SRCLINE(&frames.lines),
	{ 0 }
};

/* Is an option given that needs a recording? Folded text does not have that data. */
static bool asks_for_part(void)
{
	return by_pid || ns || samples || full_address || annotate || delimit || regions || cgroups;
}

static int run(int argc, char **argv)
{
	struct data_fold_options options = {
		.query = {
			.by_pid = by_pid,
			.by_region = regions,
			.source = source,
			.context = context,
		},
		.by_cgroup = cgroups,
		.full_address = full_address,
		.annotate = annotate,
		.delimit = delimit,
		.frames = &frames,
		.text_kind = (enum text_kind)format,
		.filter = &filter_options,
		.recording_only = asks_for_part() ?
			"--by-pid, --regions, --cgroups, --ns, --samples, --annotations, --delimited and "
			"--full-address" :
			frames_options_given(&frames),
	};
	const char *path;
	struct empty empty = {
		.is_text = true, .is_wall = wall, .filter = &filter_options,
		.source = source, .cpus = cpus, .context = context,
	};
	struct folded folded;
	int ret;

	if (data_count_of_options(ns, samples, &options.count) ||
	    option_query_cpus(&options.query, cpus) ||
	    option_check_wall(wall, chain, &options, &filter_options))
		return EXIT_USAGE;
	/* As 'kprof flame' does, and stackcollapse-perf.pl. */
	if (!argc && !input && input_is_given())
		input = "-";
	ret = option_take_recording(&path, argc, argv, input);
	if (ret)
		return ret;
	empty.path = path;
	options.empty = &empty;
	folded_init(&folded, FOLDED_MERGE);
	ret = wall ? wall_fold_file(path, &options, chain, &folded) :
		     stacks_load(path, &options, &folded);
	if (ret == EXIT_OK || ret == EXIT_LOST) {
		folded_write(&folded, stdout);
		if (folded_is_empty(&folded))
			empty_tell(&empty);
	}
	empty_free(&empty);
	folded_free(&folded);
	return ret;
}

const struct verb verb_fold = {
	.name = "fold",
	.args = "[FILE]",
	.summary = "Print the stacks of a recording, or of folded text, as folded text",
	.details =
		"FILE is a recording of 'kprof record', or folded text, whose equal stacks are put\n"
		"together, or what 'perf script' or bpftrace prints. Without one, standard input is\n"
		"read if it is a pipe or a file, as in 'perf script | kprof fold'; else, as on a\n"
		"terminal or with </dev/null, kprof.data. - is standard input, whatever it is.\n"
		"Each line is a stack, root first, and its count: COMM;ROOT;...;LEAF COUNT.\n"
		"With several sources, the first frame names the source. The count is nanoseconds\n"
		"of samples of the timer and of calls, events of a counter, or calls where none has\n"
		"a time, as at a point. Where sources have several units, a line says which is shown.\n"
		"--wall shows where all the time of each task went, of 'kprof record --wall'.\n\n"
		"Examples:\n"
		"  kprof fold | kprof flame --countname ns > flame.svg\n"
		"  kprof fold --source timer --context softirq\n",
	.opts = opts,
	.run = run,
};
