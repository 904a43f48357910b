// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_flow.c - control flow graphs, their loops, and counts that follow from others
 */
#include <stdlib.h>

#include "blocks/flow.h"
#include "lib/mem.h"
#include "unit.h"

#define BASE	0x1000

/* A function of @nr instructions of four bytes each; all of them just continue. */
static struct code_function function_of(struct symbol *symbol, uint32_t nr)
{
	struct code_function f = { .nr_parts = 1, .nr = nr };
	uint32_t i;

	*symbol = (struct symbol){ .start = BASE, .size = 4 * nr, .name = "made_up" };
	f.part[0] = (struct code_part){ .symbol = symbol, .nr = nr };
	f.insn = mem_zalloc(nr, sizeof(*f.insn));
	for (i = 0; i < nr; i++)
		f.insn[i] = (struct code_insn){ .addr = BASE + 4 * i, .size = 4 };
	return f;
}

static void set(struct code_function *f, uint32_t insn, enum code_flow flow, uint32_t target)
{
	f->insn[insn].flow = flow;
	f->insn[insn].target = BASE + 4 * target;
}

/*
 * 0: before; 1: head of the outer loop; 2, 3: the inner loop, of one block; 4: end of the outer
 * loop; 5: return; 6, 7: padding
 */
static struct code_function nested(struct symbol *symbol)
{
	struct code_function f = function_of(symbol, 8);

	set(&f, 3, FLOW_BRANCH, 2);
	set(&f, 4, FLOW_BRANCH, 1);
	set(&f, 5, FLOW_RETURN, 0);
	f.insn[6].is_idle = true;
	f.insn[7].flow = FLOW_STOP;
	return f;
}

static void test_loops(void)
{
	struct symbol symbol;
	struct code_function f = nested(&symbol);
	struct graph g = { .nr = 0 };

	graph_make(&g, &f);
	CHECK_INT(g.nr, 5);	/* 0, 1, 2-3, 4, 5: without the padding */
	CHECK(!g.block[0].is_head && g.block[1].is_head && g.block[2].is_head);
	CHECK_INT(g.block[0].depth, 0);
	CHECK_INT(g.block[1].depth, 1);
	CHECK_INT(g.block[2].depth, 2);
	CHECK_INT(g.block[2].loop, 2);
	CHECK_INT(g.block[3].loop, 1);
	CHECK_INT(g.block[4].loop, GRAPH_NONE);
	graph_free(&g);
	free(f.insn);
}

/* Ten calls, three turns of the outer loop each, five of the inner loop each time. */
static void test_turns(void)
{
	static const uint64_t truth[] = { 10, 30, 150, 30, 10 };
	bool refused[8] = { false }, counted[8];
	uint64_t count[8] = { 0 };
	struct symbol symbol;
	struct code_function f = nested(&symbol);
	struct graph g = { .nr = 0 };
	struct flow flow = { .checks = 0 };
	uint32_t i, nr = 0;

	graph_make(&g, &f);
	flow_choose(&g, refused, counted);
	for (i = 0; i < g.nr; i++) {
		nr += counted[i];
		if (counted[i])
			count[i] = truth[i];
	}
	CHECK_INT(nr, 3);	/* the calls, the turns of either loop */
	flow_solve(&flow, &g, counted, count);
	for (i = 0; i < g.nr; i++)
		CHECK_INT(flow.node[i], truth[i]);
	CHECK_INT(flow_entries(&flow, &g, 1), 10);
	CHECK_INT(flow_entries(&flow, &g, 2), 30);
	CHECK_INT(flow.checks, 0);
	flow_free(&flow);
	graph_free(&g);
	free(f.insn);
}

/* A jump over code that is reached in another way only; a tail call; a part of its own. */
static void test_ways(void)
{
	struct symbol symbol, cold = { .start = 0x9000, .size = 4, .name = "made_up.cold" };
	struct code_function f = function_of(&symbol, 6);
	struct graph g = { .nr = 0 };

	symbol.size = 20;
	f.part[0].nr = 5;
	f.part[1] = (struct code_part){ .symbol = &cold, .first = 5, .nr = 1 };
	f.nr_parts = 2;
	f.insn[5].addr = cold.start;	/* a call that does not return */
	set(&f, 0, FLOW_BRANCH, (cold.start - BASE) / 4);
	set(&f, 1, FLOW_JUMP, 3);
	set(&f, 3, FLOW_JUMP, 1000);
	graph_make(&g, &f);
	/* 0; 1: jump; 2: stray; 3: tail call; 4: stray, not padding; 5: cold */
	CHECK_INT(g.nr, 6);
	CHECK(g.block[2].is_stray && g.block[4].is_stray);
	CHECK(!g.block[3].is_stray && !g.block[5].is_stray);
	CHECK_INT(graph_find(&g, 5), 5);
	/* 0 to 5, 0 to 1, 1 to 3, 2 to 3, 3, 4 and 5 out; from outside to 0, 2 and 4 */
	CHECK_INT(g.nr_edges, 10);
	graph_free(&g);
	free(f.insn);
}

