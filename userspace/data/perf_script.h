/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_script.h - parse the output of perf script into stacks
 *
 * A sample is a line "COMM PID [CPU] SECONDS: WEIGHT EVENT: TEXT", followed by its frames,
 * innermost first, "ADDRESS SYMBOL+0xOFFSET (MODULE)", and an empty line. Weight and event may be
 * missing; the text is that of a tracepoint, or the only frame. As in stackcollapse-perf.pl, a
 * sample counts as much as its weight, perf's period; if there are several events, only samples of
 * the event that comes first are taken, or of the one that the filter is for. What else perf was
 * asked to print is passed over: PERF_RECORD_MMAP2 and the like, and source lines.
 */
#ifndef KPROF_PERF_SCRIPT_H
#define KPROF_PERF_SCRIPT_H

#include "data/text_filter.h"

/* Zero-initialise, but for @filter. */
struct perf_script {
	struct text_filter *filter;	/* NULL: all samples are taken */
	bool in_sample, is_left_out;
	bool has_event;		/* there was a sample */
	struct buf event;	/* the event that is taken; "" if the text does not say */
	uint64_t left_out;	/* samples of other events */
	uint64_t weight;	/* of this sample */
	struct buf names;	/* of the task and of the frames, each with a NUL */
	size_t nr;
	/* Private from here on. */
	struct buf modules;	/* with a filter: of the same */
	struct folded_frame *frame, *module;	/* both as arrays */
	size_t room, module_room;
	struct text_stack sample;	/* of its first line */
};

/* Does this line begin the header of perf script --header, whose lines all begin with '#'? */
bool perf_script_is_header(const char *line, size_t len);

/* Is this the first line of a sample? No if it ends in a count, as folded text does. */
bool perf_script_begins(const char *line, size_t len);

/* If it is the first line of a sample, take its time in ns. */
bool perf_script_time(const char *line, size_t len, uint64_t *time);

/* Parse a line. Returns false if it is not a line of such a text. */
bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len);

/* Count the last sample, which need not be followed by an empty line. */
void perf_script_end(struct perf_script *s, struct folded *f);
void perf_script_free(struct perf_script *s);

#endif /* KPROF_PERF_SCRIPT_H */
