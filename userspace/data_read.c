// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_read.c - reading a recording, trusting nothing that stands in it
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "data.h"
#include "mem.h"

/* More than any kernel's symbols; a larger number is a damaged file. */
#define RAW_SIZE_MAX	(256ULL << 20)

static int fail(struct data *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct data *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->error, sizeof(d->error), fmt, ap);
	va_end(ap);
	return -1;
}

static int check_header(struct data *d)
{
	const struct data_file_header *h = (const void *)d->file.data;

	if (d->file.len < sizeof(*h))
		return fail(d, "%zu bytes are too short for a recording", d->file.len);
	if (memcmp(h->magic, DATA_MAGIC, sizeof(h->magic)))
		return fail(d, "not a recording: it does not begin with %s", DATA_MAGIC);
	if (h->order != DATA_ORDER)
		return fail(d, "recorded on a machine of the other byte order");
	if (h->version != DATA_VERSION)
		return fail(d, "format version %" PRIu32 ", this kprof reads version %d",
			    h->version, DATA_VERSION);
	/* Version 2 only added a kind of record. */
	if (!h->abi || h->abi > KPROF_ABI_VERSION)
		return fail(d, "record layout (abi) %" PRIu32 ", this kprof reads up to %d",
			    h->abi, KPROF_ABI_VERSION);
	return 0;
}

static bool crc_matches(const struct data_section *s, const void *payload)
{
	struct data_section zeroed = *s;
	uLong crc;

	zeroed.crc = 0;
	crc = crc32_z(0, (const void *)&zeroed, sizeof(zeroed));
	if (s->size)
		crc = crc32_z(crc, payload, s->size);
	return crc == s->crc;
}

/* The chunks of a CPU are one row of records, cut anywhere. */
static void link_chunk(struct data *d, uint32_t cpu)
{
	while (d->nr_cpus <= cpu) {
		d->last_chunk = mem_grow(d->last_chunk, &d->cpu_room, d->nr_cpus + 1,
					 sizeof(*d->last_chunk));
		d->last_chunk[d->nr_cpus++] = 0;
	}
	if (d->last_chunk[cpu])
		d->chunk[d->last_chunk[cpu] - 1].next = d->nr_chunks - 1;
	d->last_chunk[cpu] = d->nr_chunks;
}

static int add_ring(struct data *d, const struct data_section *s, const void *payload)
{
	if (s->flags || s->size % sizeof(struct kprof_record))
		return fail(d, "%" PRIu64 " bytes are no whole number of records", s->size);
	if (s->arg > KPROF_INFO_CPU(~0u))
		return fail(d, "there is no CPU %" PRIu32, s->arg);
	d->chunk = mem_grow(d->chunk, &d->chunk_room, d->nr_chunks + 1, sizeof(*d->chunk));
	d->chunk[d->nr_chunks++] = (struct data_chunk){
		.rec = payload,
		.nr = s->size / sizeof(struct kprof_record),
		.cpu = s->arg,
	};
	link_chunk(d, s->arg);
	d->nr_records += s->size / sizeof(struct kprof_record);
	return 0;
}

static int add_stacks(struct data *d, const struct data_section *s, const void *payload)
{
	uint64_t at = 0, len;

	if (s->flags)
		return fail(d, "stacks are never compressed");
	while (at < s->size) {
		const struct kprof_stack *stack = (const void *)((const char *)payload + at);

		if (s->size - at < sizeof(*stack))
			return fail(d, "a stack is cut off");
		len = sizeof(*stack) + 8ULL * stack->nr;
		if (s->size - at < len)
			return fail(d, "stack %" PRIu32 " is cut off", stack->id);
		if (stack->id < KPROF_ID_FIRST || stack->id >= 1u << KPROF_KSTACK_BITS ||
		    stack->id < d->nr_stacks)
			return fail(d, "stack %" PRIu32 " is out of order", stack->id);
		d->stack = mem_grow(d->stack, &d->stack_room, stack->id + 1, sizeof(*d->stack));
		while (d->nr_stacks < stack->id)
			d->stack[d->nr_stacks++] = NULL;
		d->stack[d->nr_stacks++] = stack;
		at += len;
	}
	return 0;
}

static int add_tasks(struct data *d, const struct data_section *s, const void *payload)
{
	const struct kprof_task *task = payload;
	uint64_t i;

	if (s->flags || s->size % sizeof(*task))
		return fail(d, "%" PRIu64 " bytes are no whole number of tasks", s->size);
	for (i = 0; i < s->size / sizeof(*task); i++, task++) {
		if (task->id < KPROF_ID_FIRST || task->id >= 1u << KPROF_TASK_BITS ||
		    task->id < d->nr_tasks)
			return fail(d, "task %" PRIu32 " is out of order", task->id);
		d->task = mem_grow(d->task, &d->task_room, task->id + 1, sizeof(*d->task));
		while (d->nr_tasks <= task->id)
			d->task[d->nr_tasks++] = (struct data_task){ 0 };
		d->task[task->id].tgid = task->tgid;
		memcpy(d->task[task->id].comm, task->comm, sizeof(task->comm));
	}
	return 0;
}

static int inflate_text(struct data *d, const struct data_section *s, const void *payload)
{
	struct buf *text = &d->text[s->type];
	uLongf len = s->raw_size;
	char *room;

	if (s->raw_size > RAW_SIZE_MAX)
		return fail(d, "%" PRIu64 " bytes of text are not plausible", s->raw_size);
	room = mem_zalloc(s->raw_size, 1);
	if (uncompress((void *)room, &len, payload, s->size) != Z_OK || len != s->raw_size) {
		free(room);
		return fail(d, "the compressed text is damaged");
	}
	buf_add(text, room, len);
	free(room);
	return 0;
}

