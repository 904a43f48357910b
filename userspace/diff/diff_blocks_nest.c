// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks_nest.c - the inlined functions and the loops of a function compared
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff_blocks.h"
#include "lib/columns.h"
#include "lib/escape.h"
#include "lib/exit.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/msg.h"

#define NODES_MAX	4096	/* that are compared: each of A is looked for among those of B */
#define LEAST		0.01	/* share of the instructions: text leaves out what has less */

/* --- reading --- */

static int bad(const struct diff_blocks_side *side)
{
	return msg_error("%s: not what 'kprof blocks --json' writes: its nest is no tree",
			 side->path);
}

/* A node is below the last one before it that has a smaller depth. */
static bool read_node(struct diff_blocks_side *side, const struct json_value *from)
{
	struct diff_nest *n = &side->nest[side->nr_nest];
	uint32_t above = side->nr_nest - 1;
	uint64_t depth;

	*n = (struct diff_nest){
		.function = json_get_text(from, "function"), .loop = json_get_text(from, "loop"),
		.file = json_get_text(from, "file"), .other = DIFF_NO_BLOCK,
		.parent = DIFF_NO_BLOCK,
	};
	json_get_u64(from, "line", &n->line);
	if (!n->function || !json_get_u64(from, "depth", &depth) || !depth != !side->nr_nest)
		return false;
	if (side->nr_nest) {
		if (depth > (uint64_t)side->nest[above].depth + 1)
			return false;
		while (side->nest[above].depth >= depth)
			above = side->nest[above].parent;
		n->parent = above;
	}
	n->depth = depth;
	side->nr_nest++;
	return true;
}

int diff_nest_read(struct diff_blocks_side *side, const struct json_value *run)
{
	const struct json_value *nest = json_get(run, "nest"), *from = NULL;

	/* Older files have none. */
	if (!nest || !nest->nr || nest->nr > NODES_MAX)
		return EXIT_OK;
	side->nest = mem_zalloc(nest->nr, sizeof(*side->nest));
	while ((from = json_next(nest, from)) != NULL)
		if (!read_node(side, from))
			return bad(side);
	return EXIT_OK;
}

static double number_of(const struct json_value *object, const char *name)
{
	uint64_t number;

	return json_get_u64(object, name, &number) ? (double)number : NAN;
}

int diff_nest_read_run(const struct diff_blocks_side *side, struct diff_blocks_run *run,
		       const struct json_value *from)
{
	const struct json_value *nest = json_get(from, "nest"), *node = NULL;
	uint32_t i = 0;

	if (!side->nr_nest)
		return EXIT_OK;
	if (!nest || nest->nr != side->nr_nest)
		return bad(side);
	run->share = mem_zalloc(side->nr_nest, sizeof(*run->share));
	while ((node = json_next(nest, node)) != NULL)
		run->share[i++] = (struct diff_nest_share){
			.count = number_of(node, "count"), .entries = number_of(node, "entries"),
			.insns = number_of(node, "insns"), .fixed = number_of(node, "fixed"),
		};
	return EXIT_OK;
}

/* --- which are the same: of the same name, in order, in what is the same --- */

static bool is_like(const struct diff_nest *a, const struct diff_nest *b)
{
	return !a->loop == !b->loop && !strcmp(a->function, b->function);
}

void diff_nest_match(struct diff_blocks_side side[DIFF_NR_SIDES])
{
	struct diff_blocks_side *a = &side[DIFF_A], *b = &side[DIFF_B];
	uint32_t i, k, parent;

	for (i = 0; i < a->nr_nest; i++) {
		parent = i ? a->nest[a->nest[i].parent].other : DIFF_NO_BLOCK;
		if (i && parent == DIFF_NO_BLOCK)
			continue;
		for (k = 0; k < b->nr_nest && a->nest[i].other == DIFF_NO_BLOCK; k++) {
			/* The function itself may have another name, as of a variant. */
			if (b->nest[k].other != DIFF_NO_BLOCK || b->nest[k].parent != parent ||
			    (i && !is_like(&a->nest[i], &b->nest[k])))
				continue;
			a->nest[i].other = k;
			b->nest[k].other = i;
		}
	}
}

/* --- text --- */

static const struct diff_nest_share *share_of(const struct diff_blocks_context *c, int side,
					      const uint32_t at[DIFF_NR_SIDES])
{
	return at[side] == DIFF_NO_BLOCK || !c->run[side]->share ? NULL :
	       &c->run[side]->share[at[side]];
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static void add_number(struct columns *c, double value, const char *format)
{
	if (isnan(value))
		columns_add(c, "?");
	else if (*format == '+')
		columns_add(c, "%+.2f", value);
	else
		columns_add(c, "%.1f", value);
}

static void add_name(struct columns *c, const struct diff_nest *n)
{
	struct buf name = { 0 };

	buf_printf(&name, "%*s", (int)(2 * n->depth), "");
	if (n->loop)
		buf_printf(&name, "loop at ");
	escape_add(&name, n->loop ? n->loop : n->function,
		   strlen(n->loop ? n->loop : n->function));
	if (n->file && n->line) {
		buf_printf(&name, " (");
		escape_add(&name, n->file, strlen(n->file));
		buf_printf(&name, ":%" PRIu64 ")", n->line);
	}
	columns_add(c, "%s", name.data);
	buf_free(&name);
}

/* Of each side what one call, or turn, has. */
static void add_sides(struct columns *table, const struct diff_nest_share *const s[DIFF_NR_SIDES],
		      bool fixed, bool turns)
{
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		if (!s[side])
			columns_add(table, "-");
		else if (turns)
			add_number(table, ratio(s[side]->count, s[side]->entries), "");
		else
			add_number(table, ratio(fixed ? s[side]->fixed : s[side]->insns,
						s[side]->count), "");
	}
}

