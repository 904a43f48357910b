// SPDX-License-Identifier: GPL-2.0-only
/*
 * regions.c - which region of its program a sample is in, by what "record --regions" has recorded
 *
 * A record of a region's end has its thread, its duration and its row, which has its name. So
 * regions that have not ended are not known. What is known is turned into segments of time in which
 * a thread is in one region, so that looking up a sample takes the same time however deep regions
 * are nested.
 */
#include <stdlib.h>
#include <string.h>

#include "data/regions.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/strtab.h"

#define COLUMNS_MAX	64		/* of the table of the names; it has some 15 */
#define ROWS_MAX	(1u << 20)	/* larger row numbers of a recording are ignored */

static const char none[] = "[no region]", unknown[] = "[unknown region]";

/* From here on the thread is in this region; 0: in none. */
struct segment {
	uint64_t from;
	uint32_t pid, region;
};

struct regions {
	struct segment *segment;
	size_t nr, room;
	struct strtab names;	/* by region, less 1; behind them all is the unknown one */
	uint64_t unknown;	/* spans in that one */
};

struct span {
	uint64_t from, to;
	uint32_t pid, region;
	bool is_over;
};

/* The beginning or the end of a span. */
struct edge {
	uint64_t time;
	struct span *span;
	bool is_end;
};

struct work {
	struct regions *regions;
	uint32_t *region;	/* by number of the row; 0: it is of something else */
	size_t nr_rows;
	struct span *span;
	size_t nr;
};

/* --- names --- */

/* Field @nr of a line whose fields are separated by tabs. */
static const char *field(const char *line, size_t len, size_t nr, size_t *field_len)
{
	const char *end = line + len, *tab;

	for (; nr; nr--, line = tab + 1) {
		tab = memchr(line, '\t', end - line);
		if (!tab)
			return NULL;
	}
	tab = memchr(line, '\t', end - line);
	*field_len = (tab ? tab : end) - line;
	return line;
}

static bool is_field(const char *line, size_t len, size_t nr, const char *text)
{
	size_t field_len;
	const char *at = field(line, len, nr, &field_len);

	return at && field_len == strlen(text) && !memcmp(at, text, field_len);
}

/* The region of a name. What has the name of what is none is written in another way. */
static uint32_t add_name(struct regions *r, const char *text, size_t len)
{
	const bool is_taken = (len == strlen(none) && !memcmp(text, none, len)) ||
			      (len == strlen(unknown) && !memcmp(text, unknown, len));
	struct buf name = { 0 };
	uint32_t region;

	if (is_taken)
		buf_printf(&name, "\\x5b%.*s", (int)len - 1, text + 1);
	region = 1 + (is_taken ? strtab_add(&r->names, name.data, name.len) :
				 strtab_add(&r->names, text, len));
	buf_free(&name);
	return region;
}

/* A row: the value of its key is a text in quotes. */
static void take_row(struct work *w, const char *line, size_t len, size_t column)
{
	size_t context_len = 0, number_len;
	const char *context = field(line, len, 1, &context_len), *text;
	const char *number = field(line, len, column, &number_len);
	uint64_t row;

	if (!is_field(line, len, 0, REGIONS_SOURCE) || !context || !number ||
	    !number_take(&number, NUMBER_DECIMAL, &row) || row < KPROF_ID_FIRST || row >= ROWS_MAX)
		return;
	text = memchr(context, '=', context_len);
	if (!text)
		return;
	text++;
	context_len -= text - context;
	if (context_len >= 2 && *text == '"' && text[context_len - 1] == '"') {
		text++;
		context_len -= 2;
	}
	if (row >= w->nr_rows) {
		size_t before = w->nr_rows;

		w->region = mem_grow(w->region, &w->nr_rows, row + 1, sizeof(*w->region));
		memset(w->region + before, 0, (w->nr_rows - before) * sizeof(*w->region));
	}
	w->region[row] = add_name(w->regions, text, context_len);
}

static void take_rows(struct work *w, const struct buf *latency)
{
	const char *at = latency->data, *line;
	size_t len, column = 0;

	if (!buf_next_line(&at, &line, &len))
		return;
	/* Each field is searched from the start of the line. */
	while (column < COLUMNS_MAX && !is_field(line, len, column, "row"))
		column++;
	if (column == COLUMNS_MAX)
		return;
	while (buf_next_line(&at, &line, &len))
		take_row(w, line, len, column);
}

/* --- segments --- */

/*
 * The region of a row, or the unknown one if the call found the table of rows full: what ran in it
 * is not what ran in the region around it.
 */
static uint32_t region_of(struct work *w, uint32_t row)
{
	if (row < w->nr_rows && w->region[row])
		return w->region[row];
	w->regions->unknown++;
	return w->regions->names.nr + 1;
}

