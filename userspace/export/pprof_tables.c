// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof_tables.c - the tables of a pprof profile: each string, mapping, function and location once
 *
 * The fields of a message may come in any order, so what a sample refers to is written just before
 * the sample, and only the distinct texts and addresses are kept in memory.
 */
#include <string.h>

#include "export/pprof_tables.h"
#include "export/proto.h"
#include "lib/escape.h"

static void write_field(struct pprof *p)
{
	p->has_failed |= gzwrite(p->out, p->field.data, p->field.len) <= 0;
}

void pprof_put(struct pprof *p, int field, struct buf *message)
{
	p->field.len = 0;
	proto_message(&p->field, field, message);
	write_field(p);
}

void pprof_put_u64(struct pprof *p, int field, uint64_t value)
{
	p->field.len = 0;
	proto_u64(&p->field, field, value);
	if (p->field.len)
		write_field(p);
}

/* Readers refuse a whole profile for one string that is not UTF-8, and print others as they are. */
uint64_t pprof_string(struct pprof *p, const char *text)
{
	struct buf escaped = { 0 };
	uint32_t nr = p->strings.nr, id;

	buf_add(&escaped, "", 0);
	escape_add(&escaped, text, strlen(text));
	id = strtab_add(&p->strings, escaped.data, escaped.len);
	if (id == nr)
		pprof_put(p, PPROF_STRING, &escaped);
	buf_free(&escaped);
	return id;
}

static uint64_t mapping(struct pprof *p, const char *module)
{
	const uint32_t nr = p->mappings.nr;
	const uint32_t id = strtab_add(&p->mappings, module, strlen(module));
	struct buf m = { 0 };

	if (id < nr)
		return id + 1;
	proto_u64(&m, 1, id + 1);
	proto_u64(&m, 5, pprof_string(p, module));
	/* Without it, pprof would look for the file to find names in it. */
	proto_u64(&m, 7, true);
	pprof_put(p, PPROF_MAPPING, &m);
	buf_free(&m);
	return id + 1;
}

static uint64_t function(struct pprof *p, const struct frame *frame)
{
	const char *file = frame->file ? frame->file : "", *module = frame_module(frame);
	const uint32_t nr = p->functions.nr;
	struct buf key = { 0 }, f = { 0 };
	uint32_t id;

	buf_add(&key, frame->function, strlen(frame->function) + 1);
	buf_add(&key, module, strlen(module) + 1);
	buf_add(&key, file, strlen(file));
	id = strtab_add(&p->functions, key.data, key.len);
	buf_free(&key);
	if (id < nr)
		return id + 1;
	proto_u64(&f, 1, id + 1);
	proto_u64(&f, 2, pprof_string(p, frame->function));
	proto_u64(&f, 3, pprof_string(p, frame->function));
	proto_u64(&f, 4, pprof_string(p, file));
	pprof_put(p, PPROF_FUNCTION, &f);
	buf_free(&f);
	return id + 1;
}

static void write_location(struct pprof *p, uint64_t id, const struct export_place *place)
{
	struct buf location = { 0 }, line = { 0 };
	size_t nr, i;
	const struct frame *frame = export_frames(p->data, place, &nr);

	proto_u64(&location, 1, id);
	/* The last one has been called; the others are inlined into it, maybe from elsewhere. */
	proto_u64(&location, 2, mapping(p, frame_module(&frame[nr - 1])));
	proto_u64(&location, 3, frame->is_user ? KPROF_USER_OFFSET(place->addr) : place->addr);
	for (i = 0; i < nr; i++) {
		proto_u64(&line, 1, function(p, &frame[i]));
		proto_u64(&line, 2, frame[i].line);
		proto_message(&location, 4, &line);
	}
	pprof_put(p, PPROF_LOCATION, &location);
	buf_free(&location);
	buf_free(&line);
}

uint64_t pprof_location(struct pprof *p, const struct export_place *place)
{
	const uint32_t nr = p->locations.nr;
	struct buf key = { 0 };
	uint32_t id;

	/* The word, if there is one, is behind the address: no address is a word. */
	buf_add(&key, &place->addr, sizeof(place->addr));
	if (place->special)
		buf_add(&key, place->special, strlen(place->special));
	id = strtab_add(&p->locations, key.data, key.len);
	buf_free(&key);
	if (id == nr)
		write_location(p, id + 1, place);
	return id + 1;
}

void pprof_free(struct pprof *p)
{
	strtab_free(&p->strings);
	strtab_free(&p->mappings);
	strtab_free(&p->functions);
	strtab_free(&p->locations);
	buf_free(&p->field);
}