static bool is_small(const struct diff_blocks_context *c, int side,
		     const struct diff_nest_share *s)
{
	return !s || !s->insns || s->insns < c->run[side]->share[0].insns * LEAST;
}

static void add_row(struct columns *table, const struct diff_blocks *d,
		    const struct diff_blocks_context *c, const uint32_t at[DIFF_NR_SIDES])
{
	const struct diff_nest_share *const s[] = {
		share_of(c, DIFF_A, at), share_of(c, DIFF_B, at),
	};
	int from = at[DIFF_B] == DIFF_NO_BLOCK ? DIFF_A : DIFF_B, side;
	const struct diff_nest *n = &d->side[from].nest[at[from]];
	double each[DIFF_NR_SIDES];

	if (is_small(c, DIFF_A, s[DIFF_A]) && is_small(c, DIFF_B, s[DIFF_B]))
		return;
	for (side = 0; side < DIFF_NR_SIDES; side++)
		each[side] = s[side] ? ratio(s[side]->insns, c->run[side]->share[0].count) : 0;
	add_number(table, each[DIFF_B] - each[DIFF_A], "+");
	add_sides(table, s, false, false);
	add_sides(table, s, true, false);
	if (n->loop) {
		add_sides(table, s, false, true);
	} else {
		columns_add(table, "-");
		columns_add(table, "-");
	}
	add_name(table, n);
}

/* In order of B, as a tree; then what only A has. */
static void each_row(const struct diff_blocks *d, const struct diff_blocks_context *c,
		     void (*row)(void *arg, const struct diff_blocks *d,
				 const struct diff_blocks_context *c,
				 const uint32_t at[DIFF_NR_SIDES]), void *arg)
{
	const struct diff_blocks_side *a = &d->side[DIFF_A], *b = &d->side[DIFF_B];
	uint32_t i;

	for (i = 0; i < b->nr_nest; i++)
		row(arg, d, c, (const uint32_t[]){ b->nest[i].other, i });
	for (i = 0; i < a->nr_nest; i++)
		if (a->nest[i].other == DIFF_NO_BLOCK)
			row(arg, d, c, (const uint32_t[]){ i, DIFF_NO_BLOCK });
}

static void row_of_text(void *arg, const struct diff_blocks *d,
			const struct diff_blocks_context *c, const uint32_t at[DIFF_NR_SIDES])
{
	add_row(arg, d, c, at);
}

void diff_nest_print_text(const struct diff_blocks *d, const struct diff_blocks_context *c,
			  FILE *out)
{
	static const char *const columns[] = {
		"insns a call", "each A", "each B", "fixed A", "fixed B", "turns A", "turns B",
		"function, or loop",
	};
	struct columns table;

	/* The function itself only: nothing is said that is not said above. */
	if (d->side[DIFF_A].nr_nest < 2 || d->side[DIFF_B].nr_nest < 2)
		return;
	columns_begin(&table, columns, 8, 1);
	each_row(d, c, row_of_text, &table);
	fputs("# by inlined function and loop; each: instructions of a call, or of a turn of a "
	      "loop;\n# fixed: those of them outside of the loops in it\n", out);
	columns_print(&table, out);
}

/* --- JSON --- */

static void put_share(struct json *j, const char *name, const struct diff_nest_share *s)
{
	if (!s) {
		json_null(j, name);
		return;
	}
	json_object(j, name, JSON_LINE);
	json_number(j, "count", s->count, 0);
	json_number(j, "each", ratio(s->insns, s->count), 6);
	json_number(j, "fixed", ratio(s->fixed, s->count), 6);
	json_number(j, "turns", ratio(s->count, s->entries), 6);
	json_close(j);
}

static void row_of_json(void *arg, const struct diff_blocks *d,
			const struct diff_blocks_context *c, const uint32_t at[DIFF_NR_SIDES])
{
	int from = at[DIFF_B] == DIFF_NO_BLOCK ? DIFF_A : DIFF_B;
	const struct diff_nest *n = &d->side[from].nest[at[from]];
	struct json *j = arg;

	json_object(j, NULL, JSON_LINE);
	json_u64(j, "depth", n->depth);
	json_text(j, "function", n->function);
	json_text(j, "loop", n->loop);
	json_text(j, "file", n->file);
	if (n->line)
		json_u64(j, "line", n->line);
	else
		json_null(j, "line");
	put_share(j, "a", share_of(c, DIFF_A, at));
	put_share(j, "b", share_of(c, DIFF_B, at));
	json_close(j);
}

void diff_nest_put(struct json *j, const struct diff_blocks *d,
		   const struct diff_blocks_context *c)
{
	json_array(j, "nest", JSON_LINES);
	if (c->run[DIFF_A] && c->run[DIFF_B])
		each_row(d, c, row_of_json, j);
	json_close(j);
}
