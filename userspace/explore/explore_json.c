// SPDX-License-Identifier: GPL-2.0-only
/*
 * explore_json.c - which values lead to which blocks, as JSON
 */
#include "explore/explore.h"
#include "lib/json.h"

static void put_values(struct json *j, const struct holes *h, const int64_t *value)
{
	uint32_t i;

	json_object(j, "values", JSON_LINE);
	for (i = 0; i < h->nr; i++) {
		if (h->hole[i].text)
			json_text(j, h->hole[i].name, h->hole[i].text[value[i]]);
		else
			json_number(j, h->hole[i].name, value[i], 0);
	}
	json_close(j);
}

static void put_command(struct json *j, const struct holes *h, const int64_t *value)
{
	char **command = holes_fill(h, value), **argument;

	json_array(j, "command", JSON_LINE);
	for (argument = command; *argument; argument++)
		json_text(j, NULL, *argument);
	json_close(j);
	holes_free_command(command);
}

static void put_try(struct json *j, const struct explore *x, uint32_t nr)
{
	const struct search_try *t = &x->search.tried[nr];

	json_u64(j, "try", nr + 1);
	put_values(j, &x->holes, t->value);
	json_u64(j, "blocks", explore_count_blocks(x, &t->reached));
	json_u64(j, "new", t->nr_new);
	if (t->is_late)
		json_null(j, "status");
	else
		json_u64(j, "status", t->status);
}

/* All tries; and those that are enough, which were run once more. */
static void put_tries(struct json *j, const struct explore *x)
{
	uint32_t i;

	json_array(j, "enough", JSON_LINES);
	for (i = 0; i < x->nr_chosen; i++) {
		const struct explore_chosen *c = &x->chosen[i];
		const struct features *reached = &x->search.tried[c->nr].reached;

		json_object(j, NULL, JSON_LINE);
		put_try(j, x, c->nr);
		if (c->is_run)
			json_u64(j, "not_again", features_beyond(reached, &c->again));
		else
			json_null(j, "not_again");
		put_command(j, &x->holes, x->search.tried[c->nr].value);
		json_close(j);
	}
	json_close(j);
	json_array(j, "tries", JSON_LINES);
	for (i = 0; i < x->search.nr; i++) {
		json_object(j, NULL, JSON_LINE);
		put_try(j, x, i);
		json_close(j);
	}
	json_close(j);
}

/* The tries that reached a feature. */
static void put_reached_by(struct json *j, const struct explore *x, uint32_t feature)
{
	uint32_t i;

	json_array(j, "tries", JSON_LINE);
	for (i = 0; i < x->search.nr; i++)
		if (features_have(&x->search.tried[i].reached, feature))
			json_u64(j, NULL, i + 1);
	json_close(j);
}

static void put_block(struct json *j, const struct explore *x, uint32_t block)
{
	const struct graph *g = &x->blocks.graph;
	uint32_t i;

	json_object(j, NULL, JSON_LINE);
	blocks_put_place(j, "block", &x->blocks, block);
	if (!explore_reached(x, block) && x->unknown[block])
		json_null(j, "reached");
	else
		json_bool(j, "reached", explore_reached(x, block));
	json_u64(j, "insns", g->block[block].nr);
	blocks_put_functions(j, &x->blocks, block);
	put_reached_by(j, x, block);
	json_array(j, "behind", JSON_LINE);
	for (i = 0; i < g->nr_edges; i++)
		if (explore_leads(x, &g->edge[i], block))
			blocks_put_place(j, NULL, &x->blocks, g->edge[i].from);
	json_close(j);
	json_close(j);
}

void explore_print_json(const struct explore *x, FILE *out)
{
	struct json j = json_begin(out);
	const struct symbol *symbol = x->blocks.symbol;
	uint64_t ways = holes_ways(&x->holes);
	uint32_t i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "function", symbol->name);
	json_text(&j, "module", symbol->module);
	json_u64(&j, "seed", x->search.seed);
	if (ways == UINT64_MAX)
		json_null(&j, "ways");
	else
		json_u64(&j, "ways", ways);
	json_bool(&j, "all_tried", x->search.is_complete);
	json_bool(&j, "interrupted", x->is_interrupted);
	json_u64(&j, "calls", x->calls);
	json_text(&j, "lost", x->lost.len ? x->lost.data : NULL);
	put_tries(&j, x);
	json_array(&j, "blocks", JSON_LINES);
	for (i = 0; i < x->blocks.graph.nr; i++)
		put_block(&j, x, i);
	json_close(&j);
	json_array(&j, "contexts", JSON_LINES);
	for (i = 0; i < x->nr_contexts; i++) {
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "context", x->context[i]);
		put_reached_by(&j, x, x->blocks.graph.nr + i);
		json_close(&j);
	}
	json_end(&j);
}
