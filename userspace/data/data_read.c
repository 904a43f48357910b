// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_read.c - read a recording; its contents are not trusted
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "data/cgroups.h"
#include "data/data.h"
#include "data/frames.h"
#include "data/marks.h"
#include "data/regions.h"
#include "lib/mem.h"
#include "lib/number.h"

#define ZLIB_RATIO	1032	/* maximum compression ratio of zlib's format */
#define STEP		(1u << 20)	/* bytes per read, as the size in the file is not trusted */

static int fail(struct data *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct data *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(d->error, sizeof(d->error), fmt, ap);
	va_end(ap);
	return -1;
}

static int check_header(struct data *d, struct input *in)
{
	struct data_file_header h;
	ssize_t len;

	if (!input_begins(in, DATA_MAGIC, sizeof(h.magic)))
		return fail(d, "%s", data_is_of_perf(in) ? DATA_OF_PERF :
				     input_begins_text(in) ? DATA_OF_TEXT : DATA_OF_NOBODY);
	len = input_read_all(in, &h, sizeof(h));
	if (len < 0)
		return fail(d, "%s", in->error);
	if ((size_t)len < sizeof(h))
		return fail(d, "%zd bytes are too short for a recording", len);
	if (h.order != DATA_ORDER)
		return fail(d, "recorded on a machine of the other byte order");
	if (h.version != DATA_VERSION)
		return fail(d, "format version %" PRIu32 ", this kprof reads version %d",
			    h.version, DATA_VERSION);
	/* Versions 2 and 4 only added kinds of records; version 3 added user stacks. */
	if (!h.abi || h.abi > KPROF_ABI_VERSION)
		return fail(d, "record layout (abi) %" PRIu32 ", this kprof reads up to %d",
			    h.abi, KPROF_ABI_VERSION);
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

/* The chunks of a CPU are one sequence of records, which may be split anywhere. */
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
		if (stack->nr > DATA_DEPTH_MAX)
			return fail(d, "stack %" PRIu32 " has more than %d frames", stack->id,
				    DATA_DEPTH_MAX);
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

bool data_section_text(const struct data_section *s, const void *payload, struct buf *text,
		       char why[DATA_WHY])
{
	bool good = s->raw_size / ZLIB_RATIO <= s->size;
	uLongf len = s->raw_size;

	if (!(s->flags & DATA_ZLIB)) {
		buf_add(text, payload, s->size);
		return true;
	}
	buf_reserve(text, good ? len : 0);
	good = good &&
	       uncompress((void *)(text->data + text->len), &len, payload, s->size) == Z_OK;
	if (good && len == s->raw_size)
		text->len += len;
	else
		snprintf(why, DATA_WHY, "%" PRIu64 " compressed bytes are not the %" PRIu64
			 " bytes of text that they should be", s->size, s->raw_size);
	text->data[text->len] = '\0';
	return good && len == s->raw_size;
}

/* Only the sizes of texts are known before they are uncompressed; some stay as they are. */
static int limit_size(struct data *d, const struct data_section *s)
{
	uint64_t size = s->flags & DATA_ZLIB && s->raw_size > s->size ? s->raw_size : s->size;

	if (size > DATA_TEXT_MAX - d->text_bytes)
		return fail(d, "there are more than %llu MiB of text", DATA_TEXT_MAX >> 20);
	d->text_bytes += size;
	if (s->type == DATA_META && d->text[DATA_META].len + size > DATA_META_MAX)
		return fail(d, "there are more than %llu MiB of text on the recording itself",
			    DATA_META_MAX >> 20);
	return 0;
}

/*
 * What is kept of a line is larger than a short line. Buckets are an exception: there may be many,
 * and little is kept of each.
 */
static int limit_lines(struct data *d, const struct data_section *s, const char *text, size_t len)
{
	const char *end = text + len;

	if (s->type == DATA_BUCKETS)
		return 0;
	while (text < end && (text = memchr(text, '\n', end - text))) {
		d->text_lines++;
		text++;
	}
	return d->text_lines <= DATA_LINES_MAX ? 0 :
	       fail(d, "there are more than %u million lines of text", DATA_LINES_MAX / 1000000);
}

static int add_text(struct data *d, const struct data_section *s, const void *payload)
{
	struct buf *text = &d->text[s->type];
	char why[DATA_WHY];
	size_t had;

	if (s->type != DATA_META && s->type != DATA_SYMBOLS && s->type != DATA_CODE &&
	    s->type != DATA_CGROUPS && s->type != DATA_INLINED)
		text->len = 0;
	had = text->len;
	if (limit_size(d, s))
		return -1;
	if (!data_section_text(s, payload, text, why))
		return fail(d, "%s", why);
	return limit_lines(d, s, text->data + had, text->len - had);
}

/* Code is much text that few commands need: kept_code.c uncompresses it. */
static int add_code(struct data *d, const struct data_section *s, const void *payload)
{
	if (limit_size(d, s))
		return -1;
	buf_add(&d->code_sections, s, sizeof(*s));
	buf_add(&d->code_sections, payload, s->size);
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
	case DATA_BYTES:
		return add_code(d, s, payload);
	case DATA_END:
		d->whole = true;
		return 0;
	default:
		/* Skip types of later versions. */
		return s->type && s->type < DATA_NR_TYPES ? add_text(d, s, payload) : 0;
	}
}

/* Records and stacks are not copied, so keep their payload. */
static void keep_payload(struct data *d, const struct data_section *s, struct buf *payload)
{
	if (s->type != DATA_RING && s->type != DATA_STACKS) {
		buf_free(payload);
		return;
	}
	d->payload = mem_grow(d->payload, &d->payload_room, d->nr_payloads + 1,
			      sizeof(*d->payload));
	d->payload[d->nr_payloads++] = *payload;
}

