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
/* The texts of a row, which tell it from the others; and the last task of its chain by itself. */
enum { WHO, STATE, PLACE, CHAIN, LAST_STATE, LAST_PLACE, TEXTS, LAST_WHO = TEXTS, ALL_TEXTS };

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
	const char *text[ALL_TEXTS];
	uint64_t ns, max, waits, part;
	const struct wall_piece *wait;
};

/* Waits that are left out of the table, unless asked for; but never those of an unknown end. */
enum kind {
	TOLD,		/* a task waits for another one, or for a device */
	SLEEPS,		/* ended by an interrupt: mostly until a timer that the task began */
	IDLE,		/* a kernel thread that has nothing to do */
	BY_KPROF,	/* ended by this program */
	END_UNKNOWN,
	KINDS
};

struct waits {
	const struct wall *w;
	const struct wall_piece *wait;	/* whose chain is being followed */
	struct strtab keys;		/* the texts of each row, with their NULs */
	struct row *row;
	size_t room;
	struct wall_places places;
	struct buf key;			/* scratch */
	uint64_t ns;			/* of the rows */
	uint64_t by_irq;		/* of these, ended by interrupts */
	uint64_t left_out[KINDS];
};

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
		wall_place(&s->places, link->piece, &s->key);
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
	for (column = 0, text = s->keys.name[i].text; column < ALL_TEXTS; column++) {
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

	if (!last->before) {
		s->left_out[END_UNKNOWN] += ns;
		return;
	}
	/* A chain that an interrupt ends says what the last task waited in meanwhile. */
	if (last->is_irq && last->before->before)
		last = last->before;
	else if (last->is_irq)
		s->by_irq += ns;
	while (first->before)
		first = first->before;
	s->key.len = 0;
	buf_printf(&s->key, "%s", first->who);
	end_text(s);
	add_state(s, first);
	add_chain(s, last);
	end_text(s);
	add_state(s, last);
	buf_printf(&s->key, "%s", last->who);
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

static bool is_by_kprof(const struct wall *w, const struct wall_waker *waker)
{
	const char *name = waker->task == WALL_NOBODY ? waker->name :
			   wall_task_name(w, &w->task[waker->task]);

	return waker->context == KPROF_CTX_TASK && name && !strcmp(name, "kprof");
}

static enum kind kind_of(struct waits *s, const struct wall_piece *wait)
{
	if (is_by_kprof(s->w, &wait->waker))
		return BY_KPROF;
	if (wall_place_is_idle(&s->places, wait))
		return IDLE;
	if (!wall_ended_by_interrupt(wait) || wait->state == WALL_IO)
		return TOLD;
	/* An interruptible sleep is mostly one until a timer, which is the task's own wish. */
	return wait->state != WALL_WAIT || wall_place_is_sleep(&s->places, wait) ? SLEEPS : TOLD;
}

static void add_wait(struct waits *s, const struct wall_task *t, bool all)
{
	enum kind kind = all ? TOLD : kind_of(s, s->wait);

	if (kind == TOLD)
		wall_chain(s->w, t, s->wait, add_part, s);
	else
		s->left_out[kind] += s->wait->to - s->wait->from;
}

static void make_rows(struct waits *s, struct filter *filter, bool all)
{
	size_t i, j;

	wall_places_begin(&s->places, s->w);
	for (i = 0; i < s->w->nr; i++) {
		const struct wall_task *t = &s->w->task[i];

		if (!wall_shows(s->w, filter, t))
			continue;
		for (j = 0; j < t->nr_pieces; j++) {
			s->wait = &t->piece[j];
			if (wall_is_blocked(s->wait))
				add_wait(s, t, all);
		}
	}
	if (s->keys.nr)
		qsort(s->row, s->keys.nr, sizeof(*s->row), compare);
}

/* --- formats --- */

/* What percentages are of. Nobody waits for who has no work, or for this program. */
static double whole(const struct waits *s)
{
	return s->ns + s->left_out[SLEEPS];
}

/* The state and the place in one text, such as "sleep: do_nanosleep;hrtimer_nanosleep". */
static const char *where(struct waits *s, const char *state, const char *place)
{
	s->key.len = 0;
	buf_printf(&s->key, "%s%s%s", *state ? state : "-", *place ? ": " : "", place);
	return s->key.data;
}

static void print_ends(struct waits *s, FILE *out)
{
	struct wall_ends ends = { .room = 0 };
	size_t i;

	for (i = 0; i < s->keys.nr; i++) {
		const struct row *row = &s->row[i];

		wall_ends_add(&ends, row->text[LAST_WHO],
			      where(s, row->text[LAST_STATE], row->text[LAST_PLACE]),
			      row->text[WHO], row->ns);
	}
	wall_ends_print(&ends, whole(s), out);
	wall_ends_free(&ends);
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
			plural(s->keys.nr - nr),
			small ? " of less than 0.1 % of the table" : "", ns / 1e9,
			100.0 * ns / whole(s), all ? "" : "; --lines N shows more");
}

