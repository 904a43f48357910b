// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_waits.c - who waited for whom: split waits by their chains, and add up what is alike
 */
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "wall/wall_waits.h"

#define WAITER	(1 << WALL_WHO | 1 << WALL_STATE | 1 << WALL_PLACE)
#define LAST	(1 << WALL_LAST_WHO | 1 << WALL_LAST_STATE | 1 << WALL_LAST_PLACE)

/* The texts that tell the rows of each table apart. */
static const unsigned int texts_of[WALL_TABLES] = {
	[WALL_ENDS] = LAST, [WALL_PLACES] = WAITER, [WALL_LINKS] = WAITER | LAST,
	[WALL_CHAINS] = WAITER | LAST | 1 << WALL_CHAIN,
};

/**
 * struct maker - what is under way
 * @wait:	whose chain is being followed
 * @text:	those of the part at hand
 * @key:	scratch
 */
struct maker {
	struct wall_waits *s;
	const struct wall *w;
	unsigned int tables;
	const struct wall_piece *wait;
	struct wall_places places;
	struct buf text[WALL_TEXTS], key;
};

/* --- texts --- */

/* The tasks after the first one, as the folded stacks have them. */
static void add_chain(struct buf *text, const struct wall_link *link)
{
	if (link->before->before) {
		add_chain(text, link->before);
		buf_printf(text, " -- ");
	}
	buf_printf(text, "%s", link->who);
}

static void add_state(struct maker *m, const struct wall_link *link, enum wall_text state,
		      enum wall_text place)
{
	if (link->piece)
		wall_add_state(link->piece, &m->text[state]);
	else
		buf_printf(&m->text[state], "%s", link->why ? link->why : "");
	/* Where a task that runs was switched out last is not where it is. */
	if (link->piece && link->piece->state != WALL_RUNNING)
		wall_place(&m->places, link->piece, &m->text[place]);
}

static void make_texts(struct maker *m, const struct wall_link *first, const struct wall_link *last)
{
	int i;

	for (i = 0; i < WALL_TEXTS; i++) {
		m->text[i].len = 0;
		buf_printf(&m->text[i], "%s", "");
	}
	buf_printf(&m->text[WALL_WHO], "%s", first->who);
	add_state(m, first, WALL_STATE, WALL_PLACE);
	add_chain(&m->text[WALL_CHAIN], last);
	add_state(m, last, WALL_LAST_STATE, WALL_LAST_PLACE);
	buf_printf(&m->text[WALL_LAST_WHO], "%s", last->who);
}

/* --- rows --- */

/* The row of the texts at hand. */
static struct wall_waits_row *find_row(struct maker *m, enum wall_waits_table table)
{
	struct wall_waits_rows *rows = &m->s->table[table];
	uint32_t nr = rows->keys.nr, number;
	struct wall_waits_row *row;
	const char *text;
	int i;

	m->key.len = 0;
	for (i = 0; i < WALL_TEXTS; i++)
		buf_add(&m->key, texts_of[table] & 1 << i ? m->text[i].data : "",
			texts_of[table] & 1 << i ? m->text[i].len + 1 : 1);
	number = strtab_add(&rows->keys, m->key.data, m->key.len);
	if (number < nr)
		return &rows->row[number];
	rows->row = mem_grow(rows->row, &rows->room, rows->keys.nr, sizeof(*rows->row));
	row = &rows->row[number];
	*row = (struct wall_waits_row){ .ns = 0 };
	for (i = 0, text = rows->keys.name[number].text; i < WALL_TEXTS; i++) {
		row->text[i] = text;
		text += strlen(text) + 1;
	}
	return row;
}

static void count(struct wall_waits_row *row, const struct wall_piece *wait, uint64_t ns)
{
	if (row->wait != wait) {
		row->wait = wait;
		row->waits++;
		row->part = 0;
	}
	row->part += ns;
	row->ns += ns;
	if (row->part > row->max)
		row->max = row->part;
}

static void add_names(struct wall_waits_row *row, enum wall_waits_table table,
		      const struct wall_link *last)
{
	const struct wall_link *link;

	for (link = last->before; link; link = link->before)
		if (table == WALL_ENDS ? !link->before : table == WALL_LINKS && link->before)
			strtab_add(&row->name, link->who, strlen(link->who));
}

static void add_part(const struct wall_link *last, void *arg)
{
	const struct wall_link *first = last;
	uint64_t ns = last->to - last->from;
	struct wall_waits_row *row;
	struct maker *m = arg;
	int i;

	if (!last->before) {
		m->s->left_out[WALL_END_UNKNOWN] += ns;
		return;
	}
	/* A chain that an interrupt ends says what the last task waited in meanwhile. */
	if (last->is_irq && last->before->before)
		last = last->before;
	else if (last->is_irq)
		m->s->by_irq += ns;
	while (first->before)
		first = first->before;
	m->s->ns += ns;
	make_texts(m, first, last);
	for (i = 0; i < WALL_TABLES; i++) {
		if (!(m->tables & 1 << i))
			continue;
		row = find_row(m, i);
		count(row, m->wait, ns);
		add_names(row, i, last);
	}
}

