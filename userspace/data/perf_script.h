/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_script.h - the text of perf script, as stacks
 *
 * A sample is a line that ends in a colon, "COMM PID [CPU] SECONDS: WEIGHT EVENT:", its frames
 * below it, the innermost first, "ADDRESS SYMBOL+0xOFFSET (MODULE)", and an empty line. As
 * stackcollapse-perf.pl does, each sample counts as one, and of several events only the
 * one that comes first is taken.
 */
#ifndef KPROF_PERF_SCRIPT_H
#define KPROF_PERF_SCRIPT_H

#include "data/folded.h"

/* Zero-initialise. */
struct perf_script {
	bool in_sample, is_left_out;
	struct buf event;	/* that is taken; "" before the first sample */
	uint64_t left_out;	/* samples of other events */
	struct buf names;	/* of the task and of the frames, each with a NUL */
	size_t nr;
	const char **frame;	/* private, for handing them on */
	size_t room;
};

/* Does a sample begin with this line? A line of folded text ends in a count. */
bool perf_script_begins(const char *line, size_t len);

/* Take a line; false: it is none of such a text. */
bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len);

/* The last sample, which may have no empty line behind it. */
void perf_script_end(struct perf_script *s, struct folded *f);
void perf_script_free(struct perf_script *s);

#endif /* KPROF_PERF_SCRIPT_H */
