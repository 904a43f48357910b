/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_script.h - parse the output of perf script into stacks
 *
 * A sample is a head, followed by its frames, innermost first, and an empty line; see perf_line.h.
 * As in stackcollapse-perf.pl, a sample counts as much as its weight, perf's period; if there are
 * several events, only samples of the event that comes first are taken, or of the one that the
 * filter is for. What else perf was asked to print is passed over: source lines, and
 * PERF_RECORD_MMAP2 and the like, but for the records that tell how many samples perf has lost.
 */
#ifndef KPROF_PERF_SCRIPT_H
#define KPROF_PERF_SCRIPT_H

#include "data/perf_line.h"
#include "data/text_filter.h"

/* Zero-initialise, but for @filter. */
struct perf_script {
	struct text_filter *filter;	/* NULL: all samples are taken */
	/* Private from here on. */
	bool in_sample, is_left_out;
	bool in_record;		/* the last head was one of another record */
	bool has_tab;		/* frames of the sample begin with one */
	bool has_head_frame;	/* the only frame yet is that of the head */
	bool has_event;		/* there was a sample */
	struct buf event;	/* the event that is taken; "" if the text does not say */
	uint64_t weight;	/* of this sample */
	struct buf names;	/* of the task and of the frames, each with a NUL */
	struct buf modules;	/* with a filter: of the same */
	size_t nr;
	struct folded_frame *frame, *module;	/* both as arrays */
	size_t room, module_room;
	struct text_stack sample;	/* of its first line */
	/* What perf_script_finish() has to tell, and the number of the first such line. */
	uint64_t samples;		/* that are taken */
	uint64_t left_out, lost;
	uint64_t with_stack;		/* samples */
	uint64_t frames;
	uint64_t nameless, nameless_line;	/* frames without a symbol and a file */
	uint64_t doubtful, doubtful_line;	/* heads */
	struct folded_odd headless;	/* frames behind no head */
	struct folded_odd no_address;	/* what may be frames */
	struct buf host;		/* of the first header */
	uint64_t other_hosts;
};

/* Does this line begin the header of perf script --header, whose lines all begin with '#'? */
bool perf_script_is_header(const char *line, size_t len);

/* If it is the head of a sample, take its time in ns. */
bool perf_script_time(const char *line, size_t len, uint64_t *time);

/* Parse line number @nr. Returns false if it is not a line of such a text. */
bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len,
		      uint64_t nr);

/*
 * Count the last sample, which need not be followed by an empty line, and say what the text, which
 * messages call @from, lacks. Returns EXIT_OK; EXIT_ERROR if it has no name of any function, or no
 * sample.
 */
int perf_script_finish(struct perf_script *s, struct folded *f, const char *from);
void perf_script_free(struct perf_script *s);

#endif /* KPROF_PERF_SCRIPT_H */
