// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_text.c - how often each block of a function ran, as text
 */
#include <inttypes.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/plural.h"

static const char *const columns[] = {
	"% insns", "count", "a call", "insns", "turns", "block", "then", "function",
};

#define NR_COLUMNS	(sizeof(columns) / sizeof(*columns))
#define NR_TEXTS	3

static uint32_t count_loops(const struct graph *g)
{
	uint32_t i, nr = 0;

	for (i = 0; i < g->nr; i++)
		nr += g->block[i].is_head;
	return nr;
}

static void print_heading(const struct blocks_output *o, const struct blocks *b)
{
	const struct graph *g = &b->graph;
	uint32_t i, insns = 0, loops = count_loops(g);

	for (i = 0; i < g->nr; i++)
		insns += g->block[i].nr;
	fprintf(o->out, "# %s%s%s%s: %u instruction%s in %u block%s, %u loop%s\n", b->symbol->name,
		b->symbol->module ? " [" : "", b->symbol->module ? b->symbol->module : "",
		b->symbol->module ? "]" : "", insns, plural(insns), g->nr, plural(g->nr), loops,
		plural(loops));
	fprintf(o->out, "# counted: %u block%s; the others follow from what leads where\n",
		b->nr_counted, plural(b->nr_counted));
	if (b->nr_refused)
		fprintf(o->out, "# not to be counted: %u block%s; the first: %s\n", b->nr_refused,
			plural(b->nr_refused), b->refusal.data);
	if (g->has_tables)
		fprintf(o->out, "# it jumps through tables: what is not counted is not known\n");
}

static void print_count(FILE *out, const char *name, uint64_t count)
{
	if (count == COUNT_UNKNOWN)
		fprintf(out, "%s not known", name);
	else
		fprintf(out, "%s %" PRIu64, name, count);
}

static void print_run(const struct blocks_output *o, const struct blocks_run *run)
{
	struct buf context = { 0 };

	if (*run->context) {
		escape_add(&context, run->context, strlen(run->context));
		fprintf(o->out, "\n# %s\n", context.data);
		buf_free(&context);
	}
	print_count(o->out, "# calls", run->calls);
	fprintf(o->out, ", instructions %s%" PRIu64, run->is_partial ? "at least " : "",
		run->insns);
	if (run->calls && run->calls != COUNT_UNKNOWN)
		fprintf(o->out, ": %.1f a call", (double)run->insns / run->calls);
	fprintf(o->out, "\n");
}

/* --- a row --- */

static void add_number(struct columns *c, uint64_t count, double divisor, int digits)
{
	if (count == COUNT_UNKNOWN || !divisor)
		columns_add(c, "?");
	else
		columns_add(c, "%.*f", digits, count / divisor);
}

/* How often a loop turned, each time it was entered. */
static void add_turns(struct columns *c, const struct blocks *b, const struct flow *flow,
		      uint32_t block)
{
	uint64_t entries;

	if (!b->graph.block[block].is_head) {
		columns_add(c, "-");
		return;
	}
	entries = flow_entries(flow, &b->graph, block);
	add_number(c, flow->node[block], entries == COUNT_UNKNOWN ? 0 : entries, 1);
}

/* Where it leads to; how often, if there is more than one way. */
static void add_successors(struct columns *c, const struct blocks *b, const struct flow *flow,
			   uint32_t block)
{
	const struct graph *g = &b->graph;
	struct buf text = { 0 };
	uint32_t i, nr = 0;

	for (i = 0; i < g->nr_edges; i++)
		nr += g->edge[i].from == block;
	for (i = 0; i < g->nr_edges; i++) {
		const struct graph_edge *e = &g->edge[i];

		if (e->from != block)
			continue;
		buf_printf(&text, "%s", text.len ? ", " : "");
		if (e->to == graph_outside(g))
			buf_printf(&text, "leave");
		else
			blocks_place(b, e->to, &text);
		if (nr > 1 && flow->edge[i] != COUNT_UNKNOWN)
			buf_printf(&text, " (%" PRIu64 ")", flow->edge[i]);
	}
	columns_add(c, "%s", text.len ? text.data : "-");
	buf_free(&text);
}

static void add_function(struct columns *c, const struct blocks *b, uint32_t block)
{
	struct buf name = { 0 };

	blocks_function(b, block, &name);
	columns_add(c, "%s", name.data);
	buf_free(&name);
}

