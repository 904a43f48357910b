// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_layout.c - compute the position of each frame of a flame graph, in counts
 */
#include <stdlib.h>

#include "flame/flame.h"
#include "lib/mem.h"
#include "lib/msg.h"

static folded_count full_width(const struct folded *f, const struct flame_options *o)
{
	if (o->total == 0)
		return f->total;
	if (o->total >= (double)f->total)
		return o->total;
	msg_warn("--total: %.15g is less than the sum of all counts, %.15Lg, so it is ignored",
		 o->total, f->total);
	return f->total;
}

static folded_count max_delta(const struct folded *f)
{
	folded_count max = 1, delta;
	uint32_t i;

	for (i = 0; i < f->nr_nodes; i++) {
		delta = f->self[i].after - f->self[i].before;
		if (delta < 0)
			delta = -delta;
		if (delta > max)
			max = delta;
	}
	return max;
}

/* The start of each node. The parent's own count comes before all its children. */
static folded_count *find_starts(const struct folded *f, const uint32_t *walk,
				 const folded_count *width, uint32_t apart)
{
	folded_count *start = mem_zalloc(f->nr_nodes, sizeof(*start));
	folded_count *next = mem_realloc(NULL, f->nr_nodes, sizeof(*next));
	uint32_t i;

	next[0] = f->self[0].after;
	for (i = 1; i < f->nr_nodes; i++) {
		uint32_t node = walk[i], parent = f->node[node].parent;

		if (node == apart) {
			start[node] = f->total - width[node];
		} else {
			start[node] = f->mode & FOLDED_IN_ORDER ? f->start[node] : next[parent];
			next[parent] += width[node];
		}
		next[node] = start[node] + f->self[node].after;
	}
	free(next);
	return start;
}

void flame_layout_init(struct flame_layout *l, const struct folded *f,
		       const struct flame_options *o, double pixels)
{
	uint32_t *walk = folded_walk(f);
	uint32_t *depth = mem_zalloc(f->nr_nodes, sizeof(*depth));
	folded_count *width = folded_totals(f);
	folded_count *start = find_starts(f, walk, width, o->apart);
	folded_count narrowest;
	size_t room = 0;
	uint32_t i;

	*l = (struct flame_layout) { .total = full_width(f, o), .max_delta = max_delta(f) };
	narrowest = o->minwidth_is_percent ? l->total * o->minwidth / 100
					   : o->minwidth * l->total / pixels;
	for (i = 0; i < f->nr_nodes; i++) {
		uint32_t node = walk[i];

		if (node)
			depth[node] = depth[f->node[node].parent] + 1;
		if (node && width[node] < narrowest)
			continue;
		l->frame = mem_grow(l->frame, &room, l->nr + 1ul, sizeof(*l->frame));
		l->frame[l->nr++] = (struct flame_frame) {
			.node = node, .depth = depth[node],
			.start = start[node], .width = node ? width[node] : l->total,
		};
		if (depth[node] > l->max_depth)
			l->max_depth = depth[node];
	}
	free(walk);
	free(depth);
	free(width);
	free(start);
}

void flame_layout_free(struct flame_layout *l)
{
	free(l->frame);
	*l = (struct flame_layout) { 0 };
}
