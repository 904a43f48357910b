// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_waits.c - print who waited for whom: text, CSV, JSON
 *
 * A wait is a piece of a task's time in which it was blocked. The chain of wakers splits it into
 * parts; parts with the same tasks in the same places make a row.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/plural.h"
#include "lib/strtab.h"
#include "wall/wall.h"

#define LINES		40	/* shown unless asked */
#define SMALL		1000	/* less than this part of the whole is shown if asked */
#define PLACE_FRAMES	4	/* of a stack, innermost */
#define SCHEDULER_MAX	2	/* frames at most: __schedule() and its caller */

/* The texts of a row, which tell it from the others. */
enum { WHO, STATE, PLACE, CHAIN, LAST_STATE, LAST_PLACE, TEXTS };

static const char *const text_names[TEXTS] = {
	"waiter", "state", "waits_in", "for", "last_state", "last_in"
};

/**
 * struct row - parts of waits that are alike
 * @ns:		all of them
 * @max:	the most that one wait has in this row
 * @waits:	how many waits have a part in it
 * @wait:	the last of these
 * @part:	what that one has so far
 */
struct row {
	const char *text[TEXTS];
	uint64_t ns, max, waits, part;
	const struct wall_piece *wait;
};

struct waits {
	const struct wall *w;
	const struct wall_piece *wait;	/* whose chain is being followed */
	size_t scheduler;		/* innermost frames that say nothing, see common_frames() */
	struct strtab keys;		/* the texts of each row, with their NULs */
	struct row *row;
	size_t room;
	struct data_frames f;		/* scratch */
	struct buf key;			/* scratch */
	uint64_t ns, irq, unknown;	/* of the rows; ended by interrupts; by nobody knows whom */
};

/* --- places --- */

static void read_frames(struct waits *s, const struct wall_piece *piece)
{
	const struct data_fold_options options = DATA_FOLD_DEFAULTS;
	struct tally_row row = { .key = piece->key };

	data_frames_cut(&s->f, (struct data_frames_mark){ 0 });
	if (piece->key)
		data_frames_add_stacks(&s->f, s->w->data, &row, &options);
}

static bool is_blocked(const struct wall_piece *piece)
{
	return piece->state >= WALL_IO;
}

/* How many innermost frames do two stacks have in common, up to @max? */
static size_t common(struct data_frames *a, struct data_frames *b, size_t max)
{
	const char *const *in_a = data_frames_names(a), *const *in_b = data_frames_names(b);
	size_t i = 0;

	while (i < max && i < a->nr && i < b->nr &&
	       !strcmp(in_a[a->nr - 1 - i], in_b[b->nr - 1 - i]))
		i++;
	return i;
}

/*
 * Every task that waits does so in the scheduler: frames that all stacks end in say nothing of the
 * place. Too short a stack is none of a task that waits, but a text such as "[no stack]".
 */
static void find_scheduler(struct waits *s)
{
	struct data_frames first = { 0 };
	size_t i, j;

	s->scheduler = SCHEDULER_MAX;
	for (i = 0; i < s->w->nr; i++) {
		const struct wall_task *t = &s->w->task[i];

		for (j = 0; j < t->nr_pieces && s->scheduler; j++) {
			if (!is_blocked(&t->piece[j]))
				continue;
			read_frames(s, &t->piece[j]);
			if (s->f.nr <= SCHEDULER_MAX)
				continue;
			if (first.nr) {
				s->scheduler = common(&first, &s->f, s->scheduler);
				continue;
			}
			first = s->f;
			s->f = (struct data_frames){ 0 };
		}
	}
	data_frames_free(&first);
}

/* Add the innermost frames of a stack, without those of the scheduler. */
static void add_place(struct waits *s, const struct wall_piece *piece)
{
	const char *const *name;
	size_t i, nr;

	read_frames(s, piece);
	name = data_frames_names(&s->f);
	nr = s->f.nr;
	if (nr > SCHEDULER_MAX)
		nr -= s->scheduler;
	for (i = nr > PLACE_FRAMES ? nr - PLACE_FRAMES : 0; i < nr; i++)
		buf_printf(&s->key, "%s%s", name[i], i + 1 < nr ? ";" : "");
}