static void take_spans(struct work *w, const struct data *d, uint32_t source)
{
	size_t c, i;

	w->span = mem_zalloc(d->nr_records, sizeof(*w->span));
	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			const struct kprof_record *rec = &d->chunk[c].rec[i];

			if (KPROF_INFO_KIND(rec->info) != KPROF_REC_CALL ||
			    KPROF_KEY_SOURCE(rec->key) != source || !rec->weight)
				continue;
			w->span[w->nr++] = (struct span){
				.from = rec->weight < rec->time ? rec->time - rec->weight : 0,
				.to = rec->time, .pid = rec->pid,
				.region = region_of(w, data_row(d, &d->chunk[c], i)),
			};
		}
}

/* By thread, then by time. Of regions that begin together, the one that ends first is inside. */
static int by_thread(const void *va, const void *vb)
{
	const struct edge *a = va, *b = vb;

	if (a->span->pid != b->span->pid)
		return a->span->pid < b->span->pid ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->is_end != b->is_end)
		return a->is_end ? -1 : 1;
	if (a->span->to != b->span->to)
		return a->span->to > b->span->to ? -1 : 1;
	return a->span < b->span ? -1 : a->span > b->span;
}

static void add_segment(struct regions *r, uint64_t from, uint32_t pid, uint32_t region)
{
	struct segment *last = r->nr ? &r->segment[r->nr - 1] : NULL;

	if (last && last->pid == pid && last->from == from) {
		last->region = region;
		return;
	}
	r->segment = mem_grow(r->segment, &r->room, r->nr + 1, sizeof(*r->segment));
	r->segment[r->nr++] = (struct segment){ from, pid, region };
}

/* The last edge of a thread is an end, with which nothing is open: so is the next one's start. */
static void make_segments(struct work *w)
{
	struct edge *edge = mem_zalloc(2 * w->nr, sizeof(*edge));
	struct span **open = mem_zalloc(w->nr, sizeof(*open));
	size_t i, depth = 0;

	for (i = 0; i < w->nr; i++) {
		edge[2 * i] = (struct edge){ w->span[i].from, &w->span[i], false };
		edge[2 * i + 1] = (struct edge){ w->span[i].to, &w->span[i], true };
	}
	if (w->nr)
		qsort(edge, 2 * w->nr, sizeof(*edge), by_thread);
	for (i = 0; i < 2 * w->nr; i++) {
		struct span *span = edge[i].span;

		if (edge[i].is_end)
			span->is_over = true;
		else
			open[depth++] = span;
		while (depth && open[depth - 1]->is_over)
			depth--;
		add_segment(w->regions, edge[i].time, span->pid,
			    depth ? open[depth - 1]->region : 0);
	}
	free(edge);
	free(open);
}

int regions_open(struct data *d, const char *name)
{
	struct work w = { .nr = 0 };
	uint32_t source = 0;

	if (d->regions)
		return EXIT_OK;
	while (source < d->nr_sources && (!d->source[source].name ||
					  strcmp(d->source[source].name, REGIONS_SOURCE)))
		source++;
	if (source == d->nr_sources)
		return msg_error("%s has no regions: 'kprof record --regions' records those that "
				 "a program marks by kprof.h", name);
	if (!d->text[DATA_LATENCY].len)
		return msg_error("%s: it was cut off, and the names of regions stand at its end",
				 name);
	d->regions = mem_zalloc(1, sizeof(*d->regions));
	w.regions = d->regions;
	take_rows(&w, &d->text[DATA_LATENCY]);
	take_spans(&w, d, source);
	make_segments(&w);
	free(w.region);
	free(w.span);
	return EXIT_OK;
}

void regions_close(struct data *d)
{
	if (!d->regions)
		return;
	free(d->regions->segment);
	strtab_free(&d->regions->names);
	free(d->regions);
	d->regions = NULL;
}

uint32_t regions_at(const struct data *d, uint32_t pid, uint64_t time)
{
	const struct regions *r = d->regions;
	size_t low = 0, high = r ? r->nr : 0;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct segment *s = &r->segment[mid];

		if (s->pid < pid || (s->pid == pid && s->from <= time))
			low = mid + 1;
		else
			high = mid;
	}
	return low && r->segment[low - 1].pid == pid ? r->segment[low - 1].region : 0;
}

/* With the one that stands for no region, and the unknown one. */
uint32_t regions_nr(const struct data *d)
{
	return d->regions ? d->regions->names.nr + 2 : 1;
}

const char *regions_name(const struct data *d, uint32_t region)
{
	if (!region || !d->regions)
		return none;
	return region > d->regions->names.nr ? unknown : d->regions->names.name[region - 1].text;
}

uint64_t regions_unknown(const struct data *d)
{
	return d->regions ? d->regions->unknown : 0;
}
