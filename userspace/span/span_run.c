// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_run.c - measure presets of the module, and show the results
 */
#include <string.h>

#include "data/account.h"
#include "lib/msg.h"
#include "record/kmod.h"
#include "span/span.h"

#define ROWS	2048	/* more than the 512 of lat: presets have keys with many values */

struct span_options span_options;

struct span {
	struct watch watch;	/* the first member: see show() */
	const struct span_verb *verb;
	struct watch_user user;
};

/* The lines of stats without those of the preset beside the others: its spans are no rows. */
static void add_stats(struct buf *to, const struct buf *stats, const char *beside)
{
	size_t len, name = beside ? strlen(beside) : 0;
	const char *at = stats->data, *line;

	buf_add(to, "", 0);
	while (at && buf_next_line(&at, &line, &len))
		if (!name || len <= name || strncmp(line, beside, name) || line[name] != '.')
			buf_printf(to, "%.*s\n", (int)len, line);
}

/* The ends without a beginning in the lines of stats that are left without those of @but. */
static uint64_t unbegun_but(const struct buf *before, const struct buf *after, const char *but)
{
	struct buf other_before = { 0 }, other_after = { 0 };
	uint64_t nr;

	add_stats(&other_before, before, but);
	add_stats(&other_after, after, but);
	nr = account_growth(&other_before, &other_after, "dropped_unbegun");
	buf_free(&other_before);
	buf_free(&other_after);
	return nr;
}

static void read_account(struct span_account *a, const struct data *d,
			 const struct span_verb *verb)
{
	const char *beside = verb->beside;
	struct buf before = { 0 }, after = { 0 };

	add_stats(&before, &d->text[DATA_STATS_BEFORE], beside);
	add_stats(&after, &d->text[DATA_STATS], beside);
	*a = (struct span_account){
		.unbegun = account_growth(&before, &after, "dropped_unbegun"),
		.unended = account_growth(&before, &after, "unended") +
			   account_growth(&before, &after, "open"),
		.overwritten = account_growth(&before, &after, "overwritten"),
		.own = account_growth(&before, &after, "dropped_own"),
	};
	if (verb->apart) {
		uint64_t all = a->unbegun;

		a->unbegun = unbegun_but(&before, &after, verb->apart);
		a->unbegun_apart = all - a->unbegun;
	}
	account_left_out(&before, &after, &a->filtered, &a->too_short);
	a->duration = data_duration_ns(d);
	a->lost = account_dropped(&d->text[DATA_STATS_BEFORE], &d->text[DATA_STATS], &a->causes);
	buf_free(&before);
	buf_free(&after);
}

static void add_open(struct span_table *table, const struct span_verb *verb,
		     const struct buf *open)
{
	struct buf text = { 0 };	/* of its own, as it is split */

	buf_add(&text, open->data, open->len);
	if (open->len && !span_table_add_open(table, verb, text.data))
		msg_warn("cannot make sense of the module's file open");
	buf_free(&text);
}

static void add_rows(struct span_table *table, const struct span_verb *verb,
		     const struct lat_table *t, const struct buf *open)
{
	size_t i;

	if (verb->is_live)
		add_open(table, verb, open);
	for (i = 0; i < t->nr && !verb->is_live; i++)
		if (!span_is_beside(verb, &t->row[i]))
			span_table_add(table, verb, &t->row[i]);
	for (i = 0; i < t->nr && verb->beside; i++)
		if (span_is_beside(verb, &t->row[i]))
			span_table_add_beside(table, verb, &t->row[i]);
}

/*
 * The rows note the places without a name, which are looked for then; and again, with the names
 * that were waited for. Between intervals nothing may take long: the signal that ends them waits,
 * and so do rules. Then names come an interval later.
 */
static void add_named_rows(struct span_table *table, const struct span_verb *verb,
			   const struct lat_table *t, const struct buf *open)
{
	struct user_names *names = table->names;
	bool wait = !span_options.interval;

	names->table.len = 0;
	if (!kmod_read("file_table", &names->table))
		user_names_renew(names);
	add_rows(table, verb, t, open);
	user_names_look(names, wait);
	if (!wait)
		return;
	span_table_free(table);
	table->names = names;
	add_rows(table, verb, t, open);
}

