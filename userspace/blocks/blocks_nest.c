// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_nest.c - what each inlined function, and each turn of a loop, costs in instructions
 *
 * All from the counts of blocks: what is in a loop ran for its turns, and the rest for the call.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/columns.h"
#include "lib/mem.h"
#include "lib/plural.h"

/* --- how much of each --- */

static void add(uint64_t *sum, uint64_t count)
{
	*sum = *sum == COUNT_UNKNOWN || count == COUNT_UNKNOWN ? COUNT_UNKNOWN : *sum + count;
}

/* Instructions of a node itself, to it and to those above it. */
static void add_insns(struct blocks_share *share, const struct nest *n, uint32_t node,
		      uint64_t count)
{
	bool is_fixed = true;

	for (; node != NEST_NONE; node = n->node[node].parent) {
		add(&share[node].insns, count);
		if (is_fixed)
			add(&share[node].fixed, count);
		is_fixed = is_fixed && n->node[node].head == GRAPH_NONE;
	}
}

/*
 * How often an inlined function was entered at an instruction. If a loop of its own begins there,
 * turns are no calls.
 */
static uint64_t entered(const struct blocks *b, const struct flow *flow, const struct nest_entry *e)
{
	uint32_t block = graph_block_of(&b->graph, e->insn), at;

	if (block == GRAPH_NONE)
		return COUNT_UNKNOWN;
	for (at = b->nest.of[e->insn]; at != e->node; at = b->nest.node[at].parent)
		if (b->nest.node[at].head == block)
			return flow_entries(flow, &b->graph, block);
	return flow->node[block];
}

static void add_entries(struct blocks_share *share, const struct blocks *b,
			const struct blocks_run *run)
{
	const struct nest *n = &b->nest;
	bool *has = mem_zalloc(n->nr, sizeof(*has));
	uint32_t i;

	share[0].count = run->calls;
	has[0] = true;
	for (i = 0; i < n->nr_entries; i++) {
		const struct nest_entry *e = &n->entry[i];

		has[e->node] = true;
		add(&share[e->node].count, entered(b, &run->flow, e));
	}
	for (i = 0; i < n->nr; i++) {
		uint32_t head = n->node[i].head;

		if (head != GRAPH_NONE)
			share[i].count = run->flow.node[head];
		else if (!has[i] && share[i].insns)
			share[i].count = COUNT_UNKNOWN;
		share[i].entries = head == GRAPH_NONE ? share[i].count :
				   flow_entries(&run->flow, &b->graph, head);
	}
	free(has);
}

struct blocks_share *blocks_shares(const struct blocks *b, const struct blocks_run *run)
{
	struct blocks_share *share = mem_zalloc(b->nest.nr, sizeof(*share));
	uint32_t i, k;

	for (i = 0; i < b->graph.nr; i++) {
		const struct graph_block *block = &b->graph.block[i];

		for (k = block->first; k < block->first + block->nr; k++)
			add_insns(share, &b->nest, b->nest.of[k], run->flow.node[i]);
	}
	add_entries(share, b, run);
	return share;
}

/* --- text --- */

static const char *const columns[] = {
	"% insns", "count", "each", "fixed", "turns", "function, or loop",
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(*columns))
#define NR_TEXTS	1

#define LEAST	0.01	/* share of the instructions: less is left out */

static void add_count(struct columns *c, uint64_t count)
{
	if (count == COUNT_UNKNOWN)
		columns_add(c, "?");
	else
		columns_add(c, "%" PRIu64, count);
}

static void add_ratio(struct columns *c, uint64_t count, uint64_t by, double factor)
{
	if (count == COUNT_UNKNOWN || by == COUNT_UNKNOWN || !by)
		columns_add(c, "?");
	else
		columns_add(c, "%.1f", factor * count / by);
}

static void print_node(const struct blocks *b, uint32_t node, struct buf *out)
{
	const struct nest_node *at = &b->nest.node[node];

	buf_printf(out, "%*s", (int)(2 * at->depth), "");
	if (at->head == GRAPH_NONE) {
		buf_printf(out, "%s", at->function);
	} else {
		buf_printf(out, "loop at ");
		blocks_place(b, at->head, out);
	}
	if (at->file && at->line)
		buf_printf(out, " (%s:%" PRIu32 ")", at->file, at->line);
}

static void add_node(struct columns *c, const struct blocks *b, const struct blocks_share *share,
		     uint32_t node)
{
	const struct blocks_share *s = &share[node];
	struct buf text = { 0 };

	add_ratio(c, s->insns, share[0].insns ? share[0].insns : 1, 100);
	add_count(c, s->count);
	add_ratio(c, s->insns, s->count, 1);
	add_ratio(c, s->fixed, s->count, 1);
	if (b->nest.node[node].head == GRAPH_NONE)
		columns_add(c, "-");
	else
		add_ratio(c, s->count, s->entries, 1);
	print_node(b, node, &text);
	columns_add(c, "%s", text.data);
	buf_free(&text);
}

/* Inlined functions of an instruction or two are many. */
static bool is_worth_it(const struct blocks_share *share, uint32_t node)
{
	return !node || (share[node].insns && (share[node].insns == COUNT_UNKNOWN ||
			 share[0].insns == COUNT_UNKNOWN ||
			 (double)share[node].insns / share[0].insns >= LEAST));
}

void blocks_print_nest(const struct blocks_output *o, const struct blocks *b,
		       const struct blocks_run *run)
{
	struct blocks_share *share;
	uint32_t i, small = 0;
	struct columns c;

	if (b->nest.nr <= 1 || (!run->insns && !o->with_idle))
		return;
	share = blocks_shares(b, run);
	columns_begin(&c, columns, NR_COLUMNS, NR_TEXTS);
	for (i = 0; i != NEST_NONE; i = nest_next(&b->nest, i)) {
		if (o->with_idle || is_worth_it(share, i))
			add_node(&c, b, share, i);
		else
			small++;
	}
	fputs("#\n# by inlined function and loop; each: instructions of a call, or of a turn of a "
	      "loop;\n# fixed: those of them outside of the loops in it\n", o->out);
	columns_print(&c, o->out);
	if (small)
		fprintf(o->out, "# %u row%s of less than 1 %% left out; --idle shows all\n",
			small, plural(small));
	free(share);
}

/* --- JSON --- */

static void put_node(struct json *j, const struct blocks *b, const struct blocks_share *share,
		     uint32_t node)
{
	const struct nest_node *at = &b->nest.node[node];
	const struct blocks_share *s = &share[node];

	json_object(j, NULL, JSON_LINE);
	json_u64(j, "depth", at->depth);
	json_text(j, "function", at->function);
	if (at->head == GRAPH_NONE)
		json_null(j, "loop");
	else
		blocks_put_place(j, "loop", b, at->head);
	json_text(j, "file", at->line ? at->file : NULL);
	if (at->file && at->line)
		json_u64(j, "line", at->line);
	else
		json_null(j, "line");
	blocks_put_count(j, "count", s->count);
	blocks_put_count(j, "entries", s->entries);
	blocks_put_count(j, "insns", s->insns);
	blocks_put_count(j, "fixed", s->fixed);
	json_close(j);
}

void blocks_put_nest(struct json *j, const struct blocks *b, const struct blocks_run *run)
{
	struct blocks_share *share = blocks_shares(b, run);
	uint32_t i;

	json_array(j, "nest", JSON_LINES);
	for (i = 0; i != NEST_NONE; i = nest_next(&b->nest, i))
		put_node(j, b, share, i);
	json_close(j);
	free(share);
}
