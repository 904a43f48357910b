// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow.c - which blocks must be counted, and how often the others run
 *
 * From Knuth and Stevenson, "Optimal measurement points for program frequency counts": if an edge
 * leads from u to v, what is behind u and what is before v are the same place. Joining these, each
 * node becomes an edge between two places, and at each place as much comes in as goes out. The
 * edges of a spanning tree of that graph follow from the others.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/flow.h"
#include "lib/mem.h"

/* --- places: sets of "before a node" (2 * node) and "behind a node" (2 * node + 1) --- */

static uint32_t find(uint32_t *set, uint32_t x)
{
	while (set[x] != x) {
		set[x] = set[set[x]];
		x = set[x];
	}
	return x;
}

static uint32_t before(uint32_t *set, uint32_t node) { return find(set, 2 * node); }
static uint32_t behind(uint32_t *set, uint32_t node) { return find(set, 2 * node + 1); }

static uint32_t *new_set(uint32_t nr)
{
	uint32_t *set = mem_zalloc(nr, sizeof(*set)), i;

	for (i = 0; i < nr; i++)
		set[i] = i;
	return set;
}

static uint32_t *find_places(const struct graph *g)
{
	uint32_t *set = new_set(2 * (g->nr + 1)), i;

	for (i = 0; i < g->nr_edges; i++)
		set[behind(set, g->edge[i].from)] = before(set, g->edge[i].to);
	return set;
}

/* --- which are counted --- */

struct candidate {
	uint32_t node, weight;
};

