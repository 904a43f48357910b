// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold.c - kprof fold: a recording as folded stacks
 */
#include <stdio.h>

#include "cmd/verbs.h"
#include "data/stacks.h"
#include "lib/msg.h"

static const char *const contexts[] = { "any", "task", "softirq", "hardirq", "nmi", NULL };

static bool by_pid, ns, samples, full_address;
static const char *source;
static long cpu = TALLY_ANY;
static int context;
static struct frames_options frames;

static const struct opt opts[] = {
	{ .letter = 'p', .name = "pid", .type = OPT_FLAG, .value = &by_pid,
	  .help = "tell threads apart: the first frame is COMM-PID" },
	{ .letter = 'n', .name = "ns", .type = OPT_FLAG, .value = &ns,
	  .help = DATA_NS_HELP },
	{ .name = "samples", .type = OPT_FLAG, .value = &samples, .help = DATA_SAMPLES_HELP },
	{ .letter = 's', .name = "source", .type = OPT_STRING, .value = &source, .arg = "NAME",
	  .help = "only this source: timer, or a target" },
	{ .letter = 'C', .name = "cpu", .type = OPT_LONG, .value = &cpu, .arg = "N", .max = 65535,
	  .help = "only samples of this CPU" },
	{ .letter = 'c', .name = "context", .type = OPT_CHOICE, .value = &context,
	  .arg = "CONTEXT", .choices = contexts,
	  .help = "only samples that interrupted this: task, softirq,\n"
		  "hardirq or nmi; default any" },
	{ .letter = 'a', .name = "full-address", .type = OPT_FLAG, .value = &full_address,
	  .help = "frames as NAME+0xOFFSET" },
	{ .name = "index", .type = OPT_STRING, .value = &frames.index, .arg = "FILE",
	  .help = FRAMES_INDEX_HELP },
	{ .name = "no-inline", .type = OPT_FLAG, .value = &frames.no_inline,
	  .help = FRAMES_NO_INLINE_HELP },
	{ .name = "srcline", .type = OPT_FLAG, .value = &frames.lines,
	  .help = FRAMES_SRCLINE_HELP },
	{ 0 }
};

/* Folded text has none of what these options ask for. */
static bool asks_for_part(void)
{
	return by_pid || ns || samples || source || full_address || cpu != TALLY_ANY || context;
}

static int run(int argc, char **argv)
{
	struct data_fold_options options = {
		.query = {
			.by_pid = by_pid,
			.source = source,
			.cpu = cpu,
			.context = context ? context - 1 : TALLY_ANY,
		},
		.full_address = full_address,
		.frames = &frames,
		.recording_only = asks_for_part() ?
			"--pid, --ns, --samples, --source, --cpu, --context and --full-address" :
			frames_options_given(&frames),
	};
	const char *path = argc ? argv[0] : "kprof.data";
	struct folded folded;
	int ret;

	if (argc > 1)
		return msg_usage("one recording at a time, not also '%s'", argv[1]);
	if (data_count_of_options(ns, samples, &options.count))
		return EXIT_USAGE;
	folded_init(&folded, FOLDED_MERGE);
	ret = stacks_load(path, &options, &folded);
	if (ret == EXIT_OK || ret == EXIT_LOST)
		folded_write(&folded, stdout);
	folded_free(&folded);
	return ret;
}

const struct verb verb_fold = {
	.name = "fold",
	.args = "[FILE]",
	.summary = "Print the stacks of a recording, or of folded text, as folded text",
	.details =
		"FILE is a recording of 'kprof record', by default kprof.data, or folded text, whose\n"
		"equal stacks are put together; - is standard input.\n"
		"Each line is a stack, root first, and its count: COMM;ROOT;...;LEAF COUNT.\n"
		"With several sources, the first frame names the source. The count is nanoseconds\n"
		"where the timer took samples, events of a counter, or else calls.\n\n"
		"Examples:\n"
		"  kprof fold | kprof flame --countname ns > flame.svg\n"
		"  kprof fold --source timer --context softirq\n",
	.opts = opts,
	.run = run,
};