static void show(struct watch *w, const struct data *view, struct lat_table *t)
{
	const struct span_verb *verb = ((struct span *)w)->verb;
	struct span_table table = { .names = w->user ? &w->user->names : NULL };
	struct span_account account;
	struct buf open = { 0 };

	/* Standard output is taken by the recording. */
	if (w->output && !strcmp(w->output, "-"))
		return;
	if (verb->is_live && kmod_read("open", &open))
		open.len = 0;
	(w->user ? add_named_rows : add_rows)(&table, verb, t, &open);
	span_table_sort(&table, (verb->sorts ? verb->sorts : span_sorts)[span_options.sort]);
	read_account(&account, view, verb);
	span_print(verb, &table, &account);
	span_table_free(&table);
	buf_free(&account.causes);
	buf_free(&open);
}

int span_check(char **argv)
{
	const struct span_options *o = &span_options;

	if (*argv && strcmp(*argv, "--"))
		return msg_usage("'%s': a command stands behind --", *argv);
	if (measurement_check(&o->pids, o->all, o->cpus))
		return EXIT_USAGE;
	if (o->callers && o->output)
		return msg_usage("--output: a recording of this has no names of functions of programs; "
				 "leave out --callers, or record each call: kprof record -g -t");
	if (o->csv && o->json)
		return msg_contradiction("--csv", "--json");
	if (o->min && strpbrk(o->min, " ;"))
		return msg_usage("--min: '%s' is no time such as 10us", o->min);
	if (o->count && !o->interval)
		return msg_usage("--interval-count needs intervals: give --interval, too");
	return EXIT_OK;
}

/* Make the target lines of a verb, with the additions of options. */
static int make_targets(const struct span_verb *verb, struct buf *text, const char **target)
{
	const struct span_options *o = &span_options;
	int i, nr;

	for (nr = 0; verb->target[nr]; nr++) {
		buf_printf(&text[nr], "%s%s%s%s%s%s%s", verb->target[nr],
			   o->by_process && verb->process_keys ? verb->process_keys : "",
			   span_has_stacks() && verb->stack_key ? verb->stack_key : "",
			   o->callers ? "," : "", o->callers ? span_user_key(verb) : "",
			   verb->condition ? " if=" : "", verb->condition ? verb->condition : "");
		if (o->min)
			buf_printf(&text[nr], " min=%s", o->min);
	}
	for (i = 0; i < nr; i++)
		target[i] = text[i].data;
	return nr;
}

/* Choose the columns to show, which depend on options. */
static void choose_columns(const struct span_column *from, struct span_column *to)
{
	for (; from->title; from++)
		if (!from->only_if || *from->only_if)
			*to++ = *from;
}

int span_run(const struct span_verb *verb, char **argv)
{
	const struct span_options *o = &span_options;
	struct span_column column[SPAN_COLUMNS] = { 0 };
	struct span_verb shown = *verb;
	struct span s = { .verb = &shown };
	struct buf text[SPAN_TARGETS] = { 0 };
	const char *target[SPAN_TARGETS];
	int ret, i;

	if (span_check(argv))
		return EXIT_USAGE;
	choose_columns(verb->column, column);
	shown.column = column;
	s.watch = (struct watch){
		.target = target, .nr_targets = make_targets(verb, text, target),
		.pids = &o->pids, .all = o->all,
		.own = o->own, .comm = o->comm, .cpus = o->cpus,
		.module = o->module, .output = o->output, .user = o->callers ? &s.user : NULL,
		.max_rows = o->max_rows ? o->max_rows : ROWS, .max_open = verb->max_open,
		.duration = o->duration,
		.interval = o->interval, .count = o->count, .show = show,
	};
	ret = watch_run(&s.watch, argv + !!*argv);
	watch_user_end(&s.user);
	for (i = 0; i < s.watch.nr_targets; i++)
		buf_free(&text[i]);
	return command_status(ret, s.watch.measurement.status);
}
