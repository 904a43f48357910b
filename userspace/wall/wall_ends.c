// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_ends.c - what the chains of waits end in: the last task and its place, for all that waited
 *
 * A queue behind one task makes a row for each order in which the others stood in it.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/mem.h"
#include "lib/plural.h"
#include "wall/wall.h"

#define SHOWN		5	/* ends */
#define NAMES_SHOWN	4	/* tasks that waited for one */

/* @who, @where: the last task, and its state and place; @waiter: who waited, each once. */
struct wall_end {
	const char *who, *where;
	uint64_t ns;
	size_t rows;
	struct strtab waiter;
};

void wall_ends_add(struct wall_ends *e, const char *who, const char *where, const char *waiter,
		   uint64_t ns)
{
	size_t len = strlen(who) + 1;
	uint32_t nr = e->keys.nr, i;
	struct wall_end *end;

	e->key.len = 0;
	buf_add(&e->key, who, len);
	buf_printf(&e->key, "%s", where);
	i = strtab_add(&e->keys, e->key.data, e->key.len);
	if (i == nr) {
		e->end = mem_grow(e->end, &e->room, e->keys.nr, sizeof(*e->end));
		e->end[i] = (struct wall_end){
			.who = e->keys.name[i].text, .where = e->keys.name[i].text + len,
		};
	}
	end = &e->end[i];
	end->ns += ns;
	end->rows++;
	strtab_add(&end->waiter, waiter, strlen(waiter));
}

static int most_first(const void *va, const void *vb)
{
	const struct wall_end *a = va, *b = vb;
	int ret = strcmp(a->who, b->who);

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return ret ? ret : strcmp(a->where, b->where);
}

static void add_waiters(struct columns *c, const struct wall_end *end)
{
	struct buf names = { 0 };
	uint32_t i;

	for (i = 0; i < end->waiter.nr && i < NAMES_SHOWN; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", end->waiter.name[i].text);
	if (i < end->waiter.nr)
		buf_printf(&names, " and %u more", end->waiter.nr - i);
	columns_add(c, "%s", names.data);
	buf_free(&names);
}

/* Is there an end with several rows? Else the rows say it all. */
static bool says_more(const struct wall_ends *e)
{
	uint32_t i;

	for (i = 0; i < e->keys.nr; i++)
		if (e->end[i].rows > 1)
			return true;
	return false;
}

static void print_rest(const struct wall_ends *e, double whole, FILE *out)
{
	uint64_t ns = 0;
	uint32_t i;

	for (i = SHOWN; i < e->keys.nr; i++)
		ns += e->end[i].ns;
	if (e->keys.nr > SHOWN)
		fprintf(out, "# and %u more: %.2f %%, %.6f s; --csv has each row\n",
			e->keys.nr - SHOWN, 100.0 * ns / whole, ns / 1e9);
}

void wall_ends_print(struct wall_ends *e, double whole, FILE *out)
{
	static const char *const name[] = {
		"%", "seconds", "of", "waited for, in the end", "which meanwhile is",
	};
	struct columns c;
	uint32_t i;

	if (!says_more(e))
		return;
	qsort(e->end, e->keys.nr, sizeof(*e->end), most_first);
	fputs("# the same by whom all waited for in the end\n", out);
	columns_begin(&c, name, sizeof(name) / sizeof(*name), 3);
	for (i = 0; i < e->keys.nr && i < SHOWN; i++) {
		columns_add(&c, "%.2f", 100.0 * e->end[i].ns / whole);
		columns_add(&c, "%.6f", e->end[i].ns / 1e9);
		add_waiters(&c, &e->end[i]);
		columns_add(&c, "%s", e->end[i].who);
		columns_add(&c, "%s", e->end[i].where);
	}
	columns_print(&c, out);
	print_rest(e, whole, out);
}

void wall_ends_free(struct wall_ends *e)
{
	uint32_t i;

	for (i = 0; i < e->keys.nr; i++)
		strtab_free(&e->end[i].waiter);
	free(e->end);
	strtab_free(&e->keys);
	buf_free(&e->key);
	*e = (struct wall_ends){ .room = 0 };
}
