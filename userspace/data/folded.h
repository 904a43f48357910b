/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.h - a set of stacks with counts: what folded text says, as a tree of calls
 *
 * Folded text has a line for each stack, "root;caller;leaf COUNT", or with two
 * counts, before and after, for a differential. It is read into a tree whose
 * nodes are call paths: equal stacks meet in one node, common prefixes are held
 * once.
 *
 *	struct folded f;
 *
 *	folded_init(&f, FOLDED_MERGE);
 *	folded_add(&f, frames, nr, 42);
 *	folded_write(&f, stdout);
 *	folded_free(&f);
 */
#ifndef KPROF_FOLDED_H
#define KPROF_FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/hash.h"
#include "lib/input.h"
#include "lib/strtab.h"

/*
 * Counts are whole numbers up to 2^64 (nanoseconds add up beyond 2^53), but
 * other people's folded text may hold fractions: this type has room for both,
 * exactly, on x86-64 (64 bits of mantissa) and on arm64 (113).
 */
typedef long double folded_count;

#define FOLDED_PRINTED_AS_0	0.0000005L	/* and what is less */

enum folded_mode {
	FOLDED_MERGE = 0,	/* equal stacks meet, wherever they stand */
	FOLDED_IN_ORDER = 1,	/* only neighbours meet: a chart of time */
	FOLDED_LEAF_FIRST = 2,	/* stacks are turned round: the leaf is the root */
};

/* Node 0 is above all roots and has the empty name. Children are younger than parents. */
struct folded_node {
	uint32_t name;
	uint32_t parent;
};

struct folded_self {
	folded_count before, after;	/* of the stacks that end in the node */
};

/* Is it more than would be printed as 0? */
static inline bool folded_has_count(const struct folded_self *self)
{
	return self->before > FOLDED_PRINTED_AS_0 || self->after > FOLDED_PRINTED_AS_0;
}

struct folded {
	unsigned int mode;	/* of enum folded_mode */
	bool differential;	/* a line had two counts; one alone is "after" */
	folded_count total;	/* of all stacks, after */
	uint64_t lines;		/* read by folded_parse() and folded_read() */
	uint64_t bad_lines;	/* of these, no stack: reported and not in the set */

	struct folded_node *node;	/* and of each node, apart to keep these small: */
	struct folded_self *self;
	folded_count *start;	/* FOLDED_IN_ORDER: the counts of what came earlier */
	uint32_t nr_nodes;
	struct strtab names;	/* without ';', and fit to be shown: see escape.h */

	/* Private to folded.c: */
	size_t node_room, self_room, start_room;
	struct hash nodes;
	uint32_t *path;			/* the stack added last */
	size_t depth, path_room;
};

void folded_init(struct folded *f, unsigned int mode);
void folded_free(struct folded *f);

/*
 * Count a stack, its root first. Names are made fit for folded text: ';' is
 * replaced, as is a space that would make a name's end look like a count
 * ("x 1"); an empty name becomes "[unknown]".
 */
void folded_add(struct folded *f, const char *const *frames, size_t nr, uint64_t count);

/*
 * The node below @parent (0: a root) by its name, made fit likewise, but not of FOLDED_IN_ORDER;
 * 0: none.
 */
uint32_t folded_find(const struct folded *f, uint32_t parent, const char *name);

/* The count (after) of each node with all that it called; to be freed. */
folded_count *folded_totals(const struct folded *f);

/*
 * All nodes, parents before children, siblings in the order of their lines in
 * sorted folded text (in FOLDED_IN_ORDER: of their time); to be freed.
 */
uint32_t *folded_walk(const struct folded *f);

/* --- a stack step by step, for who reads folded text --- */

/* A name where it stands in the text; no NUL. */
struct folded_frame {
	const char *text;
	uint32_t len;
};

/*
 * Step from path[depth - 1] to the frame below it and put its node into
 * path[depth]. What the path has beyond stays when the node is the same.
 */
uint32_t folded_step_to(struct folded *f, size_t depth, const struct folded_frame *frame);

/* Count the stack path[0] to path[depth - 1]. */
void folded_count_path(struct folded *f, size_t depth, const struct folded_self *count);

/* --- text --- */

/* Would the end of a stack be read as a count, where one follows it? */
bool folded_ends_in_count(const char *text, size_t len);

/*
 * Read folded text from memory, where @from names it in messages, or from an input.
 * A line that is no stack with a count is reported and counted in bad_lines; a count
 * has to be a number up to 2^63. folded_read() returns 0 or, after a message,
 * EXIT_ERROR: where it cannot be read, or is no text (it has a NUL, or a line longer
 * than FOLDED_LINE_MAX).
 */
#define FOLDED_LINE_MAX	(4u << 20)

void folded_parse(struct folded *f, const char *text, size_t len, const char *from);
int folded_read(struct folded *f, struct input *in);

/* Write the set as sorted folded text: 0 or, where the output fails, -1. */
int folded_write(const struct folded *f, FILE *out);

#endif /* KPROF_FOLDED_H */
