/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flow.h - which blocks must be counted, and how often the others run
 *
 * Each node of the graph is left as often as it is entered. So not every block needs a counter.
 */
#ifndef KPROF_BLOCKS_FLOW_H
#define KPROF_BLOCKS_FLOW_H

#include "blocks/graph.h"

#define COUNT_UNKNOWN	UINT64_MAX

/**
 * flow_choose() - choose the blocks that must be counted
 * @refused: blocks that cannot be counted
 * @chosen: set to whether a block must be counted; not refused ones
 *
 * The fewest that suffice, and of these choices one that has as few blocks of inner loops as
 * possible. If blocks that cannot be counted would be needed, some counts remain unknown.
 */
void flow_choose(const struct graph *g, const bool *refused, bool *chosen);

/* How often things ran. Zero-initialise. */
struct flow {
	uint64_t *node;		/* by block, and the outside last; COUNT_UNKNOWN: not known */
	uint64_t *edge;		/* by edge, likewise */
	uint32_t checks, wrong;	/* counts that follow from others, too; those that differ */
	uint64_t most;		/* the largest difference */
};

/**
 * flow_solve() - find all counts from those of some blocks
 * @counted: whether the block has been counted
 * @count: how often, if so
 */
void flow_solve(struct flow *flow, const struct graph *g, const bool *counted,
		const uint64_t *count);
void flow_free(struct flow *flow);

/*
 * How often a loop was entered from outside of it; COUNT_UNKNOWN if that is not known. Its head ran
 * as often as the loop turned.
 */
uint64_t flow_entries(const struct flow *flow, const struct graph *g, uint32_t head);

#endif /* KPROF_BLOCKS_FLOW_H */