/* --- random graphs, in which somebody walks --- */

static uint32_t state = 1;

static uint32_t chance(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (uint64_t)(state >> 8) * below >> 24;
}

/* Each instruction may be a branch, a jump or a return; the last one returns. */
static struct code_function random_function(struct symbol *symbol)
{
	uint32_t nr = 4 + chance(40), i, kind;
	struct code_function f = function_of(symbol, nr);

	for (i = 1; i < nr; i++) {
		kind = chance(8);
		set(&f, i, i == nr - 1 || !kind ? FLOW_RETURN : kind < 4 ? FLOW_BRANCH :
		    kind == 4 ? FLOW_JUMP : FLOW_ON, chance(nr));
	}
	return f;
}

/* Take edges by chance, from outside to outside. Gives up where no way leads out. */
static bool walk(const struct graph *g, uint64_t *node, uint64_t *edge)
{
	uint32_t at = graph_outside(g), steps = 0, nr, i, pick;

	do {
		for (i = 0, nr = 0; i < g->nr_edges; i++)
			nr += g->edge[i].from == at;
		if (!nr || steps++ > 2000)
			return false;
		pick = chance(nr);
		for (i = 0; g->edge[i].from != at || pick--; i++)
			;
		edge[i]++;
		at = g->edge[i].to;
		node[at]++;
	} while (at != graph_outside(g));
	return true;
}

/* What is counted suffices; with more than that, a count that is wrong is found to be. */
static void check_walks(const struct graph *g, const uint64_t *node, const uint64_t *edge)
{
	bool *refused = mem_zalloc(g->nr + 1, sizeof(*refused));
	bool *counted = mem_zalloc(g->nr + 1, sizeof(*counted));
	uint64_t *count = mem_zalloc(g->nr + 1, sizeof(*count));
	struct flow flow = { .checks = 0 };
	uint32_t i, more = GRAPH_NONE;

	flow_choose(g, refused, counted);
	for (i = 0; i < g->nr; i++) {
		count[i] = counted[i] ? node[i] : 12345;
		if (!counted[i])
			more = i;
	}
	flow_solve(&flow, g, counted, count);
	for (i = 0; i <= g->nr; i++)
		CHECK_INT(flow.node[i], node[i]);
	for (i = 0; i < g->nr_edges; i++)
		CHECK(flow.edge[i] == COUNT_UNKNOWN || flow.edge[i] == edge[i]);
	CHECK(!flow.wrong && !flow.checks);
	flow_free(&flow);
	if (more != GRAPH_NONE) {
		counted[more] = true;
		count[more] = node[more] + 7;
		flow_solve(&flow, g, counted, count);
		CHECK_INT(flow.checks, 1);
		CHECK_INT(flow.wrong, 1);
		flow_free(&flow);
	}
	free(refused);
	free(counted);
	free(count);
}

static void test_walks(void)
{
	uint32_t i, k, walked = 0;

	for (i = 0; i < 2000; i++) {
		struct symbol symbol;
		struct code_function f = random_function(&symbol);
		struct graph g = { .nr = 0 };
		uint64_t *node, *edge;
		bool out = true;

		graph_make(&g, &f);
		node = mem_zalloc(g.nr + 1, sizeof(*node));
		edge = mem_zalloc(g.nr_edges + 1, sizeof(*edge));
		for (k = 0; k < 20 && out; k++)
			out = walk(&g, node, edge);
		walked += out;
		if (out)
			check_walks(&g, node, edge);
		free(node);
		free(edge);
		graph_free(&g);
		free(f.insn);
	}
	CHECK(walked > 500);
}

/* One that cannot be counted, but would be needed: some counts are not known, the others are. */
static void test_refused(void)
{
	struct symbol symbol;
	struct code_function f = function_of(&symbol, 4);
	struct graph g = { .nr = 0 };
	bool refused[8] = { false, true, true }, counted[8];
	uint64_t count[8] = { 10, 0, 0, 10 };
	struct flow flow = { .checks = 0 };

	/* 0 leads to 1 or 2, both of which go on to 3. */
	set(&f, 0, FLOW_BRANCH, 2);
	set(&f, 1, FLOW_JUMP, 3);
	set(&f, 3, FLOW_RETURN, 0);
	graph_make(&g, &f);
	CHECK_INT(g.nr, 4);
	flow_choose(&g, refused, counted);
	CHECK(!counted[1] && !counted[2]);
	counted[0] = true;
	flow_solve(&flow, &g, counted, count);
	CHECK_INT(flow.node[0], 10);
	CHECK_INT(flow.node[3], 10);
	CHECK_INT(flow.node[1], COUNT_UNKNOWN);
	CHECK_INT(flow.node[2], COUNT_UNKNOWN);
	flow_free(&flow);
	graph_free(&g);
	free(f.insn);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "loops", test_loops },
		{ "turns", test_turns },
		{ "ways", test_ways },
		{ "walks", test_walks },
		{ "refused", test_refused },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
