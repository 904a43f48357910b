// SPDX-License-Identifier: GPL-2.0-only
/*
 * chrome.c - a recording as JSON of Chrome's trace events, for Perfetto and chrome://tracing
 *
 * Samples of time become slices of their thread, one below the other as in a flame chart; those of
 * a function that goes on are one slice. Calls with a time become pairs of events of their own,
 * which may overlap. Whatever has no time becomes an instant. So the time of all slices is that of
 * a report.
 */
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "data/data_fold.h"
#include "export/export_events.h"
#include "export/export_formats.h"
#include "export/export_stack.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/opt.h"
#include "lib/strtab.h"

/* And the CPU: the track of its idle task. No thread has such an id. */
#define IDLE_TRACK	0x40000000u

/* A function of the chart that goes on, and since when. */
struct slice {
	uint32_t name;
	uint64_t from;
};

struct chrome {
	struct json json;
	const struct data *data;
	struct export_types types;
	struct export_events events;
	struct export_stack stack;
	struct strtab names;
	uint32_t *path;			/* of the event, root first */
	struct slice *open;
	size_t nr_path, path_room, nr_open, open_room;
	uint64_t id;			/* of the last call */
};

/* Make c->path the functions of an event. */
static void take_path(struct chrome *c, const struct export_event *event)
{
	const struct tally_row row = export_event_row(event);
	size_t i, nr;

	c->nr_path = 0;
	export_stack_of(&c->stack, c->data, &row);
	for (i = c->stack.nr; i-- > 0;) {
		const struct frame *f = export_frames(c->data, &c->stack.place[i], &nr);

		c->path = mem_grow(c->path, &c->path_room, c->nr_path + nr, sizeof(*c->path));
		while (nr-- > 0)
			c->path[c->nr_path++] = strtab_add(&c->names, f[nr].label, f[nr].label_len);
	}
}

static uint32_t process_of(const struct data *d, const struct export_event *event)
{
	const uint32_t task = KPROF_KEY_TASK(event->key);

	return task < d->nr_tasks && d->task[task].tgid ? d->task[task].tgid : event->pid;
}

/* Begin an event of the trace: its name, what it is, its thread, and when, in microseconds. */
static void begin(struct chrome *c, const struct export_event *of, const char *name,
		  const char *phase, uint64_t ns)
{
	json_object(&c->json, NULL, JSON_LINE);
	json_text(&c->json, "name", name);
	json_text(&c->json, "ph", phase);
	json_u64(&c->json, "pid", process_of(c->data, of));
	json_u64(&c->json, "tid", of->pid ? of->pid : IDLE_TRACK + KPROF_INFO_CPU(of->info));
	json_number(&c->json, "ts", ns / 1000.0, 3);
}

/* Close the slices from a depth on, the innermost first. */
static void close_slices(struct chrome *c, const struct export_event *of, size_t depth,
			 uint64_t ns)
{
	const struct slice *slice;

	while (c->nr_open > depth) {
		slice = &c->open[--c->nr_open];
		begin(c, of, c->names.name[slice->name].text, "X", slice->from);
		json_number(&c->json, "dur", (ns - slice->from) / 1000.0, 3);
		json_close(&c->json);
	}
}

/*
 * The samples of a thread. Each stands for the time before it; where that would reach into the time
 * of the one before, as ticks are not exactly a period apart, it is moved behind that.
 */
static void put_chart(struct chrome *c, size_t from, size_t end, const struct export_type *type)
{
	const struct export_event *event = c->events.event;
	uint64_t value, start, last = 0;
	size_t i, k;

	for (i = from; i < end; i++) {
		value = export_event_value(c->data, type, &event[i]);
		if (!value)
			continue;
		take_path(c, &event[i]);
		start = event[i].time > value ? event[i].time - value : 0;
		if (start > last)
			close_slices(c, &event[from], 0, last);
		else
			start = last;
		for (k = 0; k < c->nr_open && k < c->nr_path; k++)
			if (c->open[k].name != c->path[k])
				break;
		close_slices(c, &event[from], k, last);
		c->open = mem_grow(c->open, &c->open_room, c->nr_path, sizeof(*c->open));
		for (; k < c->nr_path; k++)
			c->open[c->nr_open++] = (struct slice){ c->path[k], start };
		last = value < UINT64_MAX - start ? start + value : UINT64_MAX;
	}
	close_slices(c, &event[from], 0, last);
}