/* --- rows --- */

static void end_text(struct waits *s)
{
	buf_add(&s->key, "", 1);
}

/* The tasks after the first one, as the folded stacks have them. */
static void add_chain(struct waits *s, const struct wall_link *link)
{
	if (link->before->before) {
		add_chain(s, link->before);
		buf_printf(&s->key, " -- ");
	}
	buf_printf(&s->key, "%s", link->who);
}

static void add_state(struct waits *s, const struct wall_link *link)
{
	buf_printf(&s->key, "%s", link->piece ? wall_state_names[link->piece->state] :
		   link->why ? link->why : "");
	end_text(s);
	/* Where a task that runs was switched out last is not where it is. */
	if (link->piece && link->piece->state != WALL_RUNNING)
		add_place(s, link->piece);
	end_text(s);
}

/* The row of what is in @key. */
static struct row *find_row(struct waits *s)
{
	uint32_t nr = s->keys.nr, i = strtab_add(&s->keys, s->key.data, s->key.len);
	const char *text;
	int column;

	if (i < nr)
		return &s->row[i];
	s->row = mem_grow(s->row, &s->room, s->keys.nr, sizeof(*s->row));
	s->row[i] = (struct row){ 0 };
	for (column = 0, text = s->keys.name[i].text; column < TEXTS; column++) {
		s->row[i].text[column] = text;
		text += strlen(text) + 1;
	}
	return &s->row[i];
}

static void count(struct row *row, const struct wall_piece *wait, uint64_t ns)
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

static void add_part(const struct wall_link *last, void *arg)
{
	const struct wall_link *first = last;
	struct waits *s = arg;
	uint64_t ns = last->to - last->from;

	/* A chain that an interrupt ends says what the last task waited in meanwhile. */
	if (last->is_irq)
		last = last->before;
	if (!last->before) {
		*(first == last ? &s->unknown : &s->irq) += ns;
		return;
	}
	while (first->before)
		first = first->before;
	s->key.len = 0;
	buf_printf(&s->key, "%s", first->who);
	end_text(s);
	add_state(s, first);
	add_chain(s, last);
	end_text(s);
	add_state(s, last);
	s->ns += ns;
	count(find_row(s), s->wait, ns);
}

/* The texts are all different, so the order is complete. */
static int compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	int column, ret = 0;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	for (column = 0; column < TEXTS && !ret; column++)
		ret = strcmp(a->text[column], b->text[column]);
	return ret;
}

static void make_rows(struct waits *s, struct filter *filter)
{
	size_t i, j;

	find_scheduler(s);
	for (i = 0; i < s->w->nr; i++) {
		const struct wall_task *t = &s->w->task[i];

		if (!wall_shows(s->w, filter, t))
			continue;
		for (j = 0; j < t->nr_pieces; j++) {
			s->wait = &t->piece[j];
			if (is_blocked(s->wait))
				wall_chain(s->w, t, s->wait, add_part, s);
		}
	}
	if (s->keys.nr)
		qsort(s->row, s->keys.nr, sizeof(*s->row), compare);
}

/* --- formats --- */

/* The state and the place in one cell, such as "sleep: do_nanosleep;hrtimer_nanosleep". */
static void add_where(struct columns *c, const char *state, const char *place)
{
	columns_add(c, "%s%s%s", *state ? state : "-", *place ? ": " : "", place);
}

/* Rows that are not shown, and how much they are. */
static void print_hidden(const struct waits *s, size_t nr, bool all, bool small, FILE *out)
{
	uint64_t ns = 0;
	size_t i;

	for (i = nr; i < s->keys.nr; i++)
		ns += s->row[i].ns;
	if (nr < s->keys.nr)
		fprintf(out, "# %zu more row%s%s: %.6f s, %.2f %%%s\n", s->keys.nr - nr,
			plural(s->keys.nr - nr), small ? " of less than 0.1 %" : "", ns / 1e9,
			100.0 * ns / s->ns, all ? "" : "; --lines N shows more");
}

