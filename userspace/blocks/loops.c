// SPDX-License-Identifier: GPL-2.0-only
/*
 * loops.c - the loops of a control flow graph
 *
 * A loop has a head that all ways into it pass: it dominates the blocks that jump back to it. The
 * dominators are found as Cooper, Harvey and Kennedy describe it ("A Simple, Fast Dominance
 * Algorithm").
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/graph.h"
#include "lib/mem.h"

struct dominators {
	const struct graph *g;
	uint32_t *number;	/* of a node, in postorder; the outside comes last */
	uint32_t *node;		/* by that number */
	uint32_t *above;	/* the next node that dominates it */
	uint32_t nr;
};

/* --- postorder --- */

/* The next edge from a node, from *at on. */
static const struct graph_edge *next_edge(const struct graph *g, uint32_t from, uint32_t *at)
{
	for (; *at < g->nr_edges; ++*at)
		if (g->edge[*at].from == from)
			return &g->edge[(*at)++];
	return NULL;
}

static void number_nodes(struct dominators *d)
{
	const struct graph *g = d->g;
	uint32_t *stack = mem_zalloc(g->nr + 1, sizeof(*stack)), depth = 0;
	uint32_t *at = mem_zalloc(g->nr + 1, sizeof(*at));
	bool *seen = mem_zalloc(g->nr + 1, sizeof(*seen));

	stack[depth++] = graph_outside(g);
	seen[graph_outside(g)] = true;
	while (depth) {
		uint32_t node = stack[depth - 1];
		const struct graph_edge *edge = next_edge(g, node, &at[node]);

		if (!edge) {
			d->number[node] = d->nr;
			d->node[d->nr++] = node;
			depth--;
		} else if (!seen[edge->to]) {
			seen[edge->to] = true;
			stack[depth++] = edge->to;
		}
	}
	free(stack);
	free(at);
	free(seen);
}

/* --- dominators --- */

static uint32_t meet(const struct dominators *d, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (d->number[a] < d->number[b])
			a = d->above[a];
		while (d->number[b] < d->number[a])
			b = d->above[b];
	}
	return a;
}

static uint32_t find_above(const struct dominators *d, uint32_t node)
{
	uint32_t i, above = GRAPH_NONE;

	for (i = 0; i < d->g->nr_edges; i++) {
		const struct graph_edge *e = &d->g->edge[i];

		if (e->to == node && d->above[e->from] != GRAPH_NONE)
			above = above == GRAPH_NONE ? e->from : meet(d, above, e->from);
	}
	return above;
}

static void find_dominators(struct dominators *d)
{
	bool changed = true;
	uint32_t i, above;

	for (i = 0; i <= d->g->nr; i++)
		d->above[i] = GRAPH_NONE;
	d->above[graph_outside(d->g)] = graph_outside(d->g);
	while (changed) {
		changed = false;
		/* From the outside on, which has the last number. */
		for (i = d->nr - 1; i--; ) {
			above = find_above(d, d->node[i]);
			if (above != d->above[d->node[i]]) {
				d->above[d->node[i]] = above;
				changed = true;
			}
		}
	}
}

static bool dominates(const struct dominators *d, uint32_t head, uint32_t node)
{
	while (node != head && node != graph_outside(d->g))
		node = d->above[node];
	return node == head;
}

/* --- loops --- */

/* All blocks from which the end of a back edge is reached without passing the head. */
static void mark_body(const struct graph *g, bool *body, uint32_t head, uint32_t end)
{
	uint32_t *stack = mem_zalloc(g->nr + 1, sizeof(*stack)), nr = 0, i, at;

	body[head] = true;
	if (!body[end]) {
		body[end] = true;
		stack[nr++] = end;
	}
	while (nr) {
		at = stack[--nr];
		for (i = 0; i < g->nr_edges; i++)
			if (g->edge[i].to == at && !body[g->edge[i].from]) {
				body[g->edge[i].from] = true;
				stack[nr++] = g->edge[i].from;
			}
	}
	free(stack);
}

/* Larger loops come first, so the innermost one of a block is the last that has it. */
struct loop {
	uint32_t head, size;
	bool *body;
};

static int by_size(const void *va, const void *vb)
{
	const struct loop *a = va, *b = vb;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->head < b->head ? -1 : a->head > b->head;
}

static void add_loop(struct graph *g, struct loop *loop, uint32_t head)
{
	uint32_t i;

	*loop = (struct loop){ .head = head, .body = mem_zalloc(g->nr + 1, sizeof(*loop->body)) };
	for (i = 0; i < g->nr_edges; i++)
		if (g->edge[i].is_back && g->edge[i].to == head)
			mark_body(g, loop->body, head, g->edge[i].from);
	for (i = 0; i < g->nr; i++)
		loop->size += loop->body[i];
}

static void take_loops(struct graph *g)
{
	struct loop *loop = mem_zalloc(g->nr + 1, sizeof(*loop));
	uint32_t nr = 0, i, k;

	for (i = 0; i < g->nr; i++)
		if (g->block[i].is_head)
			add_loop(g, &loop[nr++], i);
	if (nr)
		qsort(loop, nr, sizeof(*loop), by_size);
	for (i = 0; i < nr; i++) {
		g->block[loop[i].head].around = g->block[loop[i].head].loop;
		for (k = 0; k < g->nr; k++)
			if (loop[i].body[k]) {
				g->block[k].loop = loop[i].head;
				g->block[k].depth++;
			}
		free(loop[i].body);
	}
	free(loop);
}

void graph_find_loops(struct graph *g)
{
	struct dominators d = {
		.g = g,
		.number = mem_zalloc(g->nr + 1, sizeof(*d.number)),
		.node = mem_zalloc(g->nr + 1, sizeof(*d.node)),
		.above = mem_zalloc(g->nr + 1, sizeof(*d.above)),
	};
	uint32_t i;

	number_nodes(&d);
	find_dominators(&d);
	for (i = 0; i < g->nr_edges; i++) {
		struct graph_edge *e = &g->edge[i];

		if (e->to == graph_outside(g) || e->from == graph_outside(g))
			continue;
		e->is_back = dominates(&d, e->to, e->from);
		if (e->is_back)
			g->block[e->to].is_head = true;
	}
	take_loops(g);
	free(d.number);
	free(d.node);
	free(d.above);
}
