// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_callers.c - print the callers of a report line below that line
 *
 * All lines share one tree, which begins at the leaves of stacks. If there are keys besides the
 * symbol, their values, joined into one name, are an additional root.
 */
#include <string.h>

#include "lib/shorten.h"
#include "report/report_callers.h"

/* Append a value and a tab. Values have no tabs, because they are escaped. */
static void add_value(struct buf *name, const char *text)
{
	buf_printf(name, "%s\t", text);
}

/* The values of a row for all keys that are not keys of frames. */
static void root_of_row(const struct tally_row *row, void *arg, struct buf *name)
{
	const struct report_callers *c = arg;
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < c->keys->nr; i++)
		if (!report_key_is_of_frames(c->keys->key[i]))
			add_value(name, report_key_text(c->data, row, c->keys->key[i], &text));
	buf_free(&text);
}

static bool has_root(const struct report_keys *keys)
{
	size_t i;

	for (i = 0; i < keys->nr; i++)
		if (!report_key_is_of_frames(keys->key[i]))
			return true;
	return false;
}

void report_callers_make(struct report_callers *c, const struct report_output *o,
			 const struct report_keys *keys, const struct data_fold_options *fold)
{
	struct data_fold_options mine = *fold;

	c->keys = keys;
	c->data = o->data;
	if (has_root(keys)) {
		mine.below = root_of_row;
		mine.arg = c;
	}
	report_tree_make(&c->tree, o->data, &mine, FOLDED_LEAF_FIRST);
}

void report_callers_free(struct report_callers *c)
{
	report_tree_free(&c->tree);
}

static void print_name(const struct report_tree *t, uint32_t node, FILE *out)
{
	const char *name = report_tree_name(t, node);
	struct buf shown = { 0 };

	shorten_add(&shown, name, strlen(name));
	fputs(shown.data, out);
	buf_free(&shown);
}

/* A chain of only callers goes into one line. */
static uint32_t print_chain(struct report_output *o, const struct report_tree *t, uint32_t node)
{
	uint32_t next;

	print_name(t, node, o->out);
	while ((next = report_tree_only_child(t, node))) {
		node = next;
		fputs(" < ", o->out);
		print_name(t, node, o->out);
	}
	fputc('\n', o->out);
	return node;
}

static void print_callers(struct report_output *o, const struct report_tree *t, uint32_t node,
			  int depth)
{
	uint32_t i;

	for (i = t->first[node]; i < t->first[node + 1]; i++) {
		uint32_t child = t->child[i];
		double percent = report_tree_percent(t, child);

		if (percent < o->percent_limit)
			continue;
		fprintf(o->out, "%*s%6.2f%%  ", 26 + 2 * depth, "", percent);
		print_callers(o, t, print_chain(o, t, child), depth + 1);
	}
}

/*
 * Name a symbol as the frame's label does: functions of the same name in two modules have different
 * callers.
 */
static void add_symbol(struct buf *name, const struct report_entry *e, const char *sym,
		       const char *module)
{
	static const char inlined[] = "_[i]";
	size_t len = strlen(sym), end = strlen(inlined);

	if (len > end && !strcmp(sym + len - end, inlined))
		len -= end;
	buf_add(name, sym, len);
	if (*module && *module != '[' && !e->is_user)
		buf_printf(name, " [%s]", module);
	buf_add(name, sym + len, strlen(sym + len));
}

void report_callers_print(struct report_output *o, const struct report_callers *c,
			  const struct report_entry *e)
{
	struct buf root = { 0 }, symbol = { 0 };
	const char *sym = NULL, *module = e->module;
	uint32_t node = 0;
	size_t i;

	for (i = 0; i < c->keys->nr; i++) {
		if (c->keys->key[i] == REPORT_SYM)
			sym = e->text[i];
		else if (c->keys->key[i] == REPORT_MODULE)
			module = e->text[i];
		else
			add_value(&root, e->text[i]);
	}
	if (root.len)
		node = folded_find(&c->tree.folded, 0, root.data);
	if (sym && (node || !root.len)) {
		add_symbol(&symbol, e, sym, module);
		node = folded_find(&c->tree.folded, node, symbol.data);
	}
	if (node)
		print_callers(o, &c->tree, node, 0);
	buf_free(&root);
	buf_free(&symbol);
}
