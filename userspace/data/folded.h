/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.h - a set of stacks with counts, kept as a call tree; reads and writes folded text
 *
 * Folded text has a line for each stack, "root;caller;leaf COUNT", or with two
 * counts, before and after, for a differential. It is read into a tree whose
 * nodes are call paths: equal stacks share a node, and common prefixes are
 * stored once.
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
#include <string.h>

#include "lib/hash.h"
#include "lib/strtab.h"

/*
 * Counts of kprof are whole numbers up to 2^64 (sums of nanoseconds exceed
 * 2^53), but the folded text of other tools may have fractions. This type
 * holds whole numbers of that size exactly, both on x86-64 (64 bits of
 * mantissa) and on arm64 (113), and fractions as well.
 */
typedef long double folded_count;

#define FOLDED_PRINTED_AS_0	0.0000005L	/* counts up to this are printed as 0 */

enum folded_mode {
	FOLDED_MERGE = 0,	/* merge equal stacks, wherever they are */
	FOLDED_IN_ORDER = 1,	/* merge only neighbours, for a flame chart */
	FOLDED_LEAF_FIRST = 2,	/* reverse stacks: the leaf becomes the root */
};

/* Node 0 is above all roots; its name is empty. A child's index is larger than its parent's. */
struct folded_node {
	uint32_t name;
	uint32_t parent;
};

struct folded_self {
	folded_count before, after;	/* of the stacks that end in the node */
};

/* Would one of the counts be printed as more than 0? */
static inline bool folded_has_count(const struct folded_self *self)
{
	return self->before > FOLDED_PRINTED_AS_0 || self->after > FOLDED_PRINTED_AS_0;
}

/* The name of a frame. A NUL need not follow. */
struct folded_frame {
	const char *text;
	uint32_t len;
};

/*
 * "[timer]": is this the source of a stack, which stands before the task? A thread of
 * async-profiler is in brackets, too: "[main tid=501]".
 */
bool folded_is_source(const char *name, size_t len);

static inline struct folded_frame folded_frame(const char *name)
{
	return (struct folded_frame){ .text = name, .len = (uint32_t)strlen(name) };
}

/* How often a text had something that nobody can mean, and the number of the first such line. */
struct folded_odd {
	uint64_t nr, line;
};

static inline void folded_note_odd(struct folded_odd *odd, uint64_t line)
{
	if (!odd->nr++)
		odd->line = line;
}

struct folded {
	unsigned int mode;	/* of enum folded_mode */
	bool differential;	/* a line had two counts; a single count is "after" */
	folded_count total;	/* sum of the "after" counts of all stacks */
	uint64_t lines;		/* of the text that was read */
	uint64_t bad_lines;	/* lines that are not stacks: reported, not in the set */
	struct folded_odd nameless;	/* frames without a name */
	struct folded_odd stackless;	/* counts without a stack */
	struct folded_odd not_utf8;	/* names with bytes that are not UTF-8 */

	struct folded_node *node;
	struct folded_self *self;	/* by node; a separate array keeps nodes small */
	folded_count *start;	/* FOLDED_IN_ORDER: by node, the total of everything before it */
	uint32_t nr_nodes;
	struct strtab names;	/* without ';', and escaped: see escape.h */

	/* Private to folded.c: */
	size_t node_room, self_room, start_room;
	struct hash nodes;
	uint32_t *path;			/* the stack added last */
	size_t depth, path_room;
};

void folded_init(struct folded *f, unsigned int mode);
void folded_free(struct folded *f);

/*
 * Count a stack, root first. Names are adapted to folded text: ';' is replaced. An empty name
 * becomes "[unknown]".
 */
void folded_add(struct folded *f, const struct folded_frame *frames, size_t nr, uint64_t count);

/*
 * Add the stacks of another set, which has single counts and is not FOLDED_IN_ORDER, as one side of
 * a differential: as "before" or as "after" counts. Copies of a function that a compiler has made
 * are the function; see compiler_clone.h.
 */
void folded_add_side(struct folded *f, const struct folded *from, bool before);

/* Is one of the names that of such a copy? */
bool folded_has_clones(const struct folded *f);

/* --- of a differential (folded_apart.c) --- */

/* Multiply all "before" counts. */
void folded_scale_before(struct folded *f, folded_count by);

/* Zero-initialise. */
struct folded_apart {
	uint32_t node;		/* the root of them; 0: there is none */
	size_t nr;		/* how many stacks */
	folded_count count;	/* what they had before */
};

/*
 * Find the stacks whose leaf has no "after" count, nor has what it calls: a frame of no width. Put
 * them below a root of the name @root, where they are as wide as they were before; NULL: only count
 * them. Not with FOLDED_IN_ORDER.
 */
void folded_set_apart(struct folded *f, const char *root, struct folded_apart *apart);

/*
 * Find the child of @parent (0: a root) by name, which is adapted as in folded_add(). Returns 0 if
 * there is none. Does not work with FOLDED_IN_ORDER.
 */
uint32_t folded_find(const struct folded *f, uint32_t parent, const char *name);

/* The "after" count of each node, including its descendants. Free the result. */
folded_count *folded_totals(const struct folded *f);

/*
 * All nodes, parents before children, siblings in the order of their lines in
 * sorted folded text (with FOLDED_IN_ORDER: in order of time). Free the result.
 */
uint32_t *folded_walk(const struct folded *f);

/* --- add a stack frame by frame: for the parser of folded text --- */

/*
 * Step from path[depth - 1] to its child @frame and put the child's node into
 * path[depth]. If that node does not change, the rest of the path is kept.
 */
uint32_t folded_step_to(struct folded *f, size_t depth, const struct folded_frame *frame);

/* Count the stack path[0] to path[depth - 1]. */
void folded_count_path(struct folded *f, size_t depth, const struct folded_self *count);

/* --- text --- */

/* Would the end of this stack be parsed as a count if a count followed it? */
bool folded_ends_in_count(const char *text, size_t len);

/*
 * Read folded text from memory; messages call it @from. A line that is not a stack with a count is
 * reported and counted in bad_lines; a count is a number up to 2^63. Texts of other programs, and
 * those that are inputs, are read by text_read.h.
 */
void folded_parse(struct folded *f, const char *text, size_t len, const char *from);

/*
 * The same, where each stack is shown to @change first, which may put other text into its frames,
 * and returns false to leave it out.
 */
typedef bool folded_change_fn(void *arg, struct folded_frame *frame, size_t nr);
void folded_parse_changed(struct folded *f, const char *text, size_t len, const char *from,
			  folded_change_fn *change, void *arg);

/* Is there no stack that folded_write() would print? (A differential's total may be 0.) */
bool folded_is_empty(const struct folded *f);

/* Write the set as sorted folded text. Returns 0, or -1 if writing fails. */
int folded_write(const struct folded *f, FILE *out);

#endif /* KPROF_FOLDED_H */
