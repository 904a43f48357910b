// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_events.c - read the events of a recording that affect the states of tasks, in order of time
 */
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "wall/wall.h"

#define ROWS_MAX	(1u << 20)	/* larger row numbers of a recording are ignored */

#define OFF_CPU		"@offcpu"
#define RUN_QUEUE	"@runqueue"
#define WAKEUP		"@wakeup"
#define EXITS		"tp:sched_process_exit"

const char *const wall_targets[WALL_TARGETS + 1] = {
	OFF_CPU, RUN_QUEUE " by=state", WAKEUP " by=current", EXITS, NULL
};

/* --- rows --- */

#define THROTTLED	"throttled"
#define THROTTLED_BY	"\"" THROTTLED ":"

static bool begins_with(const struct lat_key *key, const char *text)
{
	return key->len >= strlen(text) && !memcmp(key->value, text, strlen(text));
}

/*
 * Parse the module's name of a state, which may have the path of a cgroup. If it is none of those
 * that are told apart here, the task was preempted.
 */
static enum wall_state state_of(const struct lat_key *key)
{
	int i;

	if (begins_with(key, THROTTLED) || begins_with(key, THROTTLED_BY))
		return WALL_THROTTLED;
	for (i = WALL_IO; i < WALL_UNKNOWN; i++)
		if (strlen(wall_state_names[i]) == key->len &&
		    !memcmp(wall_state_names[i], key->value, key->len))
			return i;
	return WALL_RUNNABLE;
}

static void keep_row(uint64_t number, const struct lat_row *from, void *data)
{
	const char *at = from->context;
	struct wall *w = data;
	struct wall_row *row;
	struct lat_key key;
	size_t room = w->nr_rows;

	if (number < KPROF_ID_FIRST || number >= ROWS_MAX)
		return;
	if (number >= w->nr_rows) {
		w->row = mem_grow(w->row, &w->nr_rows, number + 1, sizeof(*w->row));
		for (; room < w->nr_rows; room++)
			w->row[room] = (struct wall_row){ .state = WALL_UNKNOWN };
	}
	row = &w->row[number];
	while (lat_next_key(&at, &key)) {
		if (key.name_len == 5 && !memcmp(key.name, "state", 5)) {
			row->state = state_of(&key);
			if (begins_with(&key, THROTTLED_BY))
				row->cgroup = arena_copy(&w->names,
							 key.value + strlen(THROTTLED_BY),
							 key.len - strlen(THROTTLED_BY) - 1);
		}
		if (key.name_len == 7 && !memcmp(key.name, "current", 7) && key.len >= 2)
			row->current = arena_copy(&w->names, key.value + 1, key.len - 2);
	}
}

static int read_rows(struct wall *w, const char *path)
{
	const struct buf *from = &w->data->text[DATA_LATENCY];
	struct buf copy = { 0 };
	char error[256];
	int ret = EXIT_OK;

	if (!from->len)
		return msg_error("%s: it was cut off, and what tasks waited for stands at its end",
				 path);
	buf_add(&copy, from->data, from->len);
	if (lat_parse_numbers(&copy, keep_row, w, error))
		ret = msg_error("%s: %s", path, error);
	buf_free(&copy);
	return ret;
}

/* --- records --- */

/* Ids of the sources whose records are events here; 0: the recording has no such source. */
struct sources {
	uint32_t off, queue, wakeup, exits, timer;
};

static int find_sources(struct sources *s, const struct data *d, const char *path)
{
	*s = (struct sources){
		.off = tally_source(d, OFF_CPU), .queue = tally_source(d, RUN_QUEUE),
		.wakeup = tally_source(d, WAKEUP), .exits = tally_source(d, EXITS),
		.timer = tally_source(d, "timer"),
	};
	if (s->off && s->queue)
		return EXIT_OK;
	return msg_error("%s does not say when tasks were blocked: 'kprof record --wall' makes a "
			 "recording that does", path);
}

/* Is a record an event here? A span has two records, for its begin and its end. */
static bool is_event(const struct sources *s, const struct wall *w,
		     const struct kprof_record *rec, uint32_t row, enum wall_event_type *type)
{
	uint32_t source = KPROF_KEY_SOURCE(rec->key);
	bool is_end = KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL;
	bool is_kept = is_end && row < w->nr_rows && w->row[row].state == WALL_THROTTLED;

	if (!source || data_is_addition(rec))
		return false;
	/* The part of a wait in which a task was throttled has a record of its own. */
	if (is_kept && source != s->off)
		return false;
	if (source == s->off)
		*type = is_kept ? WALL_KEPT : is_end ? WALL_IN : WALL_OUT;
	else if (source == s->queue)
		*type = is_end ? WALL_RUN : WALL_READY;
	else if (source == s->wakeup)
		*type = WALL_WAKING;
	else if (source == s->exits)
		*type = WALL_EXIT;
	else if (source == s->timer)
		*type = WALL_TICK;
	else
		return false;
	/* A point with keys also has two records; take the second one, which has the row. */
	return *type != WALL_WAKING || row != KPROF_ID_NONE ||
	       !(rec->info & KPROF_INFO_MORE);
}

static void take_chunk(struct wall_events *e, const struct sources *s, const struct wall *w,
		       const struct data_chunk *chunk)
{
	const struct data *d = w->data;
	enum wall_event_type type;
	size_t i;

	for (i = 0; i < chunk->nr; i++) {
		const struct kprof_record *rec = &chunk->rec[i];
		uint32_t row = data_row(d, chunk, i);

		if (!is_event(s, w, rec, row, &type))
			continue;
		e->event[e->nr] = (struct wall_event){
			.time = rec->time, .key = rec->key, .weight = rec->weight,
			.pid = rec->pid, .row = row, .info = rec->info, .order = e->nr,
			.type = type,
		};
		e->nr++;
	}
}

static int by_time(const void *va, const void *vb)
{
	const struct wall_event *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

int wall_events_read(struct wall_events *e, struct wall *w, const struct data *d, const char *path)
{
	struct sources s;
	size_t c;

	*e = (struct wall_events){ 0 };
	w->data = d;
	if (find_sources(&s, d, path) || read_rows(w, path))
		return EXIT_ERROR;
	e->has_wakers = s.wakeup;
	e->event = mem_zalloc(d->nr_records, sizeof(*e->event));
	for (c = 0; c < d->nr_chunks; c++)
		take_chunk(e, &s, w, &d->chunk[c]);
	if (!e->nr)
		return EXIT_OK;
	qsort(e->event, e->nr, sizeof(*e->event), by_time);
	w->from = e->event[0].time;
	w->to = e->event[e->nr - 1].time;
	return EXIT_OK;
}
