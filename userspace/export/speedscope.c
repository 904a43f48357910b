// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope.c - a recording for speedscope: JSON, with a profile for each thread and source
 *
 * Frames are numbered as they are met, and written behind the profiles: the order of the members of
 * an object is free, so none has to be known before it is needed.
 */
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "data/data_fold.h"
#include "export/export_events.h"
#include "export/export_formats.h"
#include "export/export_stack.h"
#include "export/export_types.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/opt.h"
#include "lib/pid.h"
#include "lib/strtab.h"

struct speedscope {
	struct json json;
	const struct data *data;
	struct export_types types;
	struct export_events events;
	struct export_stack stack;
	struct strtab frames;	/* names */
	struct strtab files;
	uint32_t *file;		/* of each frame; STRTAB_NONE: not known */
	size_t room;
};

/* The number of a function. Its lines differ from place to place, and would make others of it. */
static uint32_t frame_number(struct speedscope *s, const struct frame *frame)
{
	const uint32_t nr = s->frames.nr;
	const uint32_t id = strtab_add(&s->frames, frame->label, frame->label_len);

	if (id < nr)
		return id;
	s->file = mem_grow(s->file, &s->room, id + 1ul, sizeof(*s->file));
	s->file[id] = frame->file ? strtab_add(&s->files, frame->file, strlen(frame->file)) :
				    STRTAB_NONE;
	return id;
}

/* The stack of an event, root first. */
static void put_stack(struct speedscope *s, const struct export_event *event)
{
	const struct tally_row row = export_event_row(event);
	size_t i, nr;

	export_stack_of(&s->stack, s->data, &row);
	json_array(&s->json, NULL, JSON_LINE);
	for (i = s->stack.nr; i-- > 0;) {
		const struct frame *frame = export_frames(s->data, &s->stack.place[i], &nr);

		while (nr-- > 0)
			json_u64(&s->json, NULL, frame_number(s, &frame[nr]));
	}
	json_close(&s->json);
}

/* "make 123: cpu"; the name of the type tells the source, too, if there are several. */
static void put_name(struct speedscope *s, const struct export_event *event,
		     const struct export_type *type)
{
	struct buf name = { 0 };
	char pid[PID_TEXT];

	buf_printf(&name, "%s %s: %s", data_task_name(s->data, KPROF_KEY_TASK(event->key)),
		   pid_text(event->pid, pid), type->name);
	json_text(&s->json, "name", name.data);
	buf_free(&name);
}

/* The events of a thread and a source, from index @from to before @end. */
static void put_profile(struct speedscope *s, size_t from, size_t end)
{
	const struct export_event *event = s->events.event;
	const struct export_type *type =
		export_event_type(&s->types, KPROF_KEY_SOURCE(event[from].key));
	uint64_t total = 0, value;
	size_t i;

	for (i = from; type && i < end; i++)
		total += export_event_value(s->data, type, &event[i]);
	if (!total)
		return;
	json_object(&s->json, NULL, JSON_LINES);
	json_text(&s->json, "type", "sampled");
	put_name(s, &event[from], type);
	json_text(&s->json, "unit", type->is_time ? "nanoseconds" : "none");
	json_u64(&s->json, "startValue", 0);
	json_u64(&s->json, "endValue", total);
	json_array(&s->json, "samples", JSON_LINES);
	for (i = from; i < end; i++)
		if (export_event_value(s->data, type, &event[i]))
			put_stack(s, &event[i]);
	json_close(&s->json);
	json_array(&s->json, "weights", JSON_LINE);
	for (i = from; i < end; i++) {
		value = export_event_value(s->data, type, &event[i]);
		if (value)
			json_u64(&s->json, NULL, value);
	}
	json_close(&s->json);
	json_close(&s->json);
}

static void put_frames(struct speedscope *s)
{
	uint32_t i;

	json_object(&s->json, "shared", JSON_LINES);
	json_array(&s->json, "frames", JSON_LINES);
	for (i = 0; i < s->frames.nr; i++) {
		json_object(&s->json, NULL, JSON_LINE);
		json_text(&s->json, "name", s->frames.name[i].text);
		if (s->file[i] != STRTAB_NONE)
			json_text(&s->json, "file", s->files.name[s->file[i]].text);
		json_close(&s->json);
	}
	json_close(&s->json);
	json_close(&s->json);
}

static void put_head(struct speedscope *s)
{
	struct buf title = { 0 }, about = { 0 };

	about_recording(s->data, &title, &about);
	buf_printf(&title, "%s%s", title.len && about.len ? ": " : "", about.len ? about.data : "");
	json_text(&s->json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text(&s->json, "exporter", "kprof");
	json_text(&s->json, "name", title.data);
	buf_free(&title);
	buf_free(&about);
}

static int write_speedscope(struct export *e)
{
	struct speedscope s = { .json = json_begin(stdout), .data = e->data };
	size_t from, end;

	export_types_make(&s.types, e->data, e->query.source);
	export_events_make(&s.events, e->data, &e->query);
	e->is_empty = !s.events.nr;
	json_object(&s.json, NULL, JSON_LINES);
	put_head(&s);
	json_array(&s.json, "profiles", JSON_LINES);
	for (from = 0; from < s.events.nr; from = end) {
		end = export_events_end(&s.events, from);
		put_profile(&s, from, end);
	}
	json_close(&s.json);
	put_frames(&s);
	json_end(&s.json);
	export_types_free(&s.types);
	free(s.events.event);
	free(s.stack.place);
	strtab_free(&s.frames);
	strtab_free(&s.files);
	free(s.file);
	return EXIT_OK;
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.holds = EXPORT_THREADS | EXPORT_TASKS | EXPORT_TIMES,
	.write = write_speedscope,
};