static void print_sums(const struct waits *s, FILE *out)
{
	const uint64_t *left_out = s->left_out;

	fprintf(out, "# in all: %.6f s, of which interrupts, mostly of devices, ended %.6f s\n",
		s->ns / 1e9, s->by_irq / 1e9);
	if (left_out[SLEEPS])
		fprintf(out, "# not in the table: %.6f s, %.2f %%: sleeps that interrupts ended, mostly "
			"timers of the task's own; where:\n#   'kprof offcpu --stacks'; how long each "
			"task slept: 'kprof report --states'; in the table: --all-waits\n",
			left_out[SLEEPS] / 1e9, 100.0 * left_out[SLEEPS] / whole(s));
	if (left_out[IDLE])
		fprintf(out, "# not in the table: %.6f s of kernel threads that waited for work; --all-waits "
			"shows them\n", left_out[IDLE] / 1e9);
	if (left_out[BY_KPROF])
		fprintf(out, "# not in the table: %.6f s ended by kprof itself; --all-waits shows them\n",
			left_out[BY_KPROF] / 1e9);
	fprintf(out, "# not in the table: %.6f s not seen to be ended\n",
		left_out[END_UNKNOWN] / 1e9);
	fputs("# in stacks: a function whose last act is a call, by a jump, is in none: then its caller "
	      "stands there\n", out);
}

static void print_text(struct waits *s, size_t nr, bool all, FILE *out)
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

		columns_add(&c, "%.2f", 100.0 * row->ns / whole(s));
		columns_add(&c, "%.6f", row->ns / 1e9);
		columns_add(&c, "%" PRIu64, row->waits);
		columns_add(&c, "%.3f", row->ns / 1e6 / row->waits);
		columns_add(&c, "%.3f", row->max / 1e6);
		columns_add(&c, "%s", row->text[WHO]);
		columns_add(&c, "%s", where(s, row->text[STATE], row->text[PLACE]));
		columns_add(&c, "%s", row->text[CHAIN]);
		columns_add(&c, "%s",
			    where(s, row->text[LAST_STATE], row->text[LAST_PLACE]));
	}
	columns_print(&c, out);
	print_hidden(s, nr, all, small, out);
	print_ends(s, out);
	print_sums(s, out);
	fputs("# of stacks the innermost functions are shown; whole ones: kprof fold --wall "
	      "--chain\n", out);
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
	json_u64(&j, "ended_by_interrupts_ns", s->by_irq);
	json_u64(&j, "left_out_sleeps_ns", s->left_out[SLEEPS]);
	json_u64(&j, "left_out_idle_ns", s->left_out[IDLE]);
	json_u64(&j, "left_out_ended_by_kprof_ns", s->left_out[BY_KPROF]);
	json_u64(&j, "end_not_seen_ns", s->left_out[END_UNKNOWN]);
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
		      long lines, bool with_all, FILE *out)
{
	struct waits s = { .w = w };
	bool all = format != WALL_TEXT;
	size_t nr, most = lines > 0 ? (size_t)lines : LINES;

	make_rows(&s, filter, with_all);
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
	wall_places_end(&s.places);
	buf_free(&s.key);
}
