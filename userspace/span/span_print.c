// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_print.c - print rows of spans and their account as text, CSV and JSON
 */
#include <inttypes.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/plural.h"
#include "span/span.h"

static size_t count_columns(const struct span_column *column)
{
	size_t nr = 0;

	while (column[nr].title && nr < SPAN_COLUMNS)
		nr++;
	return nr;
}

static size_t rows_shown(const struct span_table *t)
{
	size_t most = span_options.lines;

	return most && most < t->ids.nr ? most : t->ids.nr;
}

/* A number of a row, in the unit of its column. */
static double number(const struct span_table *t, const struct span_row *row, enum span_cell cell,
		     int *digits)
{
	const struct lat_row *sum = &row->sum;

	*digits = cell == SPAN_SHARE ? 2 : cell == SPAN_SECONDS || cell == SPAN_BESIDE ? 6 :
		  cell < SPAN_COUNT ? 1 : 0;
	switch (cell) {
	case SPAN_SHARE:
		return t->all.sum.total ? 100.0 * sum->total / t->all.sum.total : 0;
	case SPAN_SECONDS:
		return sum->total / 1e9;
	case SPAN_AVG:
		return lat_avg(sum) / 1e3;
	case SPAN_P99:
		return sum->nr_buckets ? sum->p99 / 1e3 : 0;
	case SPAN_MAX:
		return sum->max / 1e3;
	case SPAN_AGE:
		return sum->max / 1e9;
	case SPAN_BYTES:
		return sum->total;
	case SPAN_ERRORS:
		return row->errors;
	case SPAN_BESIDE:
		return row->beside / 1e9;
	default:
		return sum->calls;
	}
}

/* --- text --- */

/* Add a stack below the row, leaf first, one frame per line. */
static void add_stack(struct buf *out, const char *stack)
{
	const char *end = stack + strlen(stack), *frame;

	while (end > stack) {
		for (frame = end; frame > stack && frame[-1] != ';'; frame--)
			;
		buf_printf(out, "\n          ");
		escape_add(out, frame, end - frame);
		end = frame > stack ? frame - 1 : stack;
	}
}

static void text_row(struct columns *c, const struct span_verb *verb, const struct span_table *t,
		     const struct span_row *row)
{
	const struct span_column *column;
	int digits;

	for (column = verb->column; column->title; column++) {
		struct buf last = { 0 };

		if (column->cell != SPAN_TEXT) {
			double value = number(t, row, column->cell, &digits);

			columns_add(c, "%.*f", digits, value);
			continue;
		}
		escape_add(&last, row->text[column->text], strlen(row->text[column->text]));
		if (!column[1].title && row->stack)
			add_stack(&last, row->stack);
		columns_add_lines(c, last.len ? last.data : "");
		buf_free(&last);
	}
}

static void text_table(const struct span_verb *verb, const struct span_table *t)
{
	size_t i, left = 0, nr = count_columns(verb->column), shown = rows_shown(t);
	struct span_row all = t->all;
	const char *title[SPAN_COLUMNS] = { NULL };
	struct columns c;

	for (i = 0; i < nr; i++) {
		title[i] = verb->column[i].title;
		left += verb->column[i].cell == SPAN_TEXT;
	}
	columns_begin(&c, title, nr, left);
	for (i = 0; i < shown; i++)
		text_row(&c, verb, t, &t->row[i]);
	for (i = 0; i < SPAN_TEXTS; i++)
		all.text[i] = "";
	all.text[verb->column[nr - left].text] = "total";
	text_row(&c, verb, t, &all);
	columns_print(&c, stdout);
	if (shown < t->ids.nr)
		printf("# %zu more row%s: --lines N shows more\n", t->ids.nr - shown,
		       plural(t->ids.nr - shown));
}

/* Half of a time, rounded down to a figure that people use: 1, 2 or 5. */
static uint64_t half_rounded(uint64_t ns)
{
	uint64_t unit = 1;

	while (ns / 20 >= unit)
		unit *= 10;
	return (ns / 2 >= 5 * unit ? 5 : ns / 2 >= 2 * unit ? 2 : 1) * unit;
}

