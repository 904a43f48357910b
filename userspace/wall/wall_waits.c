// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_waits.c - a table of who waited where, for whom, and what that one did meanwhile
 *
 * A row adds up the chains of wall_chain.c that begin with the same task at the same place and end
 * with the same one at the same place. Where an interrupt ended the last wait, such as a timer that
 * ends a sleep, the task that waited for it is the end.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/plural.h"
#include "lib/strtab.h"
#include "symbols/functions.h"
#include "wall/wall.h"

enum { WHO, WHERE, WHOM, WHAT, NR_TEXTS };

static const char *const headings[] = {
	"% time", "seconds", "who", "waits in", "for", "which is in",
};

static const char *const names[] = { "who", "waits_in", "for", "which_is_in" };

struct row {
	const char *text[NR_TEXTS];
	folded_count ns;
};

struct waits {
	struct strtab ids;	/* the texts of a row, one behind the other */
	struct row *row;	/* by id */
	size_t room;
	folded_count ns;
};

static bool is_between(const char *name)
{
	return !strcmp(name, "--");
}

/* The two innermost functions that are not those of the scheduler or of locks. */
static void add_place(struct buf *out, const char *const *name, size_t nr)
{
	const char *inner = NULL, *outer = NULL;

	while (nr-- && !outer) {
		if (*name[nr] == '[' || function_is_of_waiting(name[nr], strlen(name[nr])))
			continue;
		if (inner)
			outer = name[nr];
		else
			inner = name[nr];
	}
	buf_printf(out, "%s%s%s", outer ? outer : "", outer ? " > " : "", inner ? inner : "-");
}

/* Append the texts of a row, each with its NUL. @name: the frames of a chain, root first. */
static void add_texts(struct buf *id, const char *const *name, size_t nr)
{
	size_t first, last, end = nr;

	/* A task can have any name, even that. */
	for (first = 1; first < nr && !is_between(name[first]); first++)
		;
	/* An interrupt is no task, and does nothing that a wait is for. */
	if (end >= 2 && end - 2 > first && is_between(name[end - 2]) && *name[end - 1] == '[')
		end -= 2;
	for (last = end - 1; last > first && !is_between(name[last - 1]); last--)
		;
	buf_add(id, name[0], strlen(name[0]) + 1);
	add_place(id, name + 1, first - 1);
	buf_add(id, "", 1);
	if (first == nr) {
		buf_add(id, "-\0-", 4);
		return;
	}
	buf_add(id, name[last], strlen(name[last]) + 1);
	if (last + 1 < end)	/* its state */
		buf_printf(id, "%s", name[last + 1]);
	if (last + 2 < end)
		buf_add(id, " ", 1);
	if (last + 1 == end || last + 2 < end)
		add_place(id, name + last + 1, end - last - 1);
	buf_add(id, "", 1);
}

static void add(struct waits *t, const struct buf *id, folded_count ns)
{
	uint32_t nr = t->ids.nr, i = strtab_add(&t->ids, id->data, id->len);
	const char *at = t->ids.name[i].text;
	int k;

	if (i == nr) {
		t->row = mem_grow(t->row, &t->room, i + 1ul, sizeof(*t->row));
		t->row[i] = (struct row){ .ns = 0 };
		for (k = 0; k < NR_TEXTS; k++, at += strlen(at) + 1)
			t->row[i].text[k] = at;
	}
	t->row[i].ns += ns;
	t->ns += ns;
}

/* Is it time in which a task was blocked? Its state stands behind its name. */
static bool is_blocked(const char *const *name, size_t nr)
{
	static const enum wall_state others[] = { WALL_RUNNING, WALL_RUNNABLE };
	const char *state = nr < 2 ? "" : name[1];
	size_t i, len;

	if (*state != '[' || !strcmp(state, "[interrupted]"))
		return false;
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		len = strlen(wall_state_names[others[i]]);
		if (!strncmp(state + 1, wall_state_names[others[i]], len) && state[1 + len] == ']')
			return false;
	}
	return true;
}