/* Read @size bytes, or fewer at the end of the file. Returns -1 if reading fails. */
static int read_payload(struct data *d, struct input *in, struct buf *payload, uint64_t size)
{
	ssize_t got;

	while (payload->len < size) {
		size_t step = size - payload->len < STEP ? size - payload->len : STEP;

		buf_reserve(payload, step);
		got = input_read_all(in, payload->data + payload->len, step);
		if (got < 0)
			return fail(d, "%s", in->error);
		payload->len += got;
		d->bytes += got;
		if (d->bytes > DATA_SIZE_MAX)
			return fail(d, "it is longer than %llu GiB", DATA_SIZE_MAX >> 30);
		if ((size_t)got < step)
			break;
	}
	return 0;
}

/* Returns 1 if a section was read, 0 if the file was cut off, -1 if it is damaged. */
static int read_section(struct data *d, struct input *in, struct buf *payload)
{
	char why[sizeof(d->error)], padding[8];
	struct data_section s;
	ssize_t len = input_read_all(in, &s, sizeof(s));

	if (len < 0)
		return fail(d, "%s", in->error);
	if ((size_t)len < sizeof(s))
		return 0;
	if (s.size > DATA_SECTION_MAX)
		return fail(d, "damaged at byte %" PRIu64 ": a section of %" PRIu64 " bytes",
			    d->good, s.size);
	if (read_payload(d, in, payload, s.size))
		return -1;
	if (payload->len < s.size)
		return 0;
	buf_reserve(payload, 0);	/* not NULL, even if it is empty */
	if (!crc_matches(&s, payload->data))
		return fail(d, "damaged at byte %" PRIu64 ": the checksum is wrong", d->good);
	if (add_section(d, &s, payload->data)) {
		memcpy(why, d->error, sizeof(why));
		return fail(d, "damaged at byte %" PRIu64 ": %.180s", d->good, why);
	}
	len = input_read_all(in, padding, -s.size % sizeof(padding));
	if (len < 0)
		return fail(d, "%s", in->error);
	d->good += sizeof(s) + s.size + len;
	keep_payload(d, &s, payload);
	*payload = (struct buf){ 0 };
	return 1;
}

/*
 * If a section extends beyond the end of the file, the recording was cut off
 * there. If a section does not match its checksum, the file is damaged.
 */
static int read_sections(struct data *d, struct input *in)
{
	struct buf payload = { 0 };
	int ret = 1;

	d->good = sizeof(struct data_file_header);
	while (ret > 0 && !d->whole)
		ret = read_section(d, in, &payload);
	buf_free(&payload);
	return ret < 0 ? -1 : 0;
}

int data_read(struct data *d, struct input *in)
{
	*d = (struct data){ 0 };
	if (check_header(d, in) || read_sections(d, in) || data_parse_sources(d))
		return -1;
	if (symtab_parse(&d->symbols, &d->text[DATA_SYMBOLS]))
		return fail(d, "the symbols are damaged");
	if (symtab_parse_code(&d->code, &d->text[DATA_CODE]))
		return fail(d, "the symbols of user code are damaged");
	if (inlined_parse(&d->inlined, &d->text[DATA_INLINED]))
		return fail(d, "the inlined functions of user code are damaged");
	if (cgroups_parse(d))
		return fail(d, "the cgroups are damaged");
	data_find_targets(d);
	marks_apply(d);
	frames_open(d, NULL, "");
	return 0;
}

int data_parse(struct data *d, struct buf *file)
{
	struct input in;
	int ret;

	input_from_memory(&in, file);
	ret = data_read(d, &in);
	input_close(&in);
	return ret;
}

int data_open(struct data *d, const char *path)
{
	struct input in;
	int ret;

	if (input_open(&in, path)) {
		*d = (struct data){ 0 };
		return fail(d, "%s", in.error);
	}
	ret = data_read(d, &in);
	input_close(&in);
	return ret;
}

void data_close(struct data *d)
{
	size_t i;

	for (i = 0; i < DATA_NR_TYPES; i++)
		buf_free(&d->text[i]);
	for (i = 0; i < d->nr_payloads; i++)
		buf_free(&d->payload[i]);
	buf_free(&d->code_sections);
	frames_close(d);
	regions_close(d);
	marks_free(d);
	symtab_free(&d->symbols);
	symtab_free(&d->code);
	inlined_free(&d->inlined);
	free(d->payload);
	free(d->chunk);
	free(d->last_chunk);
	free(d->stack);
	free(d->task);
	free(d->source);
	free(d->is_called);
}

/* The record after record @i of the same CPU, if it is of this kind; else NULL. */
static const void *behind(const struct data *d, const struct data_chunk *chunk, size_t i,
			  uint32_t kind)
{
	const struct kprof_record *next = NULL;

	if (i + 1 < chunk->nr)
		next = &chunk->rec[i + 1];
	else if (chunk->next && d->chunk[chunk->next].nr)
		next = d->chunk[chunk->next].rec;
	return next && KPROF_INFO_KIND(next->info) == kind ? next : NULL;
}

const struct kprof_along *data_along(const struct data *d, const struct data_chunk *chunk,
				     size_t i)
{
	if (KPROF_INFO_KIND(chunk->rec[i].info) != KPROF_REC_SAMPLE)
		return NULL;
	return behind(d, chunk, i, KPROF_REC_ALONG);
}

uint32_t data_row(const struct data *d, const struct data_chunk *chunk, size_t i)
{
	const struct kprof_row *row = NULL;

	if (KPROF_INFO_KIND(chunk->rec[i].info) == KPROF_REC_CALL)
		row = behind(d, chunk, i, KPROF_REC_ROW);
	return row ? row->row : KPROF_ID_NONE;
}
