/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - options that several verbs share, each described once
 *
 * A letter stands for the same long name in every verb, and a long name means the same thing in
 * every verb. Exceptions are --module: for verbs that need the module it is the file to load,
 * for verbs that read a recording it is a filter; -d, -b and -n of top, which are as top(1)
 * has them; -e of inject, which is as strace(1) has it; -i of verbs that read a recording, which is
 * as perf has it; and -d of fold and flame, which is as profile-bpfcc(8) has it. Each macro is an
 * entry of a table of options; its argument is a pointer to the value.
 */
#ifndef KPROF_OPTIONS_H
#define KPROF_OPTIONS_H

#include "data/data_fold.h"
#include "data/data_unit.h"
#include "data/filter.h"
#include "data/frames.h"
#include "data/tally.h"
#include "data/text_kind.h"
#include "lib/buf.h"
#include "lib/cpus.h"
#include "lib/opt.h"
#include "lib/pager.h"

/* --- what is measured: record, lat, explain, stat --- */

#define OPTION_ALL(to) \
	{ .letter = 'a', .name = "all", .type = OPT_FLAG, .value = (to), \
	  .help = "the whole system, not only COMMAND" }
#define OPTION_PID(to) \
	{ .letter = 'p', .name = "pid", .type = OPT_LIST, .value = (to), .arg = "PID", \
	  .help = "only this process and its descendants; may be repeated" }
#define OPTION_COMM(to) \
	{ .name = "comm", .type = OPT_STRING, .value = (to), .arg = "LIST", \
	  .help = "only tasks of these names; shell patterns, with commas" }
#define OPTION_CPUS(to) \
	{ .letter = 'C', .name = "cpus", .type = OPT_STRING, .value = (to), .arg = "LIST", \
	  .help = "only these CPUs, such as 0-2,5" }
#define OPTION_DURATION(to) \
	{ .letter = 'd', .name = "duration", .type = OPT_DOUBLE, .value = (to), \
	  .arg = "SECONDS", .min = 0.001, .max = 1e7, \
	  .help = "stop after this time, and end COMMAND" }
#define OPTION_SKIP_MISSING(to) \
	{ .name = "skip-missing", .type = OPT_FLAG, .value = (to), \
	  .help = "leave out targets that cannot be watched, with a line" }
/* As many as the module takes. */
#define OPTION_MAX_ROWS(to, by_default) \
	{ .name = "max-rows", .type = OPT_LONG, .value = (to), .arg = "N", \
	  .min = 1, .max = 65535, .help = "rows there is room for" by_default }
#define OPTION_OWN(to) \
	{ .name = "own", .type = OPT_FLAG, .value = (to), \
	  .help = "do not leave out what kprof itself does" }
#define OPTION_MODULE(to) \
	{ .name = "module", .type = OPT_STRING, .value = (to), .arg = "FILE", \
	  .help = "the kprof.ko to load where it is not loaded yet;\n" \
		  "default $KPROF_MODULE, or where it is installed" }

/* --- which part of a recording: report, fold, flame --- */

#define OPTION_INPUT(to, what) \
	{ .letter = 'i', .name = "input", .type = OPT_STRING, .value = (to), .arg = "FILE", \
	  .help = what }

#define OPTION_SOURCE(to) \
	{ .name = "source", .type = OPT_STRING, .value = (to), .arg = "NAME", \
	  .help = "only this source: timer, or a target" }
#define OPTION_CONTEXT(to) \
	{ .name = "context", .type = OPT_CHOICE, .value = (to), .arg = "CONTEXT", \
	  .choices = tally_contexts, \
	  .help = "only samples that interrupted this: task, softirq,\nhardirq or nmi" }

#define OPTION_FORMAT(to) \
	{ .name = "format", .type = OPT_CHOICE, .value = (to), .arg = "FORMAT", \
	  .choices = text_kind_words, \
	  .help = "which program printed the text: auto (the default), folded,\n" \
		  "perf, bpftrace, bpftrace-json or list" }

#define OPTION_WALL(to) \
	{ .name = "wall", .type = OPT_FLAG, .value = (to), \
	  .help = "where the time of each task went, of 'kprof record --wall':\n" \
		  "[running], [runnable] or blocked; the width is time" }
#define OPTION_CHAIN(to) \
	{ .name = "chain", .type = OPT_FLAG, .value = (to), \
	  .help = "with --wall: what a task is blocked by, over several hops" }

#define OPTION_REGIONS(to) \
	{ .name = "regions", .type = OPT_FLAG, .value = (to), \
	  .help = "a frame for the region of its program that a sample is in,\n" \
		  "of 'kprof record --regions'" }

