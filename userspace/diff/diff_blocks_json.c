// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks_json.c - the blocks of a function compared, as JSON
 */
#include "diff/diff_blocks.h"
#include "lib/json.h"

static const char *const names[] = { "a", "b" };

static void put_side(struct json *j, const struct diff_blocks_side *side, const char *name)
{
	json_object(j, name, JSON_LINE);
	json_text(j, "file", side->path);
	json_text(j, "function", side->function);
	json_text(j, "module", side->module);
	json_text(j, "kernel", side->kernel);
	json_text(j, "lost", side->lost);
	json_u64(j, "blocks", side->nr_blocks);
	json_u64(j, "alone", diff_blocks_alone(side));
	json_close(j);
}

static void put_count(struct json *j, const char *name, uint64_t count)
{
	if (count == UINT64_MAX)
		json_null(j, name);
	else
		json_u64(j, name, count);
}

static const char *place(const struct diff_blocks_side *side, uint32_t block)
{
	return block == side->nr_blocks ? "outside" : side->block[block].place;
}

static void put_row(struct json *j, const struct diff_blocks *d, const struct diff_blocks_row *row)
{
	int side;

	json_object(j, NULL, JSON_LINE);
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		const struct diff_blocks_side *s = &d->side[side];
		uint32_t at = row->at[side];

		if (at == DIFF_NO_BLOCK) {
			json_null(j, names[side]);
			continue;
		}
		json_object(j, names[side], JSON_LINE);
		if (row->is_edge) {
			json_text(j, "from", place(s, s->edge[at].from));
			json_text(j, "to", place(s, s->edge[at].to));
		} else {
			json_text(j, "block", s->block[at].place);
			json_text(j, "function", s->block[at].function);
			json_text(j, "line", s->block[at].line);
			json_number(j, "insns_each", row->insns[side], 6);
		}
		json_number(j, "each", row->ran[side], 6);
		json_close(j);
	}
	json_close(j);
}

static void put_rows(struct json *j, const struct diff_blocks *d,
		     const struct diff_blocks_context *c, bool edges)
{
	size_t i;

	json_array(j, edges ? "edges" : "blocks", JSON_LINES);
	for (i = 0; i < c->nr; i++)
		if (c->row[i].is_edge == edges)
			put_row(j, d, &c->row[i]);
	json_close(j);
}

static void put_context(struct json *j, const struct diff_blocks *d,
			const struct diff_blocks_context *c)
{
	int side;

	json_object(j, NULL, JSON_LINES);
	json_text(j, "context", c->run[DIFF_A] ? c->run[DIFF_A]->context : c->run[DIFF_B]->context);
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		if (!c->run[side]) {
			json_null(j, names[side]);
			continue;
		}
		json_object(j, names[side], JSON_LINE);
		put_count(j, "calls", c->run[side]->calls);
		put_count(j, "instructions", c->run[side]->insns);
		json_close(j);
	}
	json_u64(j, "not_known", c->unknown);
	put_rows(j, d, c, false);
	put_rows(j, d, c, true);
	diff_nest_put(j, d, c);
	json_close(j);
}

void diff_blocks_print_json(const struct diff_blocks *d, FILE *out)
{
	struct json j = json_begin(out);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	put_side(&j, &d->side[DIFF_A], "a");
	put_side(&j, &d->side[DIFF_B], "b");
	json_array(&j, "contexts", JSON_LINES);
	for (i = 0; i < d->nr; i++)
		put_context(&j, d, &d->context[i]);
	json_end(&j);
}
