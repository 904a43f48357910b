// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_parse.c - parse the table of latencies: a header line, columns separated by tabs
 *
 * Columns are found by name, because other columns may be added.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"
#include "lib/mem.h"
#include "lib/number.h"

#define COLUMNS_MAX	32

/* The rest of the text, the current line and its words. */
struct reader {
	const char *file;
	const char *const *wanted;	/* names of columns */
	int at[COLUMNS_MAX];		/* the position of each in a line */
	char *next;
	char *word[COLUMNS_MAX];
	int nr_words, line;
	char *error;
};

static const char *const latency_columns[] = {
	"target", "context", "calls", "missed", "total_ns", "self_ns", "min_ns", "p50_ns",
	"p90_ns", "p99_ns", "max_ns", NULL
};

static const char *const number_columns[] = { "target", "context", "row", NULL };

static const char *const bucket_columns[] = {
	"target", "context", "low_ns", "high_ns", "calls", NULL
};

static int fail(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct reader *r, const char *fmt, ...)
{
	char why[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	snprintf(r->error, 256, "%s, line %d: %s", r->file, r->line, why);
	return -1;
}

/* Split the next line into words. Returns false if there is none. */
static bool next_line(struct reader *r)
{
	char *line = r->next, *end;

	if (!line || !*line)
		return false;
	end = line + strcspn(line, "\n");
	r->next = *end ? end + 1 : end;
	*end = '\0';
	r->line++;
	r->nr_words = 0;
	while (line && r->nr_words < COLUMNS_MAX)
		r->word[r->nr_words++] = strsep(&line, "\t");
	return true;
}

static int begin(struct reader *r, struct buf *text)
{
	int i, column;

	r->next = text->data;
	if (!next_line(r))
		return fail(r, "the header is missing");
	for (i = 0; r->wanted[i]; i++) {
		for (column = 0; column < r->nr_words; column++)
			if (!strcmp(r->word[column], r->wanted[i]))
				break;
		if (column == r->nr_words)
			return fail(r, "there is no column '%s'", r->wanted[i]);
		r->at[i] = column;
	}
	return 0;
}

static const char *text_of(const struct reader *r, int column)
{
	return r->at[column] < r->nr_words ? r->word[r->at[column]] : "";
}

static int number_of(struct reader *r, int column, uint64_t *value)
{
	const char *text = text_of(r, column);

	if (!number_parse(text, NUMBER_DECIMAL, value))
		return fail(r, "%s '%.40s' is no number", r->wanted[column], text);
	return 0;
}

static int parse_row(struct lat_table *t, struct reader *r)
{
	struct lat_row row = { 0 };
	uint64_t *const value[] = {
		&row.calls, &row.missed, &row.total, &row.self, &row.min, &row.p50, &row.p90,
		&row.p99, &row.max,
	};
	size_t i;

	for (i = 0; i < sizeof(value) / sizeof(*value); i++)
		if (number_of(r, 2 + i, value[i]))
			return -1;
	if (!*text_of(r, 0) || !*text_of(r, 1))
		return fail(r, "a row without target or context");
	if (row.min > row.max)
		return fail(r, "the shortest call is longer than the longest");
	row.target = arena_copy(&t->names, text_of(r, 0), strlen(text_of(r, 0)));
	row.context = arena_copy(&t->names, text_of(r, 1), strlen(text_of(r, 1)));
	t->row = mem_grow(t->row, &t->room, t->nr + 1, sizeof(*t->row));
	t->row[t->nr++] = row;
	return 0;
}

static int parse_bucket(struct lat_table *t, struct reader *r, struct lat_row **last)
{
	const char *target = text_of(r, 0), *context = text_of(r, 1);
	struct lat_row *row = *last;
	struct lat_bucket b;

	/* The buckets of a row are adjacent. */
	if (!row || strcmp(row->target, target) || strcmp(row->context, context))
		row = lat_find(t, target, context);
	/* A context that was added after "latency" was read will be in the next snapshot. */
	*last = row;
	if (number_of(r, 2, &b.low) || number_of(r, 3, &b.high) || number_of(r, 4, &b.calls))
		return -1;
	if (b.low >= b.high || !b.calls)
		return fail(r, "a bucket that holds nothing");
	if (!row)
		return 0;
	if (row->nr_buckets && row->bucket[row->nr_buckets - 1].high > b.low && !row->merged)
		return fail(r, "buckets are out of order");
	row->bucket = mem_grow(row->bucket, &row->bucket_room, row->nr_buckets + 1,
			       sizeof(*row->bucket));
	row->bucket[row->nr_buckets++] = b;
	return 0;
}

int lat_parse(struct lat_table *t, struct buf *latency, struct buf *buckets, char error[256])
{
	struct reader r = { .file = "latency", .wanted = latency_columns, .error = error };
	struct lat_row *last = NULL;

	*t = (struct lat_table){ 0 };
	if (begin(&r, latency))
		return -1;
	while (next_line(&r))
		if (parse_row(t, &r))
			return -1;
	lat_merge_rows(t);
	r = (struct reader){ .file = "buckets", .wanted = bucket_columns, .error = error };
	if (begin(&r, buckets))
		return -1;
	while (next_line(&r))
		if (parse_bucket(t, &r, &last))
			return -1;
	return lat_merge_buckets(t) ? 0 : fail(&r, "buckets of one row overlap");
}

int lat_parse_numbers(struct buf *latency,
		      void (*take)(uint64_t number, const struct lat_row *row, void *data),
		      void *data, char error[256])
{
	struct reader r = { .file = "latency", .wanted = number_columns, .error = error };
	struct lat_row row = { 0 };
	uint64_t number;

	if (begin(&r, latency))
		return -1;
	while (next_line(&r)) {
		if (number_of(&r, 2, &number))
			return -1;
		row.target = text_of(&r, 0);
		row.context = text_of(&r, 1);
		take(number, &row, data);
	}
	return 0;
}

int lat_of_data(struct lat_table *t, const struct data *d, char error[256])
{
	const struct buf *from[] = { &d->text[DATA_LATENCY], &d->text[DATA_BUCKETS] };
	struct buf copy[2] = { { 0 }, { 0 } };
	int i, ret;

	for (i = 0; i < 2; i++)
		buf_add(&copy[i], from[i]->data, from[i]->len);
	ret = lat_parse(t, &copy[0], &copy[1], error);
	buf_free(&copy[0]);
	buf_free(&copy[1]);
	return ret;
}

static void write_header(struct buf *out, const char *const *column)
{
	for (; *column; column++)
		buf_printf(out, "%s%c", *column, column[1] ? '\t' : '\n');
}

void lat_write(const struct lat_table *t, struct buf *latency, struct buf *buckets)
{
	size_t i, b;

	write_header(latency, latency_columns);
	write_header(buckets, bucket_columns);
	for (i = 0; i < t->nr; i++) {
		const struct lat_row *row = &t->row[i];

		buf_printf(latency, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			   "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
			   row->target, row->context, row->calls, row->missed, row->total,
			   row->self, row->min, row->p50, row->p90, row->p99, row->max);
		for (b = 0; b < row->nr_buckets; b++)
			buf_printf(buckets, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
				   row->target, row->context, row->bucket[b].low,
				   row->bucket[b].high, row->bucket[b].calls);
	}
}