/* Many short spans may come before the long ones, which are what a user waits for. */
static void text_longest(const struct span_table *t)
{
	size_t i, longest = 0;
	uint64_t max, least;
	struct buf min = { 0 };

	for (i = 1; i < t->ids.nr; i++)
		if (t->row[i].sum.max > t->row[longest].sum.max)
			longest = i;
	if (!longest)
		return;
	max = t->row[longest].sum.max;
	if (max < 2000 || max / 2 < t->row[0].sum.max)
		return;
	least = half_rounded(max);
	if (least >= 1000000)
		buf_printf(&min, "%" PRIu64 "ms", least / 1000000);
	else
		buf_printf(&min, "%" PRIu64 "us", least / 1000);
	printf("# the longest, %.1f us, is in row %zu%s: --min %s shows the long ones alone\n",
	       max / 1e3, longest + 1, longest < rows_shown(t) ? "" : ", which is not shown",
	       min.data);
	buf_free(&min);
}

static void draw(const struct lat_row *sum, const char *name)
{
	struct lat_output o = { .out = stdout };
	struct lat_row row = *sum;

	row.target = name;
	row.context = "";
	if (row.nr_buckets)
		lat_draw_histogram(&o, &row);
}

static void draw_rows(const struct span_verb *verb, const struct span_table *t)
{
	const struct span_column *column;
	size_t i;

	for (i = 0; i < rows_shown(t); i++) {
		struct buf name = { 0 };

		for (column = verb->column; column->title; column++)
			if (column->cell == SPAN_TEXT)
				buf_printf(&name, "%s%s", name.len ? "  " : "",
					   t->row[i].text[column->text]);
		draw(&t->row[i].sum, name.data);
		buf_free(&name);
	}
}

/* Report spans that began before or end after the measurement: not lost, but missing in rows. */
static void text_account(const struct span_verb *verb, const struct span_table *t,
			 const struct span_account *a)
{
	if (verb->note)
		printf("# %s\n", verb->note);
	if (t->elsewhere)
		printf("# not in the table: %.6f s %s\n", t->elsewhere / 1e9, verb->elsewhere);
	if (a->unbegun)
		printf("# not in the table: %" PRIu64 " %s the measurement began%s\n", a->unbegun,
		       verb->unbegun, verb->unbegun_or ? verb->unbegun_or : "");
	if (a->unbegun_apart)
		printf("# not in the table: %" PRIu64 " %s\n", a->unbegun_apart,
		       verb->unbegun_apart);
	/* A live verb shows open spans, so these are not missing. */
	if (a->unended && !verb->is_live)
		printf("# not in the table: %" PRIu64 " that had not ended when the measurement did\n",
		       a->unended);
	if (a->filtered)
		printf("# left out: %" PRIu64 " by command, pid, %s\n", a->filtered,
		       verb->condition ? "comm, cpus or state" : "comm or cpus");
	if (a->too_short)
		printf("# left out: %" PRIu64 " by --min\n", a->too_short);
	if (a->own)
		printf("# left out: %" PRIu64 " of kprof itself (--own)\n", a->own);
	if (a->overwritten)
		printf("# not in the table: %" PRIu64 " %s\n", a->overwritten, verb->overwritten ?
		       verb->overwritten : "whose end was not seen before the next began");
	if (a->duration)
		printf("# measured for: %.3f s\n", a->duration / 1e9);
	printf("# lost: %" PRIu64 "%s%s\n", a->lost, a->lost ? ": " : "",
	       a->lost ? a->causes.data : "");
	if (verb->next && t->ids.nr && !span_options.interval)
		printf("# next: %s\n", verb->next);
}

static void print_text(const struct span_verb *verb, const struct span_table *t,
		       const struct span_account *a)
{
	text_table(verb, t);
	if (verb->sums)
		span_print_sums(t, verb->sums, a->duration);
	if (verb->hint_longest)
		text_longest(t);
	if (verb->overall)
		draw(&t->all.sum, "all of them");
	if (span_options.histogram)
		draw_rows(verb, t);
	text_account(verb, t, a);
	if (span_options.interval)
		putchar('\n');
}

/* --- CSV --- */