/* What is not to be counted comes first, so that the tree gets it. */
static int by_weight(const void *va, const void *vb)
{
	const struct candidate *a = va, *b = vb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

void flow_choose(const struct graph *g, const bool *refused, bool *chosen)
{
	uint32_t *place = find_places(g), *joined = new_set(2 * (g->nr + 1)), i;
	struct candidate *node = mem_zalloc(g->nr + 1, sizeof(*node));

	for (i = 0; i < g->nr; i++)
		node[i] = (struct candidate) {
			.node = i, .weight = refused[i] ? UINT32_MAX - 1 : g->block[i].depth,
		};
	node[g->nr] = (struct candidate){ .node = graph_outside(g), .weight = UINT32_MAX };
	qsort(node, g->nr + 1, sizeof(*node), by_weight);
	for (i = 0; i <= g->nr; i++) {
		uint32_t n = node[i].node;
		uint32_t a = find(joined, before(place, n)), b = find(joined, behind(place, n));

		joined[a] = b;
		if (n != graph_outside(g))
			chosen[n] = (a == b || g->has_tables) && !refused[n];
	}
	free(place);
	free(joined);
	free(node);
}

/* --- all counts from some --- */

/* Amounts that come to a place and leave it. One unknown amount follows from the others. */
struct balance {
	int64_t sum;		/* of what is known: in - out */
	uint32_t unknown;	/* how many are not */
	uint32_t what;		/* the number of the last one that was met */
	bool is_out;
};

static void enter(struct balance *b, uint64_t amount, uint32_t what, bool is_out)
{
	if (amount == COUNT_UNKNOWN) {
		b->unknown++;
		b->what = what;
		b->is_out = is_out;
	} else {
		b->sum += is_out ? -(int64_t)amount : (int64_t)amount;
	}
}

/* The only unknown amount. Calls that were under way can make it negative. */
static uint64_t missing(const struct balance *b)
{
	int64_t amount = b->is_out ? b->sum : -b->sum;

	return amount > 0 ? amount : 0;
}

/* Find counts of nodes until no place has only one that is not known. */
static void solve_nodes(struct flow *flow, const struct graph *g, uint32_t *place)
{
	uint32_t places = 2 * (g->nr + 1), i;
	struct balance *at = mem_zalloc(places, sizeof(*at));
	bool found = true;

	while (found) {
		found = false;
		memset(at, 0, places * sizeof(*at));
		for (i = 0; i <= g->nr; i++) {
			if (before(place, i) == behind(place, i))
				continue;
			enter(&at[behind(place, i)], flow->node[i], i, false);
			enter(&at[before(place, i)], flow->node[i], i, true);
		}
		for (i = 0; i < places; i++)
			if (at[i].unknown == 1 && flow->node[at[i].what] == COUNT_UNKNOWN) {
				flow->node[at[i].what] = missing(&at[i]);
				found = true;
			}
	}
	free(at);
}

/* No edge of a block that never ran was taken. */
static void clear_edges(struct flow *flow, const struct graph *g)
{
	uint32_t i;

	for (i = 0; i < g->nr_edges; i++)
		if (!flow->node[g->edge[i].from] || !flow->node[g->edge[i].to])
			flow->edge[i] = 0;
}

/* The same for edges, at the beginnings and ends of nodes. */
static void solve_edges(struct flow *flow, const struct graph *g)
{
	uint32_t ends = 2 * (g->nr + 1), i;
	struct balance *at = mem_zalloc(ends, sizeof(*at));
	bool found = true;

	while (found) {
		found = false;
		memset(at, 0, ends * sizeof(*at));
		for (i = 0; i < g->nr_edges; i++) {
			enter(&at[2 * g->edge[i].from + 1], flow->edge[i], i, true);
			enter(&at[2 * g->edge[i].to], flow->edge[i], i, false);
		}
		for (i = 0; i < ends; i++) {
			uint64_t node = flow->node[i / 2];

			if (at[i].unknown != 1 || node == COUNT_UNKNOWN ||
			    flow->edge[at[i].what] != COUNT_UNKNOWN)
				continue;
			enter(&at[i], node, 0, !(i % 2));
			flow->edge[at[i].what] = missing(&at[i]);
			found = true;
		}
	}
	free(at);
}

/* Compare counts that the others do not need with what follows from the others. */
static void check(struct flow *flow, const struct graph *g, const bool *counted,
		  const bool *needed, const uint64_t *count)
{
	uint32_t i;

	for (i = 0; i < g->nr; i++) {
		uint64_t derived = flow->node[i], difference;

		if (!counted[i] || needed[i] || derived == COUNT_UNKNOWN)
			continue;
		difference = derived > count[i] ? derived - count[i] : count[i] - derived;
		flow->checks++;
		flow->wrong += !!difference;
		if (difference > flow->most)
			flow->most = difference;
	}
}

void flow_solve(struct flow *flow, const struct graph *g, const bool *counted,
		const uint64_t *count)
{
	bool *refused = mem_zalloc(g->nr + 1, sizeof(*refused));
	bool *needed = mem_zalloc(g->nr + 1, sizeof(*needed));
	uint32_t *place = find_places(g), i;

	flow->node = mem_zalloc(g->nr + 1, sizeof(*flow->node));
	flow->edge = mem_zalloc(g->nr_edges + 1, sizeof(*flow->edge));
	for (i = 0; i < g->nr; i++)
		refused[i] = !counted[i];
	flow_choose(g, refused, needed);
	for (i = 0; i < g->nr; i++)
		flow->node[i] = needed[i] ? count[i] : COUNT_UNKNOWN;
	flow->node[graph_outside(g)] = COUNT_UNKNOWN;
	for (i = 0; i < g->nr_edges; i++)
		flow->edge[i] = COUNT_UNKNOWN;
	/* Through a table, a block can be entered by ways that no edge stands for. */
	if (!g->has_tables)
		solve_nodes(flow, g, place);
	check(flow, g, counted, needed, count);
	for (i = 0; i < g->nr; i++)
		if (counted[i])
			flow->node[i] = count[i];
	clear_edges(flow, g);
	if (!g->has_tables)
		solve_edges(flow, g);
	free(refused);
	free(needed);
	free(place);
}

void flow_free(struct flow *flow)
{
	free(flow->node);
	free(flow->edge);
	*flow = (struct flow){ 0 };
}

uint64_t flow_entries(const struct flow *flow, const struct graph *g, uint32_t head)
{
	uint64_t entries = 0;
	uint32_t i;

	for (i = 0; i < g->nr_edges; i++) {
		if (g->edge[i].to != head || g->edge[i].is_back)
			continue;
		if (flow->edge[i] == COUNT_UNKNOWN)
			return COUNT_UNKNOWN;
		entries += flow->edge[i];
	}
	return entries;
}
