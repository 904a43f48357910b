// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore_text.c - which values lead to which blocks, as text
 */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/plural.h"

static void print_heading(const struct explore *x, FILE *out)
{
	const struct symbol *symbol = x->blocks.symbol;
	const struct search *s = &x->search;
	uint64_t ways = holes_ways(&x->holes);

	fprintf(out, "# %s%s%s%s: %u of %u block%s reached, %" PRIu64 " call%s\n",
		symbol->name, symbol->module ? " [" : "", symbol->module ? symbol->module : "",
		symbol->module ? "]" : "", explore_count_blocks(x, &s->reached),
		x->blocks.graph.nr, plural(x->blocks.graph.nr), x->calls, plural(x->calls));
	fprintf(out, "# tried: %u of ", s->nr);
	if (ways == UINT64_MAX)
		fprintf(out, "countless");
	else
		fprintf(out, "%" PRIu64, ways);
	fprintf(out, " ways to fill the holes%s; --seed %" PRIu64 "%s\n",
		s->is_complete ? ", which are all" : "", s->seed,
		x->is_interrupted ? "; interrupted" : "");
}

/* --- the tries that are needed --- */

static void add_values(struct columns *c, const struct explore *x, const int64_t *value)
{
	struct buf text = { 0 }, escaped = { 0 };

	holes_print(&x->holes, value, &text);
	escape_add(&escaped, text.data, text.len);
	columns_add(c, "%s", escaped.data);
	buf_free(&text);
	buf_free(&escaped);
}

static void add_again(struct columns *c, const struct explore_chosen *chosen,
		      const struct search_try *t)
{
	uint32_t lost = features_beyond(&t->reached, &chosen->again);
	uint32_t all = features_count(&t->reached);

	if (!chosen->is_run)
		columns_add(c, "-");
	else if (!lost)
		columns_add(c, "all");
	else
		columns_add(c, "%u/%u", all - lost, all);
}

static void print_chosen(const struct explore *x, FILE *out)
{
	static const char *const columns[] = { "try", "blocks", "again", "status", "values" };
	struct columns c;
	uint32_t i;

	fprintf(out, "# %u tr%s reach%s all of that:\n", x->nr_chosen,
		x->nr_chosen == 1 ? "y" : "ies", x->nr_chosen == 1 ? "es" : "");
	columns_begin(&c, columns, sizeof(columns) / sizeof(*columns), 1);
	for (i = 0; i < x->nr_chosen; i++) {
		const struct search_try *t = &x->search.tried[x->chosen[i].nr];

		columns_add(&c, "%u", x->chosen[i].nr + 1);
		columns_add(&c, "%u", explore_count_blocks(x, &t->reached));
		add_again(&c, &x->chosen[i], t);
		if (t->is_late)
			columns_add(&c, "late");
		else
			columns_add(&c, "%d", t->status);
		add_values(&c, x, t->value);
	}
	columns_print(&c, out);
}

/* --- contexts --- */

/* The first try that reached it, from 1 on. */
static uint32_t first_try(const struct explore *x, uint32_t feature)
{
	uint32_t i;

	for (i = 0; i < x->search.nr; i++)
		if (features_have(&x->search.tried[i].reached, feature))
			return i + 1;
	return 0;
}

static void print_contexts(const struct explore *x, FILE *out)
{
	static const char *const columns[] = { "try", "context" };
	struct columns c;
	uint32_t i;

	if (!*x->keys)
		return;
	fprintf(out, "# %s%u context%s, each with the first try that reached it:\n",
		x->has_more_contexts ? "the first " : "", x->nr_contexts, plural(x->nr_contexts));
	columns_begin(&c, columns, sizeof(columns) / sizeof(*columns), 1);
	for (i = 0; i < x->nr_contexts; i++) {
		struct buf text = { 0 };

		escape_add(&text, x->context[i], strlen(x->context[i]));
		columns_add(&c, "%u", first_try(x, x->blocks.graph.nr + i));
		columns_add(&c, "%s", text.data);
		buf_free(&text);
	}
	columns_print(&c, out);
}

/* --- what was not reached --- */

/* The reached blocks that lead there: the condition at their end was never so. */
static void add_leading(struct columns *c, const struct explore *x, uint32_t block)
{
	const struct graph *g = &x->blocks.graph;
	struct buf text = { 0 };
	uint32_t i;

	for (i = 0; i < g->nr_edges; i++) {
		if (!explore_leads(x, &g->edge[i], block))
			continue;
		buf_printf(&text, "%s", text.len ? ", " : "");
		blocks_place(&x->blocks, g->edge[i].from, &text);
	}
	columns_add(c, "%s", text.len ? text.data : "-");
	buf_free(&text);
}

static void add_row(struct columns *c, const struct explore *x, uint32_t block)
{
	struct buf text = { 0 };

	columns_add(c, "%u", x->blocks.graph.block[block].nr);
	blocks_place(&x->blocks, block, &text);
	columns_add(c, "%s", text.data);
	add_leading(c, x, block);
	text.len = 0;
	blocks_function(&x->blocks, block, &text);
	columns_add(c, "%s", text.data);
	buf_free(&text);
}

/* Those of which it is known, or those of which it is not. */
static void print_unreached(const struct explore *x, bool unknown, const char *what, FILE *out)
{
	static const char *const columns[] = { "insns", "block", "behind", "function" };
	struct columns c;
	uint32_t i, nr = 0;

	columns_begin(&c, columns, sizeof(columns) / sizeof(*columns), 3);
	for (i = 0; i < x->blocks.graph.nr; i++) {
		if (explore_reached(x, i) || x->unknown[i] != unknown)
			continue;
		add_row(&c, x, i);
		nr++;
	}
	if (nr) {
		fprintf(out, "# %s: %u block%s\n", what, nr, plural(nr));
		columns_print(&c, out);
	} else {
		buf_free(&c.text);
	}
}

void explore_print_text(const struct explore *x, FILE *out)
{
	print_heading(x, out);
	print_chosen(x, out);
	print_contexts(x, out);
	print_unreached(x, false, "never reached", out);
	print_unreached(x, true, "not known, as they cannot be counted", out);
	if (x->lost.len)
		fprintf(out, "# lost: %s\n", x->lost.data);
}
