// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks_text.c - the blocks of a function compared, as text
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "diff/diff_blocks.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/plural.h"

/* All texts are a file's. */
static void put(FILE *out, const char *before, const char *text, const char *after)
{
	struct buf escaped = { 0 };

	if (!text)
		return;
	escape_add(&escaped, text, strlen(text));
	fprintf(out, "%s%s%s", before, escaped.len ? escaped.data : "", after);
	buf_free(&escaped);
}

static void add(struct columns *c, const char *text)
{
	struct buf escaped = { 0 };

	escape_add(&escaped, text, strlen(text));
	columns_add(c, "%s", escaped.len ? escaped.data : "-");
	buf_free(&escaped);
}

/* --- heading --- */

static void print_heading(const struct diff_blocks *d, FILE *out)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A], *b = &d->side[DIFF_B];
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		const struct diff_blocks_side *s = &d->side[side];

		fprintf(out, "# %c: ", 'A' + side);
		put(out, "", s->path, ": ");
		put(out, "", s->function, "");
		put(out, " [", s->module, "]");
		put(out, ", kernel ", s->kernel, "");
		put(out, ", lost: ", s->lost, "");
		fprintf(out, "\n");
	}
	fprintf(out, "# blocks: %u and %u; %u are the same, %u only in A, %u only in B\n",
		a->nr_blocks, b->nr_blocks, a->nr_blocks - diff_blocks_alone(a),
		diff_blocks_alone(a), diff_blocks_alone(b));
}

static void print_count(uint64_t count, FILE *out)
{
	if (count == UINT64_MAX)
		fprintf(out, "?");
	else
		fprintf(out, "%" PRIu64, count);
}

static void print_context(const struct diff_blocks_context *c, FILE *out)
{
	const struct diff_blocks_run *a = c->run[DIFF_A], *b = c->run[DIFF_B];
	const char *context = a ? a->context : b->context;
	double before, after;

	if (*context)
		put(out, "\n# ", context, "\n");
	if (!a || !b) {
		fprintf(out, "# only in %c: calls ", a ? 'A' : 'B');
		print_count(a ? a->calls : b->calls, out);
		fprintf(out, "\n");
		return;
	}
	fprintf(out, "# calls ");
	print_count(a->calls, out);
	fprintf(out, " and ");
	print_count(b->calls, out);
	before = diff_blocks_each(a, a->insns);
	after = diff_blocks_each(b, b->insns);
	if (isnan(before) || isnan(after))
		fprintf(out, "; instructions a call are not known\n");
	else
		fprintf(out, "; instructions a call %.1f and %.1f (%+.1f)\n", before, after,
			after - before);
}

/* --- rows --- */

static void add_block(struct columns *c, const struct diff_blocks_side *side, uint32_t block)
{
	add(c, block == DIFF_NO_BLOCK ? "-" : block == side->nr_blocks ? "leave" :
	       side->block[block].place);
}

static void add_block_row(struct columns *c, const struct diff_blocks *d,
			  const struct diff_blocks_row *row)
{
	const uint32_t *at = row->at;
	const struct diff_block *block = at[DIFF_B] == DIFF_NO_BLOCK ?
					 &d->side[DIFF_A].block[at[DIFF_A]] :
					 &d->side[DIFF_B].block[at[DIFF_B]];
	struct buf name = { 0 };

	columns_add(c, "%+.2f", row->insns[DIFF_B] - row->insns[DIFF_A]);
	columns_add(c, "%.2f", row->ran[DIFF_A]);
	columns_add(c, "%.2f", row->ran[DIFF_B]);
	add_block(c, &d->side[DIFF_A], at[DIFF_A]);
	add_block(c, &d->side[DIFF_B], at[DIFF_B]);
	buf_printf(&name, "%s", block->function ? block->function : "?");
	if (block->line)
		buf_printf(&name, " (%s)", block->line);
	add(c, name.data);
	buf_free(&name);
}

static void add_edge_row(struct columns *c, const struct diff_blocks *d,
			 const struct diff_blocks_row *row)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A];
	const struct diff_flow *edge = &a->edge[row->at[DIFF_A]];

	columns_add(c, "%+.2f", row->ran[DIFF_B] - row->ran[DIFF_A]);
	columns_add(c, "%.2f", row->ran[DIFF_A]);
	columns_add(c, "%.2f", row->ran[DIFF_B]);
	if (edge->from == a->nr_blocks)
		add(c, "enter");
	else
		add_block(c, a, edge->from);
	add_block(c, a, edge->to);
}

/* The blocks or the edges among the rows. */
static void print_rows(const struct diff_blocks *d, const struct diff_blocks_context *c,
		       bool edges, long lines, FILE *out)
{
	static const char *const of_blocks[] = { "insns a call", "A", "B", "in A", "in B",
						 "function" };
	static const char *const of_edges[] = { "times a call", "A", "B", "from", "to" };
	struct columns table;
	long nr = 0;
	size_t i;

	columns_begin(&table, edges ? of_edges : of_blocks, edges ? 5 : 6, edges ? 2 : 3);
	for (i = 0; i < c->nr; i++) {
		if (c->row[i].is_edge != edges)
			continue;
		if (!lines || nr < lines)
			(edges ? add_edge_row : add_block_row)(&table, d, &c->row[i]);
		nr++;
	}
	fprintf(out, "# %s that differ: %ld\n", edges ? "edges" : "blocks", nr);
	if (nr)
		columns_print(&table, out);
	else
		buf_free(&table.text);
	if (lines && nr > lines)
		fprintf(out, "# %ld more; -n shows more lines\n", nr - lines);
}

void diff_blocks_print_text(const struct diff_blocks *d, long lines, FILE *out)
{
	size_t i;

	print_heading(d, out);
	for (i = 0; i < d->nr; i++) {
		const struct diff_blocks_context *c = &d->context[i];

		print_context(c, out);
		if (!c->run[DIFF_A] || !c->run[DIFF_B])
			continue;
		print_rows(d, c, false, lines, out);
		print_rows(d, c, true, lines, out);
		if (c->unknown)
			fprintf(out, "# not compared: %u block%s whose count is not known\n",
				c->unknown, plural(c->unknown));
		diff_nest_print_text(d, c, out);
	}
}
