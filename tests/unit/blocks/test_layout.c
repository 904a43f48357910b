// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_layout.c - where blocks and edges are in a picture
 */
#include <stdlib.h>

#include "blocks/layout.h"
#include "lib/mem.h"
#include "unit.h"

#define NR	7

/*
 * 0 leads to 1 and, past all others, to 6; 1 to 2, 3 and 4, which meet in 5; 5 back to 1 and on to
 * 6; 3 back to itself. 6 leaves.
 */
static const struct graph_edge edges[] = {
	{ .from = NR, .to = 0 }, { .from = 0, .to = 1 }, { .from = 0, .to = 6 },
	{ .from = 1, .to = 2 }, { .from = 1, .to = 3 }, { .from = 1, .to = 4 },
	{ .from = 2, .to = 5 }, { .from = 3, .to = 5 }, { .from = 4, .to = 5 },
	{ .from = 3, .to = 3, .is_back = true }, { .from = 5, .to = 1, .is_back = true },
	{ .from = 5, .to = 6 }, { .from = 6, .to = NR },
};

#define NR_EDGES	(sizeof(edges) / sizeof(*edges))

static struct graph graph_of(const struct graph_edge *edge, uint32_t nr)
{
	struct graph g = { .nr = NR, .nr_edges = nr };
	uint32_t i;

	g.block = mem_zalloc(NR, sizeof(*g.block));
	g.edge = mem_zalloc(nr, sizeof(*g.edge));
	for (i = 0; i < nr; i++)
		g.edge[i] = edge[i];
	return g;
}

/* No two boxes or bends of a layer touch. */
static void check_boxes(const struct layout *l)
{
	uint32_t i, k;

	for (i = 0; i < l->nr; i++) {
		const struct layout_node *a = &l->node[i];

		CHECK(a->layer < l->nr_layers);
		CHECK(a->x - a->width / 2 >= 0 && a->x + a->width / 2 <= l->width);
		for (k = 0; k < i; k++) {
			const struct layout_node *b = &l->node[k];
			double apart = a->x < b->x ? b->x - a->x : a->x - b->x;

			CHECK(a->layer != b->layer || apart > (a->width + b->width) / 2);
		}
	}
}

/* Edges go down a layer at a time, or up beside all boxes, each in a lane of its own. */
static void check_edges(const struct layout *l)
{
	uint32_t i, k;

	for (i = 0; i < l->nr_edges; i++) {
		const struct layout_edge *e = &l->edge[i];
		const struct layout_node *from = &l->node[l->path[e->first]];
		const struct layout_node *to = &l->node[l->path[e->first + e->nr - 1]];

		for (k = 0; !e->is_back && k + 1 < e->nr; k++)
			CHECK_INT(l->node[l->path[e->first + k + 1]].layer,
				  l->node[l->path[e->first + k]].layer + 1);
		CHECK(e->from_x > from->x - from->width / 2);
		CHECK(e->from_x < from->x + from->width / 2);
		CHECK(e->to_x > to->x - to->width / 2);
		CHECK(e->to_x < to->x + to->width / 2);
		for (k = 0; e->is_back && k < l->nr; k++)
			CHECK(l->node[k].x + l->node[k].width / 2 < e->lane);
		for (k = 0; e->is_back && k < i; k++)
			CHECK(l->edge[k].lane != e->lane);
		CHECK(e->lane <= l->width);
	}
}

static void test_layers(void)
{
	static const double width[NR] = { 100, 300, 150, 120, 100, 100, 200 };
	bool shown[NR] = { true, true, true, true, true, true, true };
	struct graph g = graph_of(edges, NR_EDGES);
	struct layout l = { .nr = 0 };

	layout_make(&l, &g, shown, width, 80);
	/* Where it is entered; 0; 1; 2, 3, 4; 5; 6; where it is left. */
	CHECK_INT(l.nr_layers, 7);
	CHECK_INT(l.nr, NR + 2 + 3);	/* the edge from 0 to 6 has three bends */
	CHECK_INT(l.nr_edges, NR_EDGES);
	CHECK_INT(l.node[1 + 3].layer, 3);
	check_boxes(&l);
	check_edges(&l);
	layout_free(&l);
	graph_free(&g);
}

/* Blocks that are not shown have no edges. */
static void test_hidden(void)
{
	static const double width[NR] = { 100, 300, 150, 120, 100, 100, 200 };
	bool shown[NR] = { true, true, false, true, false, true, true };
	struct graph g = graph_of(edges, NR_EDGES);
	struct layout l = { .nr = 0 };

	layout_make(&l, &g, shown, width, 80);
	CHECK_INT(l.nr, NR + 2 - 2 + 3);
	CHECK_INT(l.nr_edges, NR_EDGES - 4);
	check_boxes(&l);
	check_edges(&l);
	layout_free(&l);
	graph_free(&g);
}

/* A cycle that is entered at two places has no head, but must be cut somewhere. */
static void test_cycle(void)
{
	static const struct graph_edge cycle[] = {
		{ .from = NR, .to = 0 }, { .from = 0, .to = 1 }, { .from = 0, .to = 2 },
		{ .from = 1, .to = 2 }, { .from = 2, .to = 1 }, { .from = 2, .to = NR },
	};
	static const double width[NR] = { 100, 100, 100 };
	bool shown[NR] = { true, true, true };
	struct graph g = graph_of(cycle, sizeof(cycle) / sizeof(*cycle));
	struct layout l = { .nr = 0 };

	layout_make(&l, &g, shown, width, 80);
	CHECK_INT(l.nr_layers, 5);
	CHECK_INT(l.edge[3].is_back + l.edge[4].is_back, 1);
	check_boxes(&l);
	check_edges(&l);
	layout_free(&l);
	graph_free(&g);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "layers", test_layers },
		{ "hidden", test_hidden },
		{ "cycle", test_cycle },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