static void add_row(struct columns *c, const struct blocks *b, const struct blocks_run *run,
		    uint32_t block)
{
	uint64_t count = run->flow.node[block];
	uint32_t insns = b->graph.block[block].nr, i;
	struct buf place = { 0 };

	add_number(c, count == COUNT_UNKNOWN ? count : 100 * count * insns,
		   run->insns ? run->insns : 1, 1);
	add_number(c, count, 1, 0);
	add_number(c, count, run->calls == COUNT_UNKNOWN ? 0 : run->calls ? run->calls : 1, 2);
	columns_add(c, "%u", insns);
	add_turns(c, b, &run->flow, block);
	for (i = 0; i < b->graph.block[block].depth; i++)
		buf_printf(&place, " ");
	blocks_place(b, block, &place);
	columns_add(c, "%s", place.data);
	buf_free(&place);
	add_successors(c, b, &run->flow, block);
	add_function(c, b, block);
}

/* --- tables --- */

static bool is_shown(const struct blocks_output *o, const struct blocks_run *run, uint32_t block)
{
	return o->with_idle || run->flow.node[block];
}

static void print_table(const struct blocks_output *o, const struct blocks *b,
			const struct blocks_run *run)
{
	struct columns c;
	uint32_t i, idle = 0;

	columns_begin(&c, columns, NR_COLUMNS, NR_TEXTS);
	for (i = 0; i < b->graph.nr; i++) {
		if (is_shown(o, run, i))
			add_row(&c, b, run, i);
		else
			idle++;
	}
	columns_print(&c, o->out);
	if (idle)
		fprintf(o->out, "# %u block%s never ran; --idle shows all\n", idle, plural(idle));
}

static void print_insns(const struct blocks_output *o, const struct blocks *b,
			const struct blocks_run *run)
{
	uint32_t i, k;

	for (i = 0; i < b->graph.nr; i++) {
		const struct graph_block *block = &b->graph.block[i];
		struct buf text = { 0 };

		if (!is_shown(o, run, i))
			continue;
		blocks_place(b, i, &text);
		print_count(o->out, "\n#", run->flow.node[i]);
		fprintf(o->out, "  %s\n", text.data);
		for (k = block->first; k < block->first + block->nr; k++) {
			text.len = 0;
			code_function_print(&b->function, &b->names.symbols, k, &text);
			fprintf(o->out, "  %" PRIx64 ":\t%s\n", b->function.insn[k].addr,
				text.len ? text.data : "?");
		}
		buf_free(&text);
	}
}

static void print_account(const struct blocks_output *o, const struct blocks *b,
			  const struct blocks_run *run)
{
	const struct flow *flow = &run->flow;
	uint64_t strays = 0;
	uint32_t i;

	for (i = 0; i < b->graph.nr; i++)
		if (b->graph.block[i].is_stray && flow->node[i] != COUNT_UNKNOWN)
			strays += flow->node[i];
	if (!flow->wrong)
		fprintf(o->out, "# checked: %u more count%s; all %s what follows from the others\n",
			flow->checks, plural(flow->checks), plural_are(flow->checks));
	else
		fprintf(o->out, "# checked: %u of %u more count%s differ, by up to %" PRIu64 "\n",
			flow->wrong, flow->checks, plural(flow->checks), flow->most);
	if (strays && !b->graph.has_tables)
		fprintf(o->out, "# %" PRIu64 " time%s a fault or the like led where no jump does\n",
			strays, plural(strays));
}

void blocks_print_text(const struct blocks_output *o, const struct blocks *b,
		       const struct blocks_runs *runs)
{
	size_t i;

	print_heading(o, b);
	for (i = 0; i < runs->nr; i++) {
		print_run(o, &runs->run[i]);
		print_table(o, b, &runs->run[i]);
		if (o->with_insns)
			print_insns(o, b, &runs->run[i]);
		blocks_print_nest(o, b, &runs->run[i]);
		print_account(o, b, &runs->run[i]);
	}
	if (runs->missed)
		fprintf(o->out, "# %" PRIu64 " hit%s missed, inside of another probe\n",
			runs->missed, plural(runs->missed));
	if (o->own)
		fprintf(o->out, "# left out: %" PRIu64 " hit%s of kprof itself (--own)\n", o->own,
			plural(o->own));
	if (o->lost)
		fprintf(o->out, "# lost: %s\n", o->lost);
	if (count_loops(&b->graph))
		fprintf(o->out, "# what the turns depend on: kprof explain --turns %s\n",
			b->symbol->name);
}