/* The texts are all different, so the order is complete. */
static int compare(const void *va, const void *vb)
{
	const struct wall_waits_row *a = va, *b = vb;
	int i, ret = 0;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	for (i = 0; i < WALL_TEXTS && !ret; i++)
		ret = strcmp(a->text[i], b->text[i]);
	return ret;
}

/* --- which waits --- */

static bool is_by_kprof(const struct wall *w, const struct wall_waker *waker)
{
	const char *name = waker->task == WALL_NOBODY ? waker->name :
			   wall_task_name(w, &w->task[waker->task]);

	return waker->context == KPROF_CTX_TASK && name && !strcmp(name, "kprof");
}

static enum wall_waits_kind kind_of(struct maker *m)
{
	if (is_by_kprof(m->w, &m->wait->waker))
		return WALL_BY_KPROF;
	if (wall_place_is_idle(&m->places, m->wait))
		return WALL_IDLE;
	if (!wall_ended_by_interrupt(m->wait) || m->wait->state == WALL_IO)
		return WALL_TOLD;
	/* An interruptible sleep is mostly one until a timer, which is the task's own wish. */
	return m->wait->state != WALL_WAIT || wall_place_is_sleep(&m->places, m->wait) ?
	       WALL_SLEEPS : WALL_TOLD;
}

/* A task that is throttled waits for no other, but for the time that its cgroup is granted. */
static void add_throttled(struct maker *m, const struct wall_task *t)
{
	const struct wall_link first = {
		.who = wall_task_name(m->w, t), .piece = m->wait, .from = m->wait->from,
		.to = m->wait->to, .depth = 1,
	};
	const struct wall_link last = {
		.before = &first, .who = "[CPU limit]", .from = first.from, .to = first.to,
		.depth = 2,
	};

	add_part(&last, m);
}

static void add_task(struct maker *m, const struct wall_task *t, bool all)
{
	enum wall_waits_kind kind;
	size_t i;

	for (i = 0; i < t->nr_pieces; i++) {
		m->wait = &t->piece[i];
		if (m->wait->state == WALL_THROTTLED)
			add_throttled(m, t);
		if (!wall_is_blocked(m->wait))
			continue;
		kind = all ? WALL_TOLD : kind_of(m);
		if (kind == WALL_TOLD)
			wall_chain(m->w, t, m->wait, add_part, m);
		else
			m->s->left_out[kind] += m->wait->to - m->wait->from;
	}
}

/*
 * Make those tables whose bits are in @tables, of the waits in @part. @all: nothing is left out.
 * Free @s with waits_free().
 */
static void waits_make(struct wall_waits *s, const struct wall *w, const struct wall *part,
		       unsigned int tables, bool all)
{
	struct maker m = { .s = s, .w = w, .tables = tables };
	size_t i;

	*s = (struct wall_waits){ .ns = 0 };
	wall_places_begin(&m.places, w);
	for (i = 0; i < w->nr; i++)
		if (part->task[i].is_shown)
			add_task(&m, &part->task[i], all);
	wall_places_end(&m.places);
	for (i = 0; i < WALL_TABLES; i++)
		if (wall_waits_nr(&s->table[i]))
			qsort(s->table[i].row, wall_waits_nr(&s->table[i]),
			      sizeof(*s->table[i].row), compare);
	for (i = 0; i < WALL_TEXTS; i++)
		buf_free(&m.text[i]);
	buf_free(&m.key);
}

static void waits_free(struct wall_waits *s)
{
	struct wall_waits_rows *rows;
	uint32_t i;

	for (rows = s->table; rows < s->table + WALL_TABLES; rows++) {
		for (i = 0; i < rows->keys.nr; i++)
			strtab_free(&rows->row[i].name);
		free(rows->row);
		strtab_free(&rows->keys);
	}
}

void wall_print_waits(const struct wall *w, const struct wall *part, enum wall_format format,
		      long lines, bool with_all, FILE *out)
{
	unsigned int tables = 1 << WALL_CHAINS;
	size_t most = lines > 0 ? lines : 0;
	struct wall_waits s;

	if (format == WALL_TEXT)
		tables = 1 << WALL_ENDS | 1 << WALL_PLACES | 1 << WALL_LINKS;
	waits_make(&s, w, part, tables, with_all);
	if (format == WALL_CSV)
		wall_waits_print_csv(&s, most, out);
	else if (format == WALL_JSON)
		wall_waits_print_json(&s, most, out);
	else
		wall_waits_print_text(&s, part, most, out);
	waits_free(&s);
}