#define OPTION_CGROUPS(to) \
	{ .name = "cgroups", .type = OPT_FLAG, .value = (to), \
	  .help = "a first frame for the cgroup of the task, of\n'kprof record --cgroups'" }

#define OPTION_NS(to) \
	{ .name = "ns", .type = OPT_FLAG, .value = (to), .help = DATA_NS_HELP }
#define OPTION_SAMPLES(to) \
	{ .name = "samples", .type = OPT_FLAG, .value = (to), .help = DATA_SAMPLES_HELP }

/* For the verbs that use span/, in addition to span_options.list. */
#define OPTION_SPAN_SORT \
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &span_options.sort, \
	  .arg = "COLUMN", .choices = span_sort_names, \
	  .help = "order of rows: time (the default), count, avg, max or name" }
#define OPTION_SPAN_BY_PROCESS(what) \
	{ .name = "by-process", .type = OPT_FLAG, .value = &span_options.by_process, \
	  .help = "a row for each " what }
#define OPTION_SPAN_STACKS(whose) \
	{ .name = "stacks", .type = OPT_FLAG, .value = &span_options.stacks, \
	  .help = whose " stack below each row, innermost function first" }
#define OPTION_SPAN_CALLERS(what) \
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &span_options.callers, \
	  .help = what " of the program" }

/* Mark kernel and user parts of a stack, as profile-bpfcc does. */
#define OPTION_ANNOTATIONS(to) \
	{ .name = "annotations", .type = OPT_FLAG, .value = (to), \
	  .help = "end the names of the kernel's functions in _[k]" }
#define OPTION_DELIMITED(to) \
	{ .letter = 'd', .name = "delimited", .type = OPT_FLAG, .value = (to), \
	  .help = "put a frame - between user and kernel stack" }

/* Debug information: struct frames_options. */
#define OPTION_INDEX(to) \
	{ .name = "index", .type = OPT_STRING, .value = (to), .arg = "FILE", \
	  .help = FRAMES_INDEX_HELP }
#define OPTION_NO_INLINE(to) \
	{ .name = "no-inline", .type = OPT_FLAG, .value = (to), .help = FRAMES_NO_INLINE_HELP }
#define OPTION_SRCLINE(to) \
	{ .name = "srcline", .type = OPT_FLAG, .value = (to), .help = FRAMES_SRCLINE_HELP }

/* --- output: report, script, annotate, diff --- */

#define OPTION_NO_PAGER \
	{ .name = "no-pager", .type = OPT_FLAG, .value = &pager_is_off, \
	  .help = "without a pager on a terminal, as with PAGER=cat" }

/* --- how latencies are shown: lat, report, diff --- */

#define OPTION_US(to) \
	{ .letter = 'u', .name = "us", .type = OPT_FLAG, .value = (to), \
	  .help = "latencies in microseconds, not nanoseconds" }
#define OPTION_MS(to) \
	{ .letter = 'm', .name = "ms", .type = OPT_FLAG, .value = (to), \
	  .help = "latencies in milliseconds" }

/* Restrict a query to the CPUs of --cpus, if given. EXIT_OK, or EXIT_USAGE after a message. */
int option_query_cpus(struct tally_query *query, const char *list);

/* Refuse options that do not go with --wall or --chain. EXIT_OK, or EXIT_USAGE after a message. */
int option_check_wall(bool wall, bool chain, const struct data_fold_options *options,
		      const struct filter_options *filter);

/*
 * The recording of a verb that was given none: kprof.data. Returns EXIT_OK, or EXIT_ERROR after a
 * message if it is not there.
 */
int option_default_recording(const char **path);

/* The operand, or what --input has, or the default. Returns as that does, or EXIT_USAGE. */
int option_take_recording(const char **path, int argc, char **argv, const char *input);

/*
 * Has a recording single samples or calls, unlike a measurement of kprof lat? Returns EXIT_OK, or
 * EXIT_ERROR after a message.
 */
int option_check_calls(const struct data *d, const char *path);

/* Append the options of a table that were given and say what is measured: whose, how long. */
void option_add_measured(struct buf *to, const struct opt *opts);

/* Append a word of a command to paste, after a space; "..." if it is none that can be pasted. */
void option_add_word(struct buf *to, const char *word);
/* Append all of them, up to NULL. */
void option_add_words(struct buf *to, char **words);

/*
 * Parse operands TARGET [by=...] [if=...] [min=...] TARGET ... [-- COMMAND...]. Each target is
 * joined with its by=, if= and min= into one string. Those of the last one alone are said to be its
 * alone. *@word is set to the command, which may be empty. Returns EXIT_OK, or EXIT_USAGE after a
 * message.
 */
int option_take_targets(struct opt_list *targets, char ***word);

#endif /* KPROF_OPTIONS_H */
