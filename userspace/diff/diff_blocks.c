// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks.c - the blocks of a function compared, by context
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_blocks.h"
#include "lib/mem.h"

double diff_blocks_each(const struct diff_blocks_run *run, uint64_t count)
{
	if (count == UINT64_MAX || run->calls == UINT64_MAX)
		return NAN;
	return run->calls ? (double)count / run->calls : count ? NAN : 0;
}

static bool is_far(const struct diff_blocks *d, const double of[DIFF_NR_SIDES])
{
	return fabs(of[DIFF_B] - of[DIFF_A]) > fmax(of[DIFF_A], of[DIFF_B]) * d->threshold / 100;
}

/* A block that runs as often may have more instructions. */
static bool differs(const struct diff_blocks *d, const struct diff_blocks_row *row)
{
	return is_far(d, row->ran) || (!row->is_edge && is_far(d, row->insns));
}

static void add_row(struct diff_blocks_context *c, const struct diff_blocks_row *row)
{
	c->row = mem_grow(c->row, &c->room, c->nr + 1, sizeof(*c->row));
	c->row[c->nr++] = *row;
}

/* --- blocks --- */

/* A block of A with its other one, or, of B, one that has none. */
static void compare_block(const struct diff_blocks *d, struct diff_blocks_context *c,
			  uint32_t a, uint32_t b)
{
	struct diff_blocks_row row = { .at = { a, b } };
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		uint32_t at = row.at[side];

		if (at == DIFF_NO_BLOCK)
			continue;
		row.ran[side] = diff_blocks_each(c->run[side], c->run[side]->block[at]);
		row.insns[side] = row.ran[side] * d->side[side].block[at].insns;
	}
	if (isnan(row.ran[DIFF_A]) || isnan(row.ran[DIFF_B]))
		c->unknown++;
	else if (differs(d, &row))
		add_row(c, &row);
}

static void compare_blocks(const struct diff_blocks *d, struct diff_blocks_context *c)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A], *b = &d->side[DIFF_B];
	uint32_t i;

	for (i = 0; i < a->nr_blocks; i++)
		compare_block(d, c, i, a->block[i].other);
	for (i = 0; i < b->nr_blocks; i++)
		if (b->block[i].other == DIFF_NO_BLOCK)
			compare_block(d, c, DIFF_NO_BLOCK, i);
}

/* --- edges --- */

struct named_edge {
	struct diff_flow flow;	/* by A's blocks */
	uint32_t edge;
};

static int by_flow(const void *va, const void *vb)
{
	const struct named_edge *a = va, *b = vb;

	if (a->flow.from != b->flow.from)
		return a->flow.from < b->flow.from ? -1 : 1;
	return a->flow.to < b->flow.to ? -1 : a->flow.to > b->flow.to;
}

/* What A has for a node of B. */
static uint32_t in_a(const struct diff_blocks *d, uint32_t node)
{
	const struct diff_blocks_side *b = &d->side[DIFF_B];

	return node == b->nr_blocks ? d->side[DIFF_A].nr_blocks : b->block[node].other;
}

/* The edges of B between blocks that A has, too, in order of A's blocks. */
static struct named_edge *edges_of_b(const struct diff_blocks *d, uint32_t *nr)
{
	const struct diff_blocks_side *b = &d->side[DIFF_B];
	struct named_edge *edge = mem_zalloc((size_t)b->nr_edges + 1, sizeof(*edge));
	uint32_t i;

	for (i = 0, *nr = 0; i < b->nr_edges; i++) {
		struct diff_flow flow = { in_a(d, b->edge[i].from), in_a(d, b->edge[i].to) };

		if (flow.from != DIFF_NO_BLOCK && flow.to != DIFF_NO_BLOCK)
			edge[(*nr)++] = (struct named_edge){ flow, i };
	}
	qsort(edge, *nr, sizeof(*edge), by_flow);
	return edge;
}

static void compare_edge(const struct diff_blocks *d, struct diff_blocks_context *c, uint32_t a,
			 uint32_t b)
{
	struct diff_blocks_row row = { .is_edge = true, .at = { a, b } };
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++)
		row.ran[side] = diff_blocks_each(c->run[side], c->run[side]->edge[row.at[side]]);
	if (!isnan(row.ran[DIFF_A]) && !isnan(row.ran[DIFF_B]) && differs(d, &row))
		add_row(c, &row);
}

/* Only edges between blocks of both sides: where a block is new, so are its edges. */
static void compare_edges(const struct diff_blocks *d, struct diff_blocks_context *c,
			  const struct named_edge *of_b, uint32_t nr)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A];
	uint32_t i;

	for (i = 0; i < a->nr_edges; i++) {
		struct named_edge key = { .flow = a->edge[i] }, *found;

		found = bsearch(&key, of_b, nr, sizeof(key), by_flow);
		if (found)
			compare_edge(d, c, i, found->edge);
	}
}

/* --- contexts --- */

static double change(const struct diff_blocks_row *row)
{
	return row->is_edge ? fabs(row->ran[DIFF_B] - row->ran[DIFF_A]) :
	       fabs(row->insns[DIFF_B] - row->insns[DIFF_A]);
}

static uint32_t first_place(const struct diff_blocks_row *row)
{
	return row->at[DIFF_A] != DIFF_NO_BLOCK ? row->at[DIFF_A] : row->at[DIFF_B];
}

static int by_change(const void *va, const void *vb)
{
	const struct diff_blocks_row *a = va, *b = vb;
	double x = change(a), y = change(b);

	if (a->is_edge != b->is_edge)
		return a->is_edge ? 1 : -1;
	if (x != y)
		return x > y ? -1 : 1;
	return first_place(a) < first_place(b) ? -1 : first_place(a) > first_place(b);
}

static void add_context(struct diff_blocks *d, const struct diff_blocks_run *a,
			const struct diff_blocks_run *b, const struct named_edge *of_b, uint32_t nr)
{
	struct diff_blocks_context *c;

	d->context = mem_grow(d->context, &d->room, d->nr + 1, sizeof(*d->context));
	c = &d->context[d->nr++];
	*c = (struct diff_blocks_context){ .run = { a, b } };
	if (!a || !b)
		return;
	compare_blocks(d, c);
	compare_edges(d, c, of_b, nr);
	if (c->nr)
		qsort(c->row, c->nr, sizeof(*c->row), by_change);
}

void diff_blocks_compare(struct diff_blocks *d)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A], *b = &d->side[DIFF_B];
	uint32_t i = 0, j = 0, nr;
	struct named_edge *of_b = edges_of_b(d, &nr);

	diff_nest_match(d->side);
	while (i < a->nr_runs || j < b->nr_runs) {
		int order = i == a->nr_runs ? 1 : j == b->nr_runs ? -1 :
			    strcmp(a->run[i].context, b->run[j].context);

		add_context(d, order <= 0 ? &a->run[i] : NULL, order >= 0 ? &b->run[j] : NULL,
			    of_b, nr);
		i += order <= 0;
		j += order >= 0;
	}
	free(of_b);
}

void diff_blocks_free(struct diff_blocks *d)
{
	uint32_t i;
	size_t k;
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		struct diff_blocks_side *s = &d->side[side];

		for (i = 0; i < s->nr_runs; i++) {
			free(s->run[i].block);
			free(s->run[i].edge);
			free(s->run[i].share);
		}
		free(s->run);
		free(s->block);
		free(s->edge);
		free(s->nest);
		json_tree_free(&s->json);
	}
	for (k = 0; k < d->nr; k++)
		free(d->context[k].row);
	free(d->context);
}
