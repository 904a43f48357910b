// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_runs.c - from rows of the module's table to the counts of all blocks, by context
 */
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/strtab.h"

static struct blocks_run *run_of(struct blocks_runs *runs, const struct blocks *b,
				 const char *context)
{
	size_t i;

	for (i = 0; i < runs->nr; i++)
		if (!strcmp(runs->run[i].context, context))
			return &runs->run[i];
	runs->run = mem_grow(runs->run, &runs->room, runs->nr + 1, sizeof(*runs->run));
	runs->run[runs->nr] = (struct blocks_run) {
		.context = context, .count = mem_zalloc(b->graph.nr + 1, sizeof(uint64_t)),
	};
	return &runs->run[runs->nr++];
}

/* The block whose probe is at an address, or GRAPH_NONE. */
static uint32_t block_of(const struct blocks *b, uint64_t addr)
{
	uint32_t i;

	for (i = 0; i < b->graph.nr; i++)
		if (b->counted[i] && b->function.insn[b->probed[i]].addr == addr)
			return i;
	return GRAPH_NONE;
}

static bool take_row(struct blocks_runs *runs, const struct blocks *b, const struct lat_row *row)
{
	const char *target = row->target;
	struct blocks_run *run;
	uint32_t block;
	uint64_t addr;

	if (strncmp(row->target, "0x", 2))
		return false;
	target += 2;
	if (!number_take(&target, NUMBER_HEX, &addr) || (*target && strcmp(target, BLOCKS_POINT)))
		return false;
	block = block_of(b, addr);
	if (block == GRAPH_NONE)
		return false;
	/* The module's word for "no keys". */
	run = run_of(runs, b, strcmp(row->context, "-") ? row->context : "");
	run->count[block] += row->calls;
	return true;
}

/* The module counts them by probe, and says so in each row of it. */
static uint64_t count_missed(const struct lat_table *t)
{
	struct strtab seen = { 0 };
	uint64_t missed = 0;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const char *target = t->row[i].target;
		const size_t len = strlen(target);

		if (t->row[i].missed == LAT_UNKNOWN ||
		    strtab_find(&seen, target, len) != STRTAB_NONE)
			continue;
		strtab_add(&seen, target, len);
		missed += t->row[i].missed;
	}
	strtab_free(&seen);
	return missed;
}

/* The edge from outside to the first block; calls of a function that begins with a loop. */
static uint64_t calls_of(const struct flow *flow, const struct graph *g)
{
	uint32_t i;

	for (i = 0; i < g->nr_edges; i++)
		if (g->edge[i].from == graph_outside(g) && !g->edge[i].to)
			return flow->edge[i] != COUNT_UNKNOWN || g->block[0].is_head ?
			       flow->edge[i] : flow->node[0];
	return COUNT_UNKNOWN;
}

static void finish(struct blocks_run *run, const struct blocks *b)
{
	const struct graph *g = &b->graph;
	uint32_t i;

	flow_solve(&run->flow, g, b->counted, run->count);
	for (i = 0; i < g->nr; i++) {
		if (run->flow.node[i] == COUNT_UNKNOWN)
			run->is_partial = true;
		else
			run->insns += run->flow.node[i] * g->block[i].nr;
	}
	run->calls = calls_of(&run->flow, g);
}

static int by_insns(const void *va, const void *vb)
{
	const struct blocks_run *a = va, *b = vb;

	if (a->insns != b->insns)
		return a->insns > b->insns ? -1 : 1;
	return strcmp(a->context, b->context);
}

bool blocks_take(struct blocks_runs *runs, const struct blocks *b, const struct lat_table *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (!take_row(runs, b, &t->row[i]))
			return false;
	runs->missed = count_missed(t);
	/* Nothing was called: that is a result, too. */
	if (!runs->nr)
		run_of(runs, b, "");
	for (i = 0; i < runs->nr; i++)
		finish(&runs->run[i], b);
	qsort(runs->run, runs->nr, sizeof(*runs->run), by_insns);
	return true;
}

void blocks_runs_free(struct blocks_runs *runs)
{
	size_t i;

	for (i = 0; i < runs->nr; i++) {
		flow_free(&runs->run[i].flow);
		free(runs->run[i].count);
	}
	free(runs->run);
	*runs = (struct blocks_runs){ .nr = 0 };
}
