/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - where the blocks of a function are in a picture of its control flow
 *
 * Blocks are in layers, from top to bottom: edges go down, except those back to the head of a loop,
 * which go round on the right side. An edge that passes layers has a bend in each of them, so that
 * no edge crosses a block.
 */
#ifndef KPROF_BLOCKS_LAYOUT_H
#define KPROF_BLOCKS_LAYOUT_H

#include "blocks/graph.h"

#define LAYOUT_HEIGHT	56.0	/* of a block */
#define LAYOUT_GAP	48.0	/* between layers */
#define LAYOUT_SPACE	18.0	/* between blocks of a layer */
#define LAYOUT_LANE	10.0	/* between edges on the right side */

/* Besides the blocks of the graph, there are these two, as one node there is both. */
enum layout_kind { LAYOUT_BLOCK, LAYOUT_BEND, LAYOUT_ENTER, LAYOUT_LEAVE };

struct layout_node {
	enum layout_kind kind;
	uint32_t block;		/* of LAYOUT_BLOCK */
	uint32_t layer;
	double x, width;	/* x: of the middle */
};

struct layout_edge {
	uint32_t edge;		/* of the graph */
	bool is_back;
	uint32_t first, nr;	/* its nodes, in layout->path: from, bends, to */
	double from_x, to_x;	/* where it leaves and reaches the boxes */
	double lane;		/* of a back edge: x of its way up */
};

/* Zero-initialise. */
struct layout {
	struct layout_node *node;
	uint32_t nr, nr_layers;
	struct layout_edge *edge;
	uint32_t nr_edges;
	uint32_t *path;
	double width, height;
	/* Private from here on. */
	size_t node_room, edge_room, path_room;
	uint32_t nr_path;
};

/**
 * layout_make() - place blocks and edges
 * @shown: by block; edges of others are left out
 * @width: by block, of its box
 * @width_of_ends: of the boxes where the function is entered and left
 */
void layout_make(struct layout *l, const struct graph *g, const bool *shown, const double *width,
		 double width_of_ends);
void layout_free(struct layout *l);

/* The upper end of a layer. */
static inline double layout_top(uint32_t layer)
{
	return layer * (LAYOUT_HEIGHT + LAYOUT_GAP) + LAYOUT_GAP / 2;
}

#endif /* KPROF_BLOCKS_LAYOUT_H */
