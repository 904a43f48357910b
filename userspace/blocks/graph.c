// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph.c - the control flow graph of a function: blocks of instructions and their edges
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/graph.h"
#include "lib/mem.h"

/* --- blocks --- */

static bool is_jump(const struct code_insn *insn)
{
	return insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH;
}

static bool goes_on(const struct code_insn *insn)
{
	return insn->flow == FLOW_ON || insn->flow == FLOW_BRANCH;
}

/* A block begins where a part does, where a jump leads to, and behind each jump. */
static bool *find_leaders(const struct code_function *f)
{
	bool *leads = mem_zalloc(f->nr + 1, sizeof(*leads));
	uint32_t i, to;

	for (i = 0; i < f->nr_parts; i++)
		leads[f->part[i].first] = true;
	for (i = 0; i < f->nr; i++) {
		if (f->insn[i].flow != FLOW_ON)
			leads[i + 1] = true;
		if (!is_jump(&f->insn[i]))
			continue;
		to = code_function_find(f, f->insn[i].target);
		if (to != CODE_NOWHERE)
			leads[to] = true;
	}
	return leads;
}

static void split(struct graph *g, const struct code_function *f)
{
	bool *leads = find_leaders(f);
	uint32_t i;

	for (i = 0; i < f->nr; i++) {
		if (leads[i]) {
			g->block = mem_grow(g->block, &g->room, g->nr + 1, sizeof(*g->block));
			g->block[g->nr++] = (struct graph_block){ .first = i, .loop = GRAPH_NONE };
		}
		g->block[g->nr - 1].nr++;
	}
	free(leads);
}

/* The first block that begins there or later; their number, if there is none. */
static uint32_t find_from(const struct graph *g, uint32_t insn)
{
	uint32_t low = 0, high = g->nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (g->block[mid].first < insn)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t graph_find(const struct graph *g, uint32_t insn)
{
	uint32_t at = find_from(g, insn);

	return at < g->nr && g->block[at].first == insn ? at : GRAPH_NONE;
}

uint32_t graph_block_of(const struct graph *g, uint32_t insn)
{
	uint32_t behind = find_from(g, insn + 1);

	return behind && insn - g->block[behind - 1].first < g->block[behind - 1].nr ?
	       behind - 1 : GRAPH_NONE;
}

/* --- edges --- */

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
	uint32_t i;

	/* A branch to the next instruction is one edge, not two. */
	for (i = g->nr_edges; i && g->edge[i - 1].from == from; i--)
		if (g->edge[i - 1].to == to)
			return;
	g->edge = mem_grow(g->edge, &g->edge_room, g->nr_edges + 1, sizeof(*g->edge));
	g->edge[g->nr_edges++] = (struct graph_edge){ .from = from, .to = to };
}

/* Is the next instruction in the same part? A call at the end of a part does not return. */
static bool has_next(const struct code_function *f, uint32_t insn)
{
	return insn + 1 < f->nr &&
	       code_function_part(f, insn) == code_function_part(f, insn + 1);
}

static void connect(struct graph *g, const struct code_function *f)
{
	uint32_t i, last, to;

	for (i = 0; i < g->nr; i++) {
		const struct code_insn *insn;

		last = g->block[i].first + g->block[i].nr - 1;
		insn = &f->insn[last];
		if (insn->flow == FLOW_TABLE)
			g->has_tables = true;
		to = is_jump(insn) ? code_function_find(f, insn->target) : CODE_NOWHERE;
		if (to != CODE_NOWHERE)
			add_edge(g, i, graph_find(g, to));
		if (goes_on(insn) && has_next(f, last))
			add_edge(g, i, i + 1);
		/* Also a jump to another function, and a call that does not return. */
		if (is_jump(insn) ? to == CODE_NOWHERE :
				    insn->flow != FLOW_ON || !has_next(f, last))
			add_edge(g, i, graph_outside(g));
	}
}

/* --- what is there only to fill up --- */

static void reach(const struct graph *g, bool *reached, uint32_t from)
{
	uint32_t *stack = mem_zalloc(g->nr + 2, sizeof(*stack)), nr = 0, i, at;

	reached[from] = true;
	stack[nr++] = from;
	while (nr) {
		at = stack[--nr];
		for (i = 0; i < g->nr_edges; i++)
			if (g->edge[i].from == at && !reached[g->edge[i].to]) {
				reached[g->edge[i].to] = true;
				if (g->edge[i].to != graph_outside(g))
					stack[nr++] = g->edge[i].to;
			}
	}
	free(stack);
}

/* Nops and traps, between functions or behind the last one. */
static bool is_filling(const struct graph *g, const struct code_function *f, uint32_t block)
{
	const struct graph_block *b = &g->block[block];
	uint32_t i;

	for (i = b->first; i < b->first + b->nr; i++)
		if (!f->insn[i].is_idle && f->insn[i].flow != FLOW_STOP)
			return false;
	return true;
}

/* Drop blocks, with their edges; numbers of blocks change. */
static void drop(struct graph *g, const bool *gone)
{
	uint32_t *to = mem_zalloc(g->nr + 1, sizeof(*to)), nr = 0, i, n = 0;

	for (i = 0; i < g->nr; i++) {
		to[i] = nr;
		if (!gone[i])
			g->block[nr++] = g->block[i];
	}
	to[g->nr] = nr;
	for (i = 0; i < g->nr_edges; i++)
		if (!gone[g->edge[i].from])
			g->edge[n++] = (struct graph_edge) {
				.from = to[g->edge[i].from], .to = to[g->edge[i].to],
			};
	g->nr = nr;
	g->nr_edges = n;
	free(to);
}

/*
 * What no edge leads to may still be executed: the kernel continues there after a fault, a jump
 * through a table leads there, or a static branch that is off now and may be switched on.
 */
static void find_strays(struct graph *g, const struct code_function *f)
{
	bool *reached = mem_zalloc(g->nr + 1, sizeof(*reached));
	bool *gone = mem_zalloc(g->nr + 1, sizeof(*gone));
	uint32_t i;

	reach(g, reached, 0);
	for (i = 1; i < g->nr; i++)
		gone[i] = !reached[i] && is_filling(g, f, i);
	for (i = 1; i < g->nr; i++)
		if (!reached[i] && !gone[i]) {
			g->block[i].is_stray = true;
			reach(g, reached, i);
		}
	drop(g, gone);
	free(reached);
	free(gone);
}

void graph_make(struct graph *g, const struct code_function *f)
{
	uint32_t i;

	split(g, f);
	connect(g, f);
	find_strays(g, f);
	add_edge(g, graph_outside(g), 0);
	for (i = 1; i < g->nr; i++)
		if (g->block[i].is_stray)
			add_edge(g, graph_outside(g), i);
	graph_find_loops(g);
}

void graph_free(struct graph *g)
{
	free(g->block);
	free(g->edge);
	*g = (struct graph){ 0 };
}
