// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_waits_text.c - print who waited for whom: for whom in the end, where each waited, and all
 *
 * A queue behind one task has others between, in each order. So the shortest table, of those whom
 * all waited for in the end, stands first.
 */
#include <inttypes.h>
#include <string.h>

#include "data/account.h"
#include "lib/columns.h"
#include "lib/plural.h"
#include "wall/wall_waits.h"

#define SHOWN		10	/* rows of the first tables */
#define LINES		40	/* of the last one, unless asked */
#define SMALL		1000	/* less than this part of the whole is shown if asked */
#define NAMES_SHOWN	4	/* in a list of tasks */

struct print {
	struct wall_waits *s;
	FILE *out;
	struct buf text;	/* scratch */
};

/* --- parts of rows --- */

static void add_time(struct columns *c, const struct print *p, uint64_t ns)
{
	columns_add(c, "%.2f", 100.0 * ns / wall_waits_whole(p->s));
	columns_add(c, "%.6f", ns / 1e9);
}

static void add_counts(struct columns *c, const struct wall_waits_row *row)
{
	columns_add(c, "%" PRIu64, row->waits);
	columns_add(c, "%.3f", row->ns / 1e6 / row->waits);
	columns_add(c, "%.3f", row->max / 1e6);
}

/* The state and the place in one text, such as "sleep: do_nanosleep;hrtimer_nanosleep". */
static void add_where(struct columns *c, const char *state, const char *place)
{
	columns_add(c, "%s%s%s", *state ? state : "-", *place ? ": " : "", place);
}

static const char *names(struct print *p, const struct strtab *name)
{
	uint32_t i;

	p->text.len = 0;
	for (i = 0; i < name->nr && i < NAMES_SHOWN; i++)
		buf_printf(&p->text, "%s%s", i ? ", " : "", name->name[i].text);
	if (i < name->nr)
		buf_printf(&p->text, " and %" PRIu32 " more", name->nr - i);
	return p->text.data;
}

/* --- tables --- */

/* Rows that are not shown, and how much they are. */
static void print_hidden(const struct print *p, const struct wall_waits_rows *rows, size_t nr,
			 const char *what, const char *how)
{
	uint64_t ns = 0;
	size_t i;

	for (i = nr; i < wall_waits_nr(rows); i++)
		ns += rows->row[i].ns;
	if (nr < wall_waits_nr(rows))
		fprintf(p->out, "# %zu more row%s%s: %.6f s, %.2f %%%s\n", wall_waits_nr(rows) - nr,
			plural(wall_waits_nr(rows) - nr), what, ns / 1e9,
			100.0 * ns / wall_waits_whole(p->s), how);
}

static size_t at_most(const struct wall_waits_rows *rows, size_t nr)
{
	return wall_waits_nr(rows) < nr ? wall_waits_nr(rows) : nr;
}

static void print_ends(struct print *p)
{
	static const char *const name[] = {
		"%", "seconds", "waits", "avg_ms", "max_ms", "waiters", "wait for, in the end",
		"which meanwhile is",
	};
	const struct wall_waits_rows *rows = &p->s->table[WALL_ENDS];
	size_t i, nr = at_most(rows, SHOWN);
	struct columns c;

	fputs("# for whom all waited in the end, behind others or not, and what that one did "
	      "meanwhile\n", p->out);
	columns_begin(&c, name, sizeof(name) / sizeof(*name), 3);
	for (i = 0; i < nr; i++) {
		const struct wall_waits_row *row = &rows->row[i];

		add_time(&c, p, row->ns);
		add_counts(&c, row);
		columns_add(&c, "%s", names(p, &row->name));
		columns_add(&c, "%s", row->text[WALL_LAST_WHO]);
		add_where(&c, row->text[WALL_LAST_STATE], row->text[WALL_LAST_PLACE]);
	}
	columns_print(&c, p->out);
	print_hidden(p, rows, nr, "", "; --csv has each");
}

/* How long the tasks of a name were there, all together. */
static uint64_t time_of(const struct wall *w, const char *name)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		const struct wall_task *t = &w->task[i];

		if (t->is_shown && !strcmp(wall_task_name(w, t), name))
			ns += t->elapsed;
	}
	return ns;
}

