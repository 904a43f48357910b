// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording.c - mutations of recordings that the reader does not refuse at the door
 *
 * The file is taken apart into sections, whose payloads, arguments, flags,
 * sizes and order are changed; then sizes and checksums are made right again,
 * mostly. The first byte of an input is no part of the file.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "recording.h"

#define MAX_SECTIONS	64
#define MAX_PAYLOAD	(1u << 18)

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out, unsigned int seed);

struct piece {
	struct data_section head;
	uint8_t *payload;	/* uncompressed where it was compressed rightly */
	size_t size;
};

struct recording {
	struct data_file_header header;
	struct piece piece[MAX_SECTIONS];
	size_t nr;
};

bool section_next(struct section *s, const uint8_t *file, size_t size)
{
	s->at = s->end ? s->end : HEADER;
	if (s->at > size || size - s->at < sizeof(s->head))
		return false;
	memcpy(&s->head, file + s->at, sizeof(s->head));
	if (s->head.size > size - s->at - sizeof(s->head))
		return false;
	s->end = s->at + sizeof(s->head) + ((s->head.size + 7) & ~7ull);
	if (s->end > size)
		s->end = size;
	return true;
}

/* --- random numbers: the same for the same seed --- */

static uint64_t state;

static uint32_t below(uint32_t n)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % n;
}

static uint64_t odd_number(void)
{
	static const uint64_t known[] = {
		0, 1, 2, 7, 8, 31, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
		0x100000000, 256u << 20, (256u << 20) + 1, 0x7fffffffffffffff, ~0ull, ~0ull - 31,
	};

	return below(2) ? known[below(sizeof(known) / sizeof(*known))] : below(1u << 20);
}

/* --- apart and together --- */

static void add_piece(struct recording *r, const struct data_section *head, const uint8_t *payload,
		      size_t size)
{
	struct piece *p = &r->piece[r->nr++];

	p->head = *head;
	p->size = size;
	p->payload = malloc(size + 1);
	memcpy(p->payload, payload, size);
}

static void take_section(struct recording *r, const struct section *s, const uint8_t *payload)
{
	uLongf len = s->head.raw_size;
	struct data_section head = s->head;
	uint8_t *raw;

	if (!(head.flags & DATA_ZLIB) || len > MAX_PAYLOAD) {
		add_piece(r, &head, payload, head.size);
		return;
	}
	raw = malloc(len + 1);
	if (uncompress(raw, &len, payload, head.size) == Z_OK) {
		head.flags &= ~DATA_ZLIB;
		add_piece(r, &head, raw, len);
	} else {
		add_piece(r, &head, payload, head.size);
	}
	free(raw);
}

static void take_apart(struct recording *r, const uint8_t *file, size_t size)
{
	struct section s = { 0 };

	r->nr = 0;
	memcpy(&r->header, file, HEADER);
	while (r->nr < MAX_SECTIONS && section_next(&s, file, size))
		take_section(r, &s, file + s.at + sizeof(s.head));
}

static void free_pieces(struct recording *r)
{
	while (r->nr)
		free(r->piece[--r->nr].payload);
}

/* The sums are right in all but a few. */
static uint32_t checksum(struct data_section head, const uint8_t *payload)
{
	uLong crc;

	if (!below(200))
		return below(1u << 30);
	head.crc = 0;
	crc = crc32_z(0, (const void *)&head, sizeof(head));
	return crc32_z(crc, payload, head.size);
}

static size_t put_piece(const struct piece *p, uint8_t *out, size_t room)
{
	struct data_section head = p->head;
	uint8_t *packed = NULL;
	const uint8_t *payload = p->payload;
	uLongf len = compressBound(p->size);
	size_t padded;

	head.size = p->size;
	/* A size that lies about what is compressed stays a lie. */
	if (!(head.flags & DATA_ZLIB) && !below(8) && head.type != DATA_RING) {
		packed = malloc(len);
		if (compress2(packed, &len, payload, p->size, 1) == Z_OK) {
			head.flags |= DATA_ZLIB;
			head.raw_size = p->size;
			head.size = len;
			payload = packed;
		}
	}
	padded = (head.size + 7) & ~7ull;
	if (sizeof(head) + padded > room) {
		free(packed);
		return 0;
	}
	memset(out, 0, sizeof(head) + padded);
	head.crc = checksum(head, payload);
	memcpy(out, &head, sizeof(head));
	memcpy(out + sizeof(head), payload, head.size);
	free(packed);
	return sizeof(head) + padded;
}

