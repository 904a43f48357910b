/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * graph.h - the control flow graph of a function: blocks of instructions and their edges
 *
 * All instructions of a block run equally often. What calls the function, and what it returns to,
 * is a node of its own, the last one (graph_outside()): edges lead from there to where the
 * function begins, and to there from where it is left. So each node is left as often as it is
 * entered.
 */
#ifndef KPROF_BLOCKS_GRAPH_H
#define KPROF_BLOCKS_GRAPH_H

#include "code/function.h"

struct graph_edge {
	uint32_t from, to;	/* nodes */
	bool is_back;		/* leads back to the head of a loop */
};

struct graph_block {
	uint32_t first, nr;	/* instructions of the function */
	bool is_stray;		/* no jump leads there: see graph.c */
	bool is_head;		/* of a loop */
	uint32_t loop;		/* the head of the innermost loop it is in, or GRAPH_NONE */
	uint32_t depth;		/* of loops around it */
	uint32_t around;	/* of a head: the head of the loop around its loop, or GRAPH_NONE */
};

#define GRAPH_NONE	UINT32_MAX

/* Zero-initialise. */
struct graph {
	struct graph_block *block;
	uint32_t nr;		/* of blocks, in order of instructions; the entry is 0 */
	struct graph_edge *edge;
	uint32_t nr_edges;
	bool has_tables;	/* jumps whose targets are not known: no edges for them */
	/* Private from here on. */
	size_t room, edge_room;
};

static inline uint32_t graph_outside(const struct graph *g)
{
	return g->nr;
}

void graph_make(struct graph *g, const struct code_function *f);
void graph_free(struct graph *g);

/* The block that begins with an instruction, or GRAPH_NONE. */
uint32_t graph_find(const struct graph *g, uint32_t insn);

/* The block that an instruction is in, or GRAPH_NONE: it was left out, as what only fills up. */
uint32_t graph_block_of(const struct graph *g, uint32_t insn);

/* Find the loops: is_back, is_head, loop, depth, around. graph_make() calls it. */
void graph_find_loops(struct graph *g);

#endif /* KPROF_BLOCKS_GRAPH_H */
