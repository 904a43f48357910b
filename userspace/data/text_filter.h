/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_filter.h - select stacks of a text of another program, by what that text tells of them
 *
 * The text of perf script has almost all that a recording has. Folded text and the maps of bpftrace
 * have stacks and names: what they cannot answer is refused, not taken for "no".
 */
#ifndef KPROF_TEXT_FILTER_H
#define KPROF_TEXT_FILTER_H

#include "data/data_fold.h"
#include "data/text_kind.h"

struct text_filter {
	const struct data_fold_options *options;	/* the filter, and the query's part */
	uint64_t seen;		/* stacks that it was asked about */
	/* Private from here on. */
	uint64_t from, to;
	uint32_t *pid;
	int nr_pids;
	const char *refused, *lacks;	/* the option that the text cannot answer, and why */
	enum text_kind kind;
	/* A stack with it was seen. */
	bool has_time, has_pid, has_cpu, has_module, has_event, has_cgroup, has_region;
};

/* What a text tells of a stack. */
struct text_stack {
	struct folded_frame task;		/* its name; text NULL: not known */
	struct folded_frame cgroup, region;	/* of folded text; text NULL: there is none */
	const struct folded_frame *frame;	/* functions, root first */
	const struct folded_frame *module;	/* of each, as perf has it; NULL: in its name */
	size_t nr;
	uint64_t time;				/* ns; of perf script, as are the next */
	uint32_t pid, tid;
	uint32_t cpu;
	bool has_time, has_pid, has_cpu;
};

/* Do the options select a part? */
bool text_filter_is_given(const struct data_fold_options *options);

/*
 * @options must outlive the filter. Returns EXIT_OK, or EXIT_USAGE after a message. Call
 * text_filter_close() in all cases.
 */
int text_filter_open(struct text_filter *t, const struct data_fold_options *options);
void text_filter_close(struct text_filter *t);

/* Does --time count from the first sample, or in parts of the whole? Then it needs both bounds. */
bool text_filter_needs_bounds(const struct text_filter *t);

/* Take the times of the first and of the last sample. Returns as text_filter_open(). */
int text_filter_set_bounds(struct text_filter *t, uint64_t first, uint64_t last);

/* The kind of the text is known. Returns false if it cannot answer: the rest need not be read. */
bool text_filter_set_kind(struct text_filter *t, enum text_kind kind);

bool text_filter_passes(struct text_filter *t, const struct text_stack *stack);

/* The same for the frames of a line of folded text: the task stands before the functions. */
bool text_filter_passes_folded(struct text_filter *t, const struct folded_frame *frame, size_t nr);

/* --source of a text of perf script: is that its event? Without the option: true. */
bool text_filter_passes_event(struct text_filter *t, const char *event, size_t len);

/*
 * At the end of the text: EXIT_OK, or EXIT_USAGE or EXIT_ERROR, after a message which calls it
 * @name, if the text did not tell what was asked about.
 */
int text_filter_check(const struct text_filter *t, const char *name);

#endif /* KPROF_TEXT_FILTER_H */
