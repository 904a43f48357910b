// SPDX-License-Identifier: GPL-2.0-only
/*
 * layout.c - where the blocks of a function are in a picture of its control flow
 *
 * As Sugiyama, Tagawa and Toda describe it: layers by the longest way from the entry; bends where
 * edges pass layers; an order in each layer by the mean of a node's neighbours; then positions.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/layout.h"
#include "lib/mem.h"

#define SWEEPS	12	/* of ordering, and of placing; more change little */

static uint32_t add_node(struct layout *l, enum layout_kind kind, uint32_t block, double width)
{
	l->node = mem_grow(l->node, &l->node_room, l->nr + 1, sizeof(*l->node));
	l->node[l->nr] = (struct layout_node){ .kind = kind, .block = block, .width = width };
	return l->nr++;
}

static void add_step(struct layout *l, uint32_t node)
{
	l->path = mem_grow(l->path, &l->path_room, l->nr_path + 1, sizeof(*l->path));
	l->path[l->nr_path++] = node;
}

/* The two ends of an edge. */
static uint32_t from_of(const struct layout *l, const struct layout_edge *e)
{
	return l->path[e->first];
}

static uint32_t to_of(const struct layout *l, const struct layout_edge *e)
{
	return l->path[e->first + e->nr - 1];
}

/* Take nodes and edges from the graph. */
static void take(struct layout *l, const struct graph *g, const bool *shown, const double *width,
		 double width_of_ends)
{
	uint32_t *node = mem_zalloc(g->nr + 1, sizeof(*node)), enter, leave, i;

	enter = add_node(l, LAYOUT_ENTER, 0, width_of_ends);
	for (i = 0; i < g->nr; i++)
		if (shown[i])
			node[i] = add_node(l, LAYOUT_BLOCK, i, width[i]);
	leave = add_node(l, LAYOUT_LEAVE, 0, width_of_ends);
	for (i = 0; i < g->nr_edges; i++) {
		const struct graph_edge *e = &g->edge[i];
		bool enters = e->from == graph_outside(g), leaves = e->to == graph_outside(g);

		if ((!enters && !shown[e->from]) || (!leaves && !shown[e->to]))
			continue;
		l->edge = mem_grow(l->edge, &l->edge_room, l->nr_edges + 1, sizeof(*l->edge));
		l->edge[l->nr_edges++] = (struct layout_edge) {
			.edge = i, .is_back = e->is_back || (!enters && e->from == e->to),
			.first = l->nr_path, .nr = 2,
		};
		add_step(l, enters ? enter : node[e->from]);
		add_step(l, leaves ? leave : node[e->to]);
	}
	free(node);
}

/* --- layers --- */

/* A node whose edges from above are all done; if there is none, because of a cycle, the first. */
static uint32_t next_node(struct layout *l, bool *done)
{
	uint32_t *waits = mem_zalloc(l->nr, sizeof(*waits)), i, next = l->nr;

	for (i = 0; i < l->nr_edges; i++)
		if (!l->edge[i].is_back && !done[from_of(l, &l->edge[i])])
			waits[to_of(l, &l->edge[i])]++;
	for (i = 0; i < l->nr && next == l->nr; i++)
		if (!done[i] && !waits[i])
			next = i;
	for (i = 0; i < l->nr && next == l->nr; i++)
		if (!done[i])
			next = i;
	free(waits);
	/* A cycle that is no loop, as it is entered at several places: cut it here. */
	for (i = 0; i < l->nr_edges; i++)
		if (to_of(l, &l->edge[i]) == next && !done[from_of(l, &l->edge[i])])
			l->edge[i].is_back = true;
	return next;
}

static void set_layers(struct layout *l)
{
	bool *done = mem_zalloc(l->nr, sizeof(*done));
	uint32_t n, i, node, last = 0;

	for (n = 0; n < l->nr; n++) {
		node = next_node(l, done);
		done[node] = true;
		for (i = 0; i < l->nr_edges; i++) {
			struct layout_node *to = &l->node[to_of(l, &l->edge[i])];

			if (from_of(l, &l->edge[i]) == node && !l->edge[i].is_back &&
			    to->layer <= l->node[node].layer)
				to->layer = l->node[node].layer + 1;
		}
	}
	for (i = 0; i + 1 < l->nr; i++)
		if (l->node[i].layer > last)
			last = l->node[i].layer;
	/* What leaves the function is below all else. */
	l->node[l->nr - 1].layer = last + 1;
	l->nr_layers = last + 2;
	free(done);
}

static void add_bends(struct layout *l)
{
	uint32_t i, layer;

	for (i = 0; i < l->nr_edges; i++) {
		uint32_t from = from_of(l, &l->edge[i]), to = to_of(l, &l->edge[i]);
		uint32_t first = l->nr_path;

		if (l->edge[i].is_back || l->node[to].layer == l->node[from].layer + 1)
			continue;
		add_step(l, from);
		for (layer = l->node[from].layer + 1; layer < l->node[to].layer; layer++) {
			uint32_t bend = add_node(l, LAYOUT_BEND, 0, 0);

			l->node[bend].layer = layer;
			add_step(l, bend);
		}
		add_step(l, to);
		l->edge[i].first = first;
		l->edge[i].nr = l->nr_path - first;
	}
}

/* --- order and positions --- */

/* A node among those of its layer. */
struct place {
	uint32_t node, layer;
	double wants;
};

static int by_place(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->layer != b->layer)
		return a->layer < b->layer ? -1 : 1;
	if (a->wants != b->wants)
		return a->wants < b->wants ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Where nodes want to be: the mean of their neighbours above or below; without any, where it is. */