static void print_places(struct print *p, const struct wall *w)
{
	static const char *const name[] = {
		"%", "seconds", "its_%", "waits", "avg_ms", "max_ms", "waiter", "waits in",
	};
	const struct wall_waits_rows *rows = &p->s->table[WALL_PLACES];
	size_t i, nr = at_most(rows, SHOWN);
	struct columns c;

	fputs("#\n# the same by where each waited; its_%: of the time that the tasks of this name were "
	      "there\n", p->out);
	columns_begin(&c, name, sizeof(name) / sizeof(*name), 2);
	for (i = 0; i < nr; i++) {
		const struct wall_waits_row *row = &rows->row[i];

		add_time(&c, p, row->ns);
		columns_add(&c, "%.2f", 100.0 * row->ns / time_of(w, row->text[WALL_WHO]));
		add_counts(&c, row);
		columns_add(&c, "%s", row->text[WALL_WHO]);
		add_where(&c, row->text[WALL_STATE], row->text[WALL_PLACE]);
	}
	columns_print(&c, p->out);
	print_hidden(p, rows, nr, "", "; --csv has each");
}

static void add_whom(struct columns *c, struct print *p, const struct wall_waits_row *row)
{
	columns_add(c, "%s%s%s", row->text[WALL_LAST_WHO], row->name.nr ? ", through " : "",
		    row->name.nr ? names(p, &row->name) : "");
}

static void print_links(struct print *p, size_t lines)
{
	static const char *const name[] = {
		"%", "seconds", "waits", "avg_ms", "max_ms", "waiter", "waits in", "for",
		"which meanwhile is",
	};
	const struct wall_waits_rows *rows = &p->s->table[WALL_LINKS];
	size_t i, nr = at_most(rows, lines ? lines : LINES);
	bool small = false;
	struct columns c;

	/* Rows are in order of time. */
	for (i = 0; i < nr && !lines && rows->row[i].ns >= p->s->ns / SMALL; i++)
		;
	if (!lines && i < nr) {
		nr = i;
		small = true;
	}
	fputs("#\n# both: who waited where, and for whom\n", p->out);
	columns_begin(&c, name, sizeof(name) / sizeof(*name), 4);
	for (i = 0; i < nr; i++) {
		const struct wall_waits_row *row = &rows->row[i];

		add_time(&c, p, row->ns);
		add_counts(&c, row);
		columns_add(&c, "%s", row->text[WALL_WHO]);
		add_where(&c, row->text[WALL_STATE], row->text[WALL_PLACE]);
		add_whom(&c, p, row);
		add_where(&c, row->text[WALL_LAST_STATE], row->text[WALL_LAST_PLACE]);
	}
	columns_print(&c, p->out);
	print_hidden(p, rows, nr, small ? " of less than 0.1 % of the table" : "",
		     lines ? "" : "; --lines N shows more");
}

static void print_sums(const struct print *p)
{
	const uint64_t *left_out = p->s->left_out;

	fprintf(p->out, "#\n# in all: %.6f s, of which interrupts, mostly of devices, ended %.6f s\n",
		p->s->ns / 1e9, p->s->by_irq / 1e9);
	if (left_out[WALL_SLEEPS])
		fprintf(p->out, "# not in the tables: %.6f s, %.2f %%: sleeps that interrupts ended, mostly "
			"timers of the task's own; where:\n#   'kprof offcpu --stacks'; how long each "
			"task slept: 'kprof report --states'; in the tables: --all-waits\n",
			left_out[WALL_SLEEPS] / 1e9,
			100.0 * left_out[WALL_SLEEPS] / wall_waits_whole(p->s));
	if (left_out[WALL_IDLE])
		fprintf(p->out, "# not in the tables: %.6f s of kernel threads that waited for work; "
			"--all-waits shows them\n", left_out[WALL_IDLE] / 1e9);
	if (left_out[WALL_BY_KPROF])
		fprintf(p->out, "# not in the tables: %.6f s ended by kprof itself; --all-waits shows them\n",
			left_out[WALL_BY_KPROF] / 1e9);
	fprintf(p->out, "# not in the tables: %.6f s not seen to be ended\n",
		left_out[WALL_END_UNKNOWN] / 1e9);
	fprintf(p->out, "# %%: of all waits in the tables%s; the waits of each task count by themselves, "
		"so a time stands\n#   in several rows where several wait\n",
		left_out[WALL_SLEEPS] ? " and those sleeps" : "");
	fputs("# shown of a stack: the innermost function of the program (with 'kprof record -g'), and the innermost ones\n"
	      "#   of the kernel; whole stacks: kprof fold --wall --chain. A function that ends by jumping to\n"
	      "#   another function is in no stack: its caller stands there\n", p->out);
}

void wall_waits_print_text(struct wall_waits *s, const struct wall *part, size_t lines, FILE *out)
{
	struct print p = { .s = s, .out = out };

	print_ends(&p);
	print_places(&p, part);
	print_links(&p, lines);
	print_sums(&p);
	account_print_own_cpu(part->data, "# ", out);
	buf_free(&p.text);
}
