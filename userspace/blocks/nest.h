/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nest.h - the inlined functions and the loops of a function, as a tree
 *
 * An instruction belongs to a chain of inlined functions, and to a nest of loops. A loop is of the
 * innermost function that all of its instructions belong to. So both make one tree: what is
 * inlined into a function, or into a loop of it, is below that, and a loop is below the function
 * that it is of. The root is the function itself.
 */
#ifndef KPROF_BLOCKS_NEST_H
#define KPROF_BLOCKS_NEST_H

#include "blocks/graph.h"
#include "data/data.h"

#define NEST_NONE	UINT32_MAX

struct nest_node {
	uint32_t parent;	/* NEST_NONE: the root, which is the first node */
	uint32_t depth;		/* of the tree; 0: the root */
	uint32_t head;		/* the block that a loop begins with; GRAPH_NONE: a function */
	const char *function;	/* its name; of a loop, the name of what it is of */
	const char *file;	/* of the inlined call, or where the loop begins; or NULL */
	uint32_t line;		/* likewise; 0: not known */
	/* Private from here on. */
	uint32_t child, next;	/* the first child; the next one of its parent */
};

/* An address where an inlined function is entered. */
struct nest_entry {
	uint32_t node;
	uint32_t insn;
};

/* Zero-initialise. */
struct nest {
	struct nest_node *node;	/* a parent is before its children */
	uint32_t nr;
	uint32_t *of;		/* by instruction: the innermost node it belongs to */
	struct nest_entry *entry;
	uint32_t nr_entries;
	/* Private from here on. */
	size_t node_room, entry_room;
};

/* Make it of a function's instructions. @names has been opened by frames_open(), and must stay. */
void nest_make(struct nest *n, const struct graph *g, const struct code_function *f,
	       const struct data *names);
void nest_free(struct nest *n);

/* The node after @node, in the order in which a tree is printed; NEST_NONE after the last one. */
uint32_t nest_next(const struct nest *n, uint32_t node);

#endif /* KPROF_BLOCKS_NEST_H */