static int add_text(struct data *d, const struct data_section *s, const void *payload)
{
	struct buf *text = &d->text[s->type];

	if (s->type != DATA_META && s->type != DATA_SYMBOLS)
		text->len = 0;
	if (s->flags & DATA_ZLIB)
		return inflate_text(d, s, payload);
	buf_add(text, payload, s->size);
	return 0;
}

static int add_section(struct data *d, const struct data_section *s, const void *payload)
{
	switch (s->type) {
	case DATA_RING:
		return add_ring(d, s, payload);
	case DATA_STACKS:
		return add_stacks(d, s, payload);
	case DATA_TASKS:
		return add_tasks(d, s, payload);
	case DATA_END:
		d->whole = true;
		return 0;
	default:
		/* A type of a later version is stepped over. */
		return s->type && s->type < DATA_NR_TYPES ? add_text(d, s, payload) : 0;
	}
}

/*
 * A section that reaches beyond the file is where the recording was cut off;
 * a section that is there but does not match its checksum is damage.
 */
static int read_sections(struct data *d)
{
	uint64_t at = sizeof(struct data_file_header), left, padded;
	const struct data_section *s;
	const char *payload;
	char why[sizeof(d->error)];

	for (d->good = at; !d->whole; d->good = at) {
		left = d->file.len - at;
		s = (const void *)(d->file.data + at);
		if (left < sizeof(*s) || s->size > left - sizeof(*s))
			return 0;
		payload = (const char *)(s + 1);
		if (!crc_matches(s, payload))
			return fail(d, "damaged at byte %" PRIu64 ": the checksum is wrong", at);
		if (add_section(d, s, payload)) {
			memcpy(why, d->error, sizeof(why));
			return fail(d, "damaged at byte %" PRIu64 ": %.180s", at, why);
		}
		padded = (s->size + 7) & ~7ULL;
		at += sizeof(*s) + padded;
		if (at > d->file.len)
			at = d->file.len;
	}
	return 0;
}

static int parse_source(struct data *d, char *line)
{
	char *end, *name, *kind;
	unsigned long id = strtoul(line, &end, 10);

	name = end + strspn(end, " ");
	kind = strrchr(name, ' ');
	if (end == line || !kind || !id || id >= 1u << KPROF_SOURCE_BITS)
		return fail(d, "'%.60s' is no source", line);
	*kind++ = '\0';
	if (id >= d->nr_sources) {
		d->source = mem_realloc(d->source, id + 1, sizeof(*d->source));
		while (d->nr_sources <= id)
			d->source[d->nr_sources++] = (struct data_source){ 0 };
	}
	d->source[id].name = name;
	d->source[id].is_target = !strcmp(kind, "target");
	return 0;
}

int data_parse_sources(struct data *d)
{
	char *line = d->text[DATA_SOURCES].data, *next;

	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		else
			next = line + strlen(line);
		if (parse_source(d, line))
			return -1;
	}
	return 0;
}

int data_parse(struct data *d, struct buf *file)
{
	*d = (struct data){ .file = *file };
	*file = (struct buf){ 0 };
	if (check_header(d) || read_sections(d) || data_parse_sources(d))
		return -1;
	if (symbols_parse(&d->symbols, &d->text[DATA_SYMBOLS]))
		return fail(d, "the symbols are damaged");
	return 0;
}

int data_open(struct data *d, const char *path)
{
	struct buf file = { 0 };
	int ret;

	ret = strcmp(path, "-") ? buf_read_file(&file, path) : buf_read_fd(&file, STDIN_FILENO);
	if (ret) {
		*d = (struct data){ 0 };
		buf_free(&file);
		return fail(d, "cannot read it: %s", strerror(errno));
	}
	return data_parse(d, &file);
}

void data_close(struct data *d)
{
	int i;

	for (i = 0; i < DATA_NR_TYPES; i++)
		buf_free(&d->text[i]);
	symbols_free(&d->symbols);
	buf_free(&d->file);
	free(d->chunk);
	free(d->last_chunk);
	free(d->stack);
	free(d->task);
	free(d->source);
}

const struct kprof_along *data_along(const struct data *d, const struct data_chunk *chunk,
				     size_t i)
{
	const struct kprof_record *next = NULL;

	if (KPROF_INFO_KIND(chunk->rec[i].info) != KPROF_REC_SAMPLE)
		return NULL;
	if (i + 1 < chunk->nr)
		next = &chunk->rec[i + 1];
	else if (chunk->next && d->chunk[chunk->next].nr)
		next = d->chunk[chunk->next].rec;
	return next && KPROF_INFO_KIND(next->info) == KPROF_REC_ALONG ? (const void *)next : NULL;
}

bool data_text_value(const struct buf *text, const char *name, struct buf *value)
{
	const char *line = text->data, *next, *end, *sep;
	size_t len = strlen(name);
	bool found = false;

	for (; line && *line; line = next) {
		end = line + strcspn(line, "\n");
		next = *end ? end + 1 : end;
		sep = line + len;
		if ((size_t)(end - line) < len + 2 || memcmp(line, name, len) ||
		    sep[0] != ':' || sep[1] != ' ')
			continue;
		value->len = 0;
		buf_add(value, sep + 2, end - sep - 2);
		found = true;
	}
	return found;
}

char *data_meta(const struct data *d, const char *name)
{
	struct buf value = { 0 };

	buf_add(&value, "", 0);
	data_text_value(&d->text[DATA_META], name, &value);
	return value.data;
}

uint64_t data_duration_ns(const struct data *d)
{
	char *start = data_meta(d, "start_ns"), *end = data_meta(d, "end_ns");
	uint64_t from = strtoull(start, NULL, 10), to = strtoull(end, NULL, 10);

	free(start);
	free(end);
	return to > from ? to - from : 0;
}