static void find_wants(const struct layout *l, struct place *place, bool above)
{
	double *sum = mem_zalloc(l->nr, sizeof(*sum));
	uint32_t *nr = mem_zalloc(l->nr, sizeof(*nr)), i, k;

	for (i = 0; i < l->nr_edges; i++) {
		const uint32_t *path = &l->path[l->edge[i].first];

		for (k = 0; !l->edge[i].is_back && k + 1 < l->edge[i].nr; k++) {
			uint32_t of = above ? path[k + 1] : path[k];

			sum[of] += l->node[above ? path[k] : path[k + 1]].x;
			nr[of]++;
		}
	}
	for (i = 0; i < l->nr; i++) {
		uint32_t node = place[i].node;

		place[i].wants = nr[node] ? sum[node] / nr[node] : l->node[node].x;
	}
	free(sum);
	free(nr);
}

static double distance(const struct layout *l, uint32_t left, uint32_t right)
{
	return (l->node[left].width + l->node[right].width) / 2 + LAYOUT_SPACE;
}

/* Place a layer: each node where it wants to be, but not closer to the one before than allowed. */
static void place_layer(struct layout *l, const struct place *place, uint32_t nr)
{
	double shift = 0;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		double x = place[i].wants, least;

		least = i ? l->node[place[i - 1].node].x +
			    distance(l, place[i - 1].node, place[i].node) : x;
		l->node[place[i].node].x = x < least ? least : x;
		shift += l->node[place[i].node].x - x;
	}
	for (i = 0; i < nr; i++)
		l->node[place[i].node].x -= shift / nr;
}

static void sweep(struct layout *l, struct place *place, bool above, bool sorts)
{
	uint32_t first, nr;

	find_wants(l, place, above);
	if (sorts)
		qsort(place, l->nr, sizeof(*place), by_place);
	for (first = 0; first < l->nr; first += nr) {
		for (nr = 1; first + nr < l->nr; nr++)
			if (place[first + nr].layer != place[first].layer)
				break;
		place_layer(l, place + first, nr);
	}
}

static void set_positions(struct layout *l)
{
	struct place *place = mem_zalloc(l->nr, sizeof(*place));
	uint32_t i;

	for (i = 0; i < l->nr; i++)
		place[i] = (struct place){ .node = i, .layer = l->node[i].layer };
	qsort(place, l->nr, sizeof(*place), by_place);
	for (i = 0; i < 2 * SWEEPS; i++)
		sweep(l, place, i % 2 == 0, i < SWEEPS);
	free(place);
}

/* --- edges --- */

/* Where edges touch a box: spread over its lower or upper side, in order of their other ends. */
static void set_ports(struct layout *l, uint32_t node, bool below)
{
	struct place *port = mem_zalloc(l->nr_edges + 1, sizeof(*port));
	const struct layout_node *n = &l->node[node];
	uint32_t i, nr = 0;

	for (i = 0; i < l->nr_edges; i++) {
		const struct layout_edge *e = &l->edge[i];
		uint32_t other = below ? l->path[e->first + 1] : l->path[e->first + e->nr - 2];

		if ((below ? from_of(l, e) : to_of(l, e)) != node)
			continue;
		/* Those that go round are last, next to the side where they do. */
		port[nr++] = (struct place){ i, e->is_back, l->node[other].x };
	}
	qsort(port, nr, sizeof(*port), by_place);
	for (i = 0; i < nr; i++) {
		double x = n->x - n->width / 2 + n->width * (i + 1) / (nr + 1);

		*(below ? &l->edge[port[i].node].from_x : &l->edge[port[i].node].to_x) = x;
	}
	free(port);
}

/* The shorter a way back, the further inside. */
static void set_lanes(struct layout *l, double right)
{
	struct place *lane = mem_zalloc(l->nr_edges + 1, sizeof(*lane));
	uint32_t i, nr = 0;

	for (i = 0; i < l->nr_edges; i++) {
		const struct layout_edge *e = &l->edge[i];

		if (e->is_back)
			lane[nr++] = (struct place) {
				.node = i,
				.wants = (double)l->node[from_of(l, e)].layer -
					 l->node[to_of(l, e)].layer,
			};
	}
	qsort(lane, nr, sizeof(*lane), by_place);
	for (i = 0; i < nr; i++)
		l->edge[lane[i].node].lane = right + (i + 1) * LAYOUT_LANE;
	l->width = right + (nr + 1) * LAYOUT_LANE;
	free(lane);
}

/* Move all so that the left end is 0. */
static double move(struct layout *l)
{
	double left = 0, right = 0;
	uint32_t i;

	for (i = 0; i < l->nr; i++) {
		const struct layout_node *n = &l->node[i];

		if (!i || n->x - n->width / 2 < left)
			left = n->x - n->width / 2;
		if (!i || n->x + n->width / 2 > right)
			right = n->x + n->width / 2;
	}
	for (i = 0; i < l->nr; i++)
		l->node[i].x += LAYOUT_SPACE - left;
	return right - left + LAYOUT_SPACE;
}

void layout_make(struct layout *l, const struct graph *g, const bool *shown, const double *width,
		 double width_of_ends)
{
	uint32_t i;
	double right;

	take(l, g, shown, width, width_of_ends);
	set_layers(l);
	add_bends(l);
	set_positions(l);
	right = move(l);
	for (i = 0; i < l->nr && l->node[i].kind != LAYOUT_BEND; i++) {
		set_ports(l, i, true);
		set_ports(l, i, false);
	}
	set_lanes(l, right);
	l->height = layout_top(l->nr_layers);
}

void layout_free(struct layout *l)
{
	free(l->node);
	free(l->edge);
	free(l->path);
	*l = (struct layout){ .nr = 0 };
}