static void add_chains(struct waits *t, const struct folded *f)
{
	const char **name = NULL;
	struct buf id = { 0 };
	size_t room = 0, nr, i;
	uint32_t node, at;

	for (node = 1; node < f->nr_nodes; node++) {
		if (!folded_has_count(&f->self[node]))
			continue;
		for (nr = 0, at = node; at; at = f->node[at].parent)
			nr++;
		name = mem_grow(name, &room, nr, sizeof(*name));
		for (i = nr, at = node; at; at = f->node[at].parent)
			name[--i] = f->names.name[f->node[at].name].text;
		if (!is_blocked(name, nr))
			continue;
		id.len = 0;
		add_texts(&id, name, nr);
		add(t, &id, f->self[node].after);
	}
	buf_free(&id);
	free(name);
}

static int longest_first(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	int i, order = 0;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	for (i = 0; i < NR_TEXTS && !order; i++)
		order = strcmp(a->text[i], b->text[i]);
	return order;
}

static double percent(const struct waits *t, folded_count ns)
{
	return t->ns > 0 ? 100 * ns / t->ns : 0;
}

static void print_text(const struct waits *t, size_t nr, FILE *out)
{
	struct columns c;
	size_t i;
	int k;

	fputs("# time that tasks were blocked: where, for whom (the last in the chain of wakers), and\n"
	      "# what that one did meanwhile; running, and waiting for a CPU: --states\n", out);
	columns_begin(&c, headings, 2 + NR_TEXTS, NR_TEXTS);
	for (i = 0; i < nr; i++) {
		columns_add(&c, "%.2f", percent(t, t->row[i].ns));
		columns_add(&c, "%.6f", (double)t->row[i].ns / 1e9);
		for (k = 0; k < NR_TEXTS; k++)
			columns_add(&c, "%s", t->row[i].text[k]);
	}
	columns_add(&c, "%.2f", percent(t, t->ns));
	columns_add(&c, "%.6f", (double)t->ns / 1e9);
	columns_add(&c, "total");
	for (k = 1; k < NR_TEXTS; k++)
		columns_add(&c, "%s", "");
	columns_print(&c, out);
	if (nr < t->ids.nr)
		fprintf(out, "# %zu more row%s: --lines N shows more\n", t->ids.nr - nr,
			plural(t->ids.nr - nr));
}

static void print_csv(const struct waits *t, size_t nr, FILE *out)
{
	struct csv c = csv_begin(out, NULL);
	size_t i;
	int k;

	csv_text(&c, "ns");
	for (k = 0; k < NR_TEXTS; k++)
		csv_text(&c, names[k]);
	csv_end_line(&c);
	for (i = 0; i < nr; i++) {
		csv_u64(&c, t->row[i].ns);
		for (k = 0; k < NR_TEXTS; k++)
			csv_text(&c, t->row[i].text[k]);
		csv_end_line(&c);
	}
}

static void print_json(const struct waits *t, size_t nr, FILE *out)
{
	struct json j = json_begin(out);
	size_t i;
	int k;

	json_object(&j, NULL, JSON_LINES);
	json_array(&j, "waits", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(&j, NULL, JSON_LINE);
		json_u64(&j, "ns", t->row[i].ns);
		for (k = 0; k < NR_TEXTS; k++)
			json_text(&j, names[k], t->row[i].text[k]);
		json_close(&j);
	}
	json_close(&j);
	json_u64(&j, "more_rows", t->ids.nr - nr);
	json_end(&j);
}

void wall_print_waits(const struct folded *chains, enum wall_format format, long lines, FILE *out)
{
	static void (*const print[])(const struct waits *t, size_t nr, FILE *out) = {
		[WALL_TEXT] = print_text, [WALL_CSV] = print_csv, [WALL_JSON] = print_json,
	};
	struct waits t = { 0 };
	size_t nr;

	add_chains(&t, chains);
	nr = lines && t.ids.nr > (size_t)lines ? (size_t)lines : t.ids.nr;
	if (t.ids.nr)
		qsort(t.row, t.ids.nr, sizeof(*t.row), longest_first);
	print[format](&t, nr, out);
	free(t.row);
	strtab_free(&t.ids);
}