/* The stack of an event in a text, root first, and the CPU. */
static void put_args(struct chrome *c, const struct export_event *event, uint64_t value)
{
	struct buf text = { 0 };
	size_t i;

	take_path(c, event);
	for (i = 0; i < c->nr_path; i++)
		buf_printf(&text, "%s%s", i ? ";" : "", c->names.name[c->path[i]].text);
	json_object(&c->json, "args", JSON_LINE);
	json_text(&c->json, "stack", text.data);
	json_u64(&c->json, "cpu", KPROF_INFO_CPU(event->info));
	json_u64(&c->json, "weight", value);
	json_close(&c->json);
	buf_free(&text);
}

/* A call, from its beginning to its end. */
static void put_call(struct chrome *c, const struct export_event *event, const char *name,
		     uint64_t ns)
{
	c->id++;
	begin(c, event, name, "b", event->time > ns ? event->time - ns : 0);
	json_text(&c->json, "cat", name);
	json_u64(&c->json, "id", c->id);
	put_args(c, event, ns);
	json_close(&c->json);
	begin(c, event, name, "e", event->time > ns ? event->time : ns);
	json_text(&c->json, "cat", name);
	json_u64(&c->json, "id", c->id);
	json_close(&c->json);
}

static void put_instant(struct chrome *c, const struct export_event *event, const char *name,
			uint64_t value)
{
	begin(c, event, name, "i", event->time);
	json_text(&c->json, "s", "t");
	put_args(c, event, value);
	json_close(&c->json);
}

/* The events of a thread and a source, from index @from to before @end. */
static void put_thread(struct chrome *c, size_t from, size_t end)
{
	const uint32_t source = KPROF_KEY_SOURCE(c->events.event[from].key);
	const struct export_type *type = export_event_type(&c->types, source);
	const struct export_event *event = &c->events.event[from], *last = c->events.event + end;
	uint64_t value;

	begin(c, event, "thread_name", "M", 0);
	json_object(&c->json, "args", JSON_LINE);
	json_text(&c->json, "name", data_task_name(c->data, KPROF_KEY_TASK(event->key)));
	json_close(&c->json);
	json_close(&c->json);
	/* Two charts in a track would cut each other into pieces. */
	if (type && type == &c->types.type[c->types.main] && type->is_time &&
	    !data_is_target(c->data, source)) {
		put_chart(c, from, end, type);
		return;
	}
	for (; type && event < last; event++) {
		value = export_event_value(c->data, type, event);
		if (value && type->is_time && data_is_target(c->data, source))
			put_call(c, event, type->name, value);
		else if (value)
			put_instant(c, event, type->name, value);
	}
}

static void put_about(struct chrome *c)
{
	struct buf title = { 0 }, about = { 0 };

	about_recording(c->data, &title, &about);
	json_object(&c->json, "otherData", JSON_LINES);
	json_text(&c->json, "exporter", "kprof");
	json_text(&c->json, "title", title.len ? title.data : "");
	json_text(&c->json, "about", about.len ? about.data : "");
	json_close(&c->json);
	buf_free(&title);
	buf_free(&about);
}

static int write_chrome(struct export *e)
{
	struct chrome c = { .json = json_begin(stdout), .data = e->data };
	size_t from, end;

	export_types_make(&c.types, e->data, e->query.source);
	export_events_make(&c.events, e->data, &e->query);
	e->is_empty = !c.events.nr;
	json_object(&c.json, NULL, JSON_LINES);
	json_text(&c.json, "displayTimeUnit", "ns");
	put_about(&c);
	json_array(&c.json, "traceEvents", JSON_LINES);
	for (from = 0; from < c.events.nr; from = end) {
		end = export_events_end(&c.events, from);
		put_thread(&c, from, end);
	}
	json_end(&c.json);
	export_types_free(&c.types);
	free(c.events.event);
	free(c.stack.place);
	strtab_free(&c.names);
	free(c.path);
	free(c.open);
	return EXIT_OK;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.holds = EXPORT_THREADS | EXPORT_TASKS | EXPORT_TIMES,
	.write = write_chrome,
};