static void print_text(const struct waits *s, size_t nr, bool all, FILE *out)
{
	static const char *const name[] = {
		"%", "seconds", "waits", "avg_ms", "max_ms", "waiter", "waits in", "for",
		"which meanwhile is",
	};
	struct columns c;
	bool small = false;
	size_t i;

	/* Rows are in order of time. */
	for (i = 0; i < nr && !all && s->row[i].ns >= s->ns / SMALL; i++)
		;
	if (!all && i < nr) {
		nr = i;
		small = true;
	}
	fputs("# who waited for whom to wake it, and what the last one of these did meanwhile\n",
	      out);
	columns_begin(&c, name, sizeof(name) / sizeof(*name), 4);
	for (i = 0; i < nr; i++) {
		const struct row *row = &s->row[i];

		columns_add(&c, "%.2f", 100.0 * row->ns / s->ns);
		columns_add(&c, "%.6f", row->ns / 1e9);
		columns_add(&c, "%" PRIu64, row->waits);
		columns_add(&c, "%.3f", row->ns / 1e6 / row->waits);
		columns_add(&c, "%.3f", row->max / 1e6);
		columns_add(&c, "%s", row->text[WHO]);
		add_where(&c, row->text[STATE], row->text[PLACE]);
		columns_add(&c, "%s", row->text[CHAIN]);
		add_where(&c, row->text[LAST_STATE], row->text[LAST_PLACE]);
	}
	columns_print(&c, out);
	print_hidden(s, nr, all, small, out);
	fprintf(out, "# in all: %.6f s\n# not in the table: %.6f s ended by interrupts: mostly tasks "
		"that slept until a timer of their own, and devices\n"
		"# not in the table: %.6f s not seen to be ended\n", s->ns / 1e9, s->irq / 1e9,
		s->unknown / 1e9);
}

static void print_csv(const struct waits *s, size_t nr, FILE *out)
{
	struct csv c = csv_begin(out, NULL);
	int column;
	size_t i;

	csv_text(&c, "ns");
	csv_text(&c, "waits");
	csv_text(&c, "max_ns");
	for (column = 0; column < TEXTS; column++)
		csv_text(&c, text_names[column]);
	csv_end_line(&c);
	for (i = 0; i < nr; i++) {
		csv_u64(&c, s->row[i].ns);
		csv_u64(&c, s->row[i].waits);
		csv_u64(&c, s->row[i].max);
		for (column = 0; column < TEXTS; column++)
			csv_text(&c, s->row[i].text[column]);
		csv_end_line(&c);
	}
}

static void print_json(const struct waits *s, size_t nr, FILE *out)
{
	struct json j = json_begin(out);
	int column;
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_u64(&j, "ns", s->ns);
	json_u64(&j, "ended_by_interrupts_ns", s->irq);
	json_u64(&j, "end_not_seen_ns", s->unknown);
	json_array(&j, "waits", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(&j, NULL, JSON_LINE);
		json_u64(&j, "ns", s->row[i].ns);
		json_u64(&j, "waits", s->row[i].waits);
		json_u64(&j, "max_ns", s->row[i].max);
		for (column = 0; column < TEXTS; column++)
			json_text(&j, text_names[column], s->row[i].text[column]);
		json_close(&j);
	}
	json_end(&j);
}

void wall_print_waits(const struct wall *w, struct filter *filter, enum wall_format format,
		      long lines, FILE *out)
{
	struct waits s = { .w = w };
	bool all = format != WALL_TEXT;
	size_t nr, most = lines > 0 ? (size_t)lines : LINES;

	make_rows(&s, filter);
	nr = s.keys.nr;
	if ((lines > 0 || !all) && nr > most)
		nr = most;
	if (format == WALL_CSV)
		print_csv(&s, nr, out);
	else if (format == WALL_JSON)
		print_json(&s, nr, out);
	else
		print_text(&s, nr, lines > 0, out);
	free(s.row);
	strtab_free(&s.keys);
	data_frames_free(&s.f);
	buf_free(&s.key);
}
