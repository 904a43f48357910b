/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * empty.h - where there is nothing to show: say why, and the one command that leads on
 *
 *	struct empty e = { .path = path, .filter = &filter_options, .context = TALLY_ANY };
 *
 *	empty_note(&e, &data);
 *	...
 *	if (!printed)
 *		empty_tell(&e);
 *	empty_free(&e);
 */
#ifndef KPROF_EMPTY_H
#define KPROF_EMPTY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/data.h"
#include "data/filter.h"

struct empty {
	const char *path;	/* "-": standard input; NULL: a recording that is not kept */
	const char *what;	/* that is not left, "no sample"; NULL: "nothing" */
	bool is_text;		/* folded text, not a recording */
	bool has_samples;	/* there are samples or calls, or stacks, whatever was asked for */
	bool is_cut;		/* it was not written to its end */
	bool is_marked;		/* it has only what is between kprof_start() and kprof_stop() */
	uint64_t starts, left_out;	/* calls of the former, and samples outside */
	bool is_wall;		/* its tasks are listed by "report --states" */
	/* What was asked for. */
	const struct filter_options *filter;
	const char *source, *cpus;	/* NULL: any */
	int context;			/* enum kprof_context or TALLY_ANY */
	char *comm;		/* what "record" was restricted to, by empty_note(); or NULL */
};

/* Note what the recording has; of two, what one of them has. */
void empty_note(struct empty *e, const struct data *d);
void empty_free(struct empty *e);

/* Print the message. Returns EXIT_ERROR, for where this is an error. */
int empty_tell(const struct empty *e);

/* The same of a recording that is at hand: all three of these. */
int empty_tell_of(struct empty *e, const struct data *d);

#endif /* KPROF_EMPTY_H */