static size_t put_together(const struct recording *r, uint8_t *file, size_t max_size)
{
	size_t at = HEADER, i;

	memcpy(file, &r->header, HEADER);
	for (i = 0; i < r->nr; i++)
		at += put_piece(&r->piece[i], file + at, max_size - at);
	return at;
}

/* --- the mutations --- */

static void change_payload(struct recording *r)
{
	struct piece *p = &r->piece[below(r->nr)];
	size_t room = p->size + 64;

	p->payload = realloc(p->payload, room + 1);
	memset(p->payload + p->size, 0, room - p->size);
	p->size = LLVMFuzzerMutate(p->payload, p->size, room);
}

/* Binary sections are whole numbers of what they hold: change one of them. */
static void change_number(struct recording *r)
{
	struct piece *p = &r->piece[below(r->nr)];
	uint64_t value = odd_number();
	size_t width = 1u << below(4);

	if (p->size >= 8)
		memcpy(p->payload + (below(p->size) & ~(width - 1)) % (p->size - 7), &value,
		       width);
}

/* Part of the payload again, somewhere in it, or away with it. */
static void change_length(struct recording *r)
{
	struct piece *p = &r->piece[below(r->nr)];
	size_t unit = 1u << below(6), from, len;

	if (p->size < 2 * unit || p->size > MAX_PAYLOAD / 2)
		return;
	from = below(p->size / unit) * unit;
	len = p->size - from;
	if (below(2)) {
		p->size = from;
		return;
	}
	p->payload = realloc(p->payload, p->size + len + 1);
	memcpy(p->payload + p->size, p->payload + from, len);
	p->size += len;
}

static void change_head(struct recording *r)
{
	struct piece *p = &r->piece[below(r->nr)];

	switch (below(4)) {
	case 0:
		p->head.type = below(DATA_NR_TYPES + 2);
		break;
	case 1:
		p->head.arg = below(2) ? 10 + below(2) : odd_number();
		break;
	case 2:
		p->head.flags = below(4);
		break;
	default:
		p->head.raw_size = odd_number();
	}
}

static void repeat(struct recording *r)
{
	const struct piece *p = &r->piece[below(r->nr)];

	if (r->nr < MAX_SECTIONS)
		add_piece(r, &p->head, p->payload, p->size);
}

static void drop(struct recording *r)
{
	size_t i = below(r->nr);

	free(r->piece[i].payload);
	r->piece[i] = r->piece[--r->nr];
}

static void swap(struct recording *r)
{
	size_t a = below(r->nr), b = below(r->nr);
	struct piece p = r->piece[a];

	r->piece[a] = r->piece[b];
	r->piece[b] = p;
}

static void change_header(struct recording *r)
{
	uint32_t value = odd_number();

	memcpy((char *)&r->header + below(HEADER - 3), &value, sizeof(value));
}

static void mutate(struct recording *r)
{
	switch (r->nr ? below(40) : 39) {
	case 0 ... 17:
		change_payload(r);
		break;
	case 18 ... 25:
		change_number(r);
		break;
	case 26 ... 28:
		change_length(r);
		break;
	case 29 ... 31:
		change_head(r);
		break;
	case 32 ... 33:
		repeat(r);
		break;
	case 34 ... 35:
		drop(r);
		break;
	case 36 ... 38:
		swap(r);
		break;
	default:
		if (!below(8))
			change_header(r);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct recording r;

	state = seed * 2654435761ull + 1;
	if (size < 1 + HEADER || max_size < 2 + HEADER || !below(100))
		return LLVMFuzzerMutate(data, size, max_size);
	if (!below(4))
		data[0] = below(256);
	take_apart(&r, data + 1, size - 1);
	do {
		mutate(&r);
	} while (below(3) == 0);
	size = 1 + put_together(&r, data + 1, max_size - 1);
	free_pieces(&r);
	return size;
}

/* Sections of the one among those of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2,
				 size_t size2, uint8_t *out, size_t max_out, unsigned int seed)
{
	struct recording a, b;
	size_t size;

	state = seed * 2654435761ull + 1;
	if (size1 < 1 + HEADER || size2 < 1 + HEADER || max_out < 2 + HEADER)
		return 0;
	take_apart(&a, data1 + 1, size1 - 1);
	take_apart(&b, data2 + 1, size2 - 1);
	do {
		const struct piece *p = b.nr ? &b.piece[below(b.nr)] : NULL;

		if (!p || a.nr == MAX_SECTIONS)
			break;
		add_piece(&a, &p->head, p->payload, p->size);
		swap(&a);
	} while (below(2));
	out[0] = data1[0];
	size = 1 + put_together(&a, out + 1, max_out - 1);
	free_pieces(&a);
	free_pieces(&b);
	return size;
}
