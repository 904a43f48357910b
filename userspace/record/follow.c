// SPDX-License-Identifier: GPL-2.0-only
/*
 * follow.c - read the module's records live, in order of time, with names for ids
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "record/follow.h"
#include "record/kmod.h"
#include "record/record_meta.h"
#include "record/sources.h"

#define ROWS_MAX	(1u << 20)	/* larger row numbers are ignored */

/* Is this the last record of a call, span or point? Only its row can follow. */
static bool is_whole(const struct kprof_record *rec)
{
	return KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL ||
	       (KPROF_INFO_KIND(rec->info) == KPROF_REC_SAMPLE &&
		!(rec->info & KPROF_INFO_MORE));
}

static bool has_row(const struct kprof_record *rec)
{
	return KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL && (rec->info & KPROF_INFO_MORE);
}

static struct kprof_row row_of(const struct kprof_record *rec)
{
	struct kprof_row row = { .row = KPROF_ID_NONE };

	if (has_row(rec) && KPROF_INFO_KIND(rec[1].info) == KPROF_REC_ROW)
		memcpy(&row, &rec[1], sizeof(row));
	return row;
}

static void take_ring(struct follow *f, struct collect_ring *ring)
{
	size_t i;

	for (i = 0; i < ring->nr; i++) {
		const struct kprof_record *rec = &ring->rec[i];

		/* Its row will be in the next read. */
		if (has_row(rec) && i + 1 == ring->nr)
			break;
		if (!is_whole(rec))
			continue;
		f->record = mem_grow(f->record, &f->room, f->nr + 1, sizeof(*f->record));
		f->record[f->nr++] = (struct follow_record){ *rec, row_of(rec) };
	}
	ring->nr -= i;
	memmove(ring->rec, ring->rec + i, ring->nr * sizeof(*ring->rec));
}

/* Move records out of the buffers of the rings, to make room. */
static int take(struct collect *c)
{
	struct follow *f = (struct follow *)c;
	int i;

	for (i = 0; i < c->nr_rings; i++)
		take_ring(f, c->ring[i]);
	return EXIT_OK;
}

int follow_open(struct follow *f)
{
	struct data *meta = &f->collect.meta;

	*f = (struct follow){ 0 };
	if (collect_open(&f->collect, -1) ||
	    sources_read(&meta->text[DATA_SOURCES], &f->collect.earlier))
		return EXIT_ERROR;
	if (data_parse_sources(meta))
		return msg_error("cannot read the module's sources: %s", meta->error);
	f->collect.take = take;
	return EXIT_OK;
}

/* --- names --- */

static void keep_keys(uint64_t id, const struct lat_row *row, void *data)
{
	struct follow *f = data;
	struct buf text = { 0 };
	size_t before = f->nr_keys;

	if (id < KPROF_ID_FIRST || id >= ROWS_MAX)
		return;
	if (id >= before) {
		f->keys = mem_grow(f->keys, &f->nr_keys, id + 1, sizeof(*f->keys));
		memset(f->keys + before, 0, (f->nr_keys - before) * sizeof(*f->keys));
	}
	if (f->keys[id])
		return;
	lat_context_by_name(row, &text);
	f->keys[id] = arena_copy(&f->texts, text.data ? text.data : "", text.len);
	buf_free(&text);
}

/* Read the current rows. */
static int read_rows(struct follow *f)
{
	struct buf text = { 0 };
	char error[256];
	int ret = kmod_read("latency", &text);

	if (!ret && lat_parse_numbers(&text, keep_keys, f, error))
		ret = msg_error("cannot make sense of the module's %s", error);
	buf_free(&text);
	return ret;
}

static const char *keys_of(struct follow *f, uint32_t id)
{
	if (id == KPROF_ID_NONE)
		return "-";
	if (id == KPROF_ID_FULL)
		return "[row table full]";
	/* The module adds a row before the first record that refers to it. */
	if ((id >= f->nr_keys || !f->keys[id]) && read_rows(f))
		return NULL;
	return id < f->nr_keys && f->keys[id] ? f->keys[id] : "[row unknown]";
}

static int read_tasks(struct follow *f)
{
	struct collect_table *tasks = &f->collect.tasks;

	if (buf_read_fd(&tasks->pending, tasks->fd) && errno != EAGAIN)
		return msg_error("cannot read task_table: %s", strerror(errno));
	return EXIT_OK;
}

static const char *comm_of(struct follow *f, uint32_t id)
{
	const struct buf *tasks = &f->collect.tasks.pending;
	const struct kprof_task *task = (const void *)tasks->data;
	size_t at = id - KPROF_ID_FIRST;

	if (id == KPROF_ID_FULL)
		return "[task table full]";
	return id >= KPROF_ID_FIRST && at < tasks->len / sizeof(*task) ? task[at].comm : "?";
}

/* --- records --- */

static int by_time(const void *va, const void *vb)
{
	const struct kprof_record *a = &((const struct follow_record *)va)->rec;
	const struct kprof_record *b = &((const struct follow_record *)vb)->rec;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return KPROF_INFO_CPU(a->info) < KPROF_INFO_CPU(b->info) ? -1 :
	       KPROF_INFO_CPU(a->info) > KPROF_INFO_CPU(b->info);
}

/* The number of values, which is not trusted. */
static int each_of(const struct kprof_row *row)
{
	int nr = KPROF_INFO_EACH(row->info);

	return nr < KPROF_MAX_EACH ? nr : KPROF_MAX_EACH;
}

static int hand_on(struct follow *f, const struct follow_record *record,
		   bool (*show)(const struct follow_event *event, void *data), void *data,
		   bool *enough)
{
	const struct kprof_record *rec = &record->rec;
	const struct data *meta = &f->collect.meta;
	uint32_t source = KPROF_KEY_SOURCE(rec->key);
	struct follow_event event = {
		.record = rec, .comm = comm_of(f, KPROF_KEY_TASK(rec->key)),
		.source = source < meta->nr_sources && meta->source[source].name ?
			meta->source[source].name : "?",
		.keys = keys_of(f, record->row.row),
		.each = record->row.each, .nr_each = each_of(&record->row),
	};

	if (!event.keys)
		return EXIT_ERROR;
	*enough = !show(&event, data);
	return EXIT_OK;
}

int follow_step(struct follow *f, bool all,
		bool (*show)(const struct follow_event *event, void *data), void *data)
{
	uint64_t now = record_now_ns();
	bool enough = false;
	size_t i;
	int ret;

	/* A ring that was drained first may have older records than these: hold newer ones back. */
	if (collect_drain(&f->collect) || take(&f->collect) || read_tasks(f))
		return EXIT_ERROR;
	if (!f->nr)
		return EXIT_OK;
	qsort(f->record, f->nr, sizeof(*f->record), by_time);
	for (i = 0; i < f->nr && (all || f->record[i].rec.time < now) && !enough; i++) {
		ret = hand_on(f, &f->record[i], show, data, &enough);
		if (ret)
			return ret;
	}
	f->nr -= i;
	memmove(f->record, f->record + i, f->nr * sizeof(*f->record));
	return EXIT_OK;
}

void follow_close(struct follow *f)
{
	collect_close(&f->collect);
	free(f->record);
	free(f->keys);
	arena_free(&f->texts);
}