static void print_csv(const struct span_verb *verb, const struct span_table *t)
{
	struct csv csv = csv_begin(stdout, NULL);
	const struct span_column *column;
	size_t i;
	int digits;

	for (column = verb->column; column->title; column++)
		csv_text(&csv, column->title);
	if (span_has_stacks())
		csv_text(&csv, "stack");
	csv_end_line(&csv);
	for (i = 0; i < rows_shown(t); i++) {
		const struct span_row *row = &t->row[i];

		for (column = verb->column; column->title; column++) {
			double value = number(t, row, column->cell, &digits);

			if (column->cell == SPAN_TEXT)
				csv_text(&csv, row->text[column->text]);
			else
				csv_number(&csv, value, digits);
		}
		if (span_has_stacks())
			csv_text(&csv, row->stack ? row->stack : "");
		csv_end_line(&csv);
	}
}

/* --- JSON: always nanoseconds --- */

static void json_stack(struct json *j, const char *stack)
{
	const char *end;
	struct buf frame = { 0 };

	json_array(j, "stack", JSON_LINE);
	for (; *stack; stack = *end ? end + 1 : end) {
		end = stack + strcspn(stack, ";");
		frame.len = 0;
		buf_add(&frame, stack, end - stack);
		json_text(j, NULL, frame.data);
	}
	json_close(j);
	buf_free(&frame);
}

static void json_buckets(struct json *j, const struct lat_row *sum)
{
	size_t i;

	json_array(j, "buckets", JSON_LINE);
	for (i = 0; i < sum->nr_buckets; i++) {
		json_object(j, NULL, JSON_LINE);
		json_u64(j, "low_ns", sum->bucket[i].low);
		json_u64(j, "high_ns", sum->bucket[i].high);
		json_u64(j, "count", sum->bucket[i].calls);
		json_close(j);
	}
	json_close(j);
}

static void json_times(struct json *j, const struct lat_row *sum)
{
	json_u64(j, "total_ns", sum->total);
	json_u64(j, "min_ns", sum->min);
	if (sum->nr_buckets) {
		json_u64(j, "p50_ns", sum->p50);
		json_u64(j, "p90_ns", sum->p90);
		json_u64(j, "p99_ns", sum->p99);
	}
	json_u64(j, "max_ns", sum->max);
}

static void json_row(struct json *j, const struct span_verb *verb, const struct span_row *row)
{
	const struct lat_row *sum = &row->sum;
	const struct span_column *column;

	json_object(j, NULL, JSON_LINE);
	for (column = verb->column; column->title; column++) {
		if (column->cell == SPAN_TEXT && column->name)
			json_text(j, column->name, row->text[column->text]);
		else if (column->cell == SPAN_ERRORS)
			json_u64(j, "errors", row->errors);
		else if (column->cell == SPAN_BESIDE)
			json_u64(j, column->name, row->beside);
	}
	json_u64(j, "count", sum->calls);
	if (verb->is_live) {
		json_u64(j, "bytes", sum->total);
		json_u64(j, "oldest_ns", sum->max);
	} else {
		json_times(j, sum);
	}
	if (row->stack)
		json_stack(j, row->stack);
	if (span_options.histogram)
		json_buckets(j, sum);
	json_close(j);
}

static void print_json(const struct span_verb *verb, const struct span_table *t,
		       const struct span_account *a)
{
	struct json j = json_begin(stdout);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_array(&j, "rows", JSON_LINES);
	for (i = 0; i < rows_shown(t); i++)
		json_row(&j, verb, &t->row[i]);
	json_close(&j);
	json_u64(&j, "more_rows", t->ids.nr - rows_shown(t));
	json_object(&j, "account", JSON_LINE);
	if (verb->beside)
		json_u64(&j, "elsewhere_ns", t->elsewhere);
	json_u64(&j, "unbegun", a->unbegun);
	if (verb->apart)
		json_u64(&j, "unbegun_apart", a->unbegun_apart);
	json_u64(&j, "unended", a->unended);
	json_u64(&j, "overwritten", a->overwritten);
	json_u64(&j, "own", a->own);
	json_u64(&j, "filtered", a->filtered);
	json_u64(&j, "too_short", a->too_short);
	json_u64(&j, "lost", a->lost);
	json_text(&j, "causes", a->lost ? a->causes.data : "");
	json_close(&j);
	json_end(&j);
}

void span_print(const struct span_verb *verb, const struct span_table *t,
		const struct span_account *a)
{
	if (span_options.json)
		print_json(verb, t, a);
	else if (span_options.csv)
		print_csv(verb, t);
	else
		print_text(verb, t, a);
	fflush(stdout);
}
