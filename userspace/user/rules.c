// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules.c - the rules of a file for the module: how to find a function's caller
 *
 * Each function that .eh_frame describes is made into rows, piece by piece; frame_table.c finds
 * them.
 */
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "kprof_rules.h"
#include "lib/clock.h"
#include "lib/hash.h"
#include "lib/mem.h"
#include "lib/room.h"
#include "user/extra_rules.h"
#include "user/frame_file.h"
#include "user/frame_rule.h"
#include "user/frame_table.h"
#include "user/rules.h"
#include "user/segments.h"

#define MAX_ROWS	(4u << 20)	/* a larger table is not worth the module's memory */
#define MAX_PIECES	4096		/* of a function */

/*
 * For each piece of a function, libdw goes through all pieces before it again. So the work for one
 * is a constant, and the number of those before it. A whole file may have as much as 4 million
 * pieces of short functions. The time is for files whose pieces are more work than that says; it
 * is so long that no usual file comes near it on a slow machine.
 */
#define PIECE_WORK	256
#define STEP_WORK	(1u << 20)
#define MAX_WORK	(1u << 30)
#define STEP_NS		5000000ull
#define MAX_NS		10000000000ull

/*
 * What libdw may take at a time, besides the file. A frame has room for as many registers as a file
 * has numbers for, up to 2 GB, and a byte makes a copy of it.
 */
#define MAX_MEMORY	(256u << 20)
#define MEMORY_PIECES	64

#if defined(__x86_64__)
#define MACHINE		EM_X86_64
#elif defined(__aarch64__)
#define MACHINE		EM_AARCH64
#else
#define MACHINE		EM_NONE
#endif

struct row {
	uint64_t from, to;	/* offsets in the file */
	uint16_t rule;
};

struct user_rules {
	struct frame_file file;
	Dwarf_CFI *cfi;
	struct segments segments;
	struct frame_table functions;
	size_t next;
	/* what is left of a function, perhaps nothing; the next one is not before its end */
	uint64_t at, end;
	int pieces;
	/* the limits */
	uint64_t work, spent_ns;
	struct room room;
	bool is_ours;		/* code of this machine */
	bool is_cut;		/* not all is there */
	/* the result */
	struct kprof_rule *rule;
	size_t nr_rules, rule_room;
	struct hash by_rule;
	struct row *row;
	size_t nr_rows, row_room;
};

/* --- rules --- */

static uint32_t hash_of(const struct kprof_rule *rule)
{
	return hash_number((uint64_t)(uint32_t)rule->cfa << 32 | rule->kind,
			   (uint64_t)(uint16_t)rule->fp << 16 | (uint16_t)rule->ra);
}

/* The first two are in every table: of gaps, and for what there is no room for. */
#define NONE		0
#define UNKNOWN		1

static uint16_t number_of(struct user_rules *r, const struct kprof_rule *rule)
{
	uint32_t hash = hash_of(rule), i;

	if (hash_grow(&r->by_rule, r->nr_rules + 1))
		for (i = 0; i < r->nr_rules; i++)
			hash_put(&r->by_rule, hash_of(&r->rule[i]), i);
	hash_each(i, &r->by_rule, hash)
		if (!memcmp(&r->rule[hash_at(&r->by_rule, i)], rule, sizeof(*rule)))
			return hash_at(&r->by_rule, i);
	if (r->nr_rules >= KPROF_MAX_RULES) {
		r->is_cut = true;
		return UNKNOWN;
	}
	r->rule = mem_grow(r->rule, &r->rule_room, r->nr_rules + 1, sizeof(*r->rule));
	r->rule[r->nr_rules] = *rule;
	hash_put(&r->by_rule, hash, r->nr_rules);
	return r->nr_rules++;
}

/* --- the file --- */

static bool is_for_this_machine(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && gelf_getclass(elf) == ELFCLASS64 &&
	       header.e_machine == MACHINE;
}

bool user_rules_are_possible(void)
{
	return frame_rule_has_machine(MACHINE);
}

struct user_rules *user_rules_begin(int fd)
{
	struct user_rules *r = mem_zalloc(1, sizeof(*r));
	bool is_readable;

	number_of(r, &(struct kprof_rule) { .kind = KPROF_RULE_NONE });
	number_of(r, &(struct kprof_rule) { .kind = KPROF_RULE_UNKNOWN });
	frame_file_open(&r->file, fd);
	if (!r->file.elf || !is_for_this_machine(r->file.elf))
		return r;
	is_readable = frame_file_read(&r->file, fd);
	r->is_ours = r->file.elf;
	if (!r->is_ours)
		return r;
	segments_read(&r->segments, r->file.elf);
	frame_table_read(&r->functions, r->file.elf, is_readable);
	r->is_cut = r->functions.is_cut || (r->functions.nr && !is_readable);
	if (r->functions.nr && is_readable)
		r->cfi = dwarf_getcfi_elf(r->file.elf);
	if (!r->cfi)
		r->functions.nr = 0;
	return r;
}

/* --- rows --- */

static void add_row(struct user_rules *r, uint64_t from, uint64_t to,
		    const struct kprof_rule *rule)
{
	struct row *last = r->nr_rows ? &r->row[r->nr_rows - 1] : NULL;
	uint16_t number = number_of(r, rule);
	uint64_t offset;

	/* The module's offsets have 32 bits. */
	if (!segments_offset(&r->segments, from, &offset) || offset > UINT32_MAX ||
	    to - from > UINT32_MAX - offset)
		return;
	if (last && last->to == offset && last->rule == number) {
		last->to += to - from;
		return;
	}
	r->row = mem_grow(r->row, &r->row_room, r->nr_rows + 1, sizeof(*r->row));
	r->row[r->nr_rows++] = (struct row) { offset, offset + (to - from), number };
}

/* Begin with the next function. It ends where the one after it begins. */
static void begin_function(struct user_rules *r)
{
	uint64_t at = frame_table_at(&r->functions, r->next++);

	/* A damaged table may be out of order, and name the same functions again and again. */
	if (at < r->end)
		return;
	r->at = at;
	r->end = r->next < r->functions.nr ? frame_table_at(&r->functions, r->next) : UINT64_MAX;
	if (r->end < at)
		r->end = at;
	r->pieces = 0;
}

/* A piece of a function: one rule for all of its addresses. */
struct piece {
	uint64_t from, to;
	struct kprof_rule rule;
};

static bool find_rule(struct user_rules *r, struct piece *piece)
{
	Dwarf_Addr from, to;
	Dwarf_Frame *frame;
	bool is_signal, found;

	if (dwarf_cfi_addrframe(r->cfi, r->at, &frame))
		return false;
	found = dwarf_frame_info(frame, &from, &to, &is_signal) >= 0 && to > r->at;
	if (found)
		*piece = (struct piece) {
			r->at, to < r->end ? to : r->end, frame_rule(frame, MACHINE, is_signal),
		};
	free(frame);
	return found;
}

/* Find the next piece of the function, if it has one. */
static bool find_piece(struct user_rules *r, struct piece *piece)
{
	if (r->pieces == MAX_PIECES) {
		r->is_cut = true;
	} else if (find_rule(r, piece)) {
		r->at = piece->to;
		r->pieces++;
		return true;
	}
	/* Where the last function ends is not known. */
	if (r->end == UINT64_MAX)
		r->end = r->at;
	r->at = r->end;
	return false;
}

static bool is_over(struct user_rules *r)
{
	if (r->at == r->end && r->next == r->functions.nr)
		return true;
	if (r->work < MAX_WORK && r->spent_ns < MAX_NS && r->nr_rows < MAX_ROWS)
		return false;
	r->is_cut = true;
	return true;
}

/* Each time that the limit is set takes as long as a piece; what is kept is not limited by it. */
static void add_pieces(struct user_rules *r, uint64_t until, uint64_t end)
{
	struct piece piece[MEMORY_PIECES];
	size_t nr = 0, i;

	room_enter(&r->room);
	while (nr < MEMORY_PIECES && !is_over(r) && r->work < until) {
		if (r->at == r->end)
			begin_function(r);
		if (r->at < r->end && find_piece(r, &piece[nr]))
			nr++;
		r->work += PIECE_WORK + r->pieces;
		if (clock_ns(CLOCK_MONOTONIC) >= end)
			break;
	}
	room_leave(&r->room);
	for (i = 0; i < nr; i++)
		add_row(r, piece[i].from, piece[i].to, &piece[i].rule);
}

bool user_rules_step(struct user_rules *r)
{
	/* Of the clocks, the one that counts processor time is slow to read. */
	uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + STEP_NS;
	uint64_t until = r->work + STEP_WORK;

	room_measure(&r->room, MAX_MEMORY);
	while (!is_over(r) && r->work < until && clock_ns(CLOCK_MONOTONIC) < end)
		add_pieces(r, until, end);
	r->spent_ns += clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	return !is_over(r);
}

/* --- the table --- */

static int by_offset(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	return a->from < b->from ? -1 : a->from > b->from;
}

struct table {
	uint32_t *from;
	uint16_t *rule;
	size_t nr;
};

static void append(struct table *table, uint64_t from, uint16_t rule)
{
	/* What begins where another row begins replaces it. */
	if (table->nr && table->from[table->nr - 1] == from)
		table->nr--;
	if (table->nr && table->rule[table->nr - 1] == rule)
		return;
	table->from[table->nr] = (uint32_t)from;
	table->rule[table->nr++] = rule;
}

static void make_table(struct user_rules *r, struct table *table)
{
	uint64_t end = 0;
	size_t i;

	if (r->nr_rows)
		qsort(r->row, r->nr_rows, sizeof(*r->row), by_offset);
	table->from = mem_zalloc(2 * r->nr_rows + 1, sizeof(*table->from));
	table->rule = mem_zalloc(2 * r->nr_rows + 1, sizeof(*table->rule));
	for (i = 0; i < r->nr_rows; i++) {
		const struct row *row = &r->row[i];

		/* Only a damaged file has rows that overlap. */
		if (row->from < end)
			continue;
		append(table, row->from, row->rule);
		append(table, row->to, NONE);
		end = row->to;
	}
}

/* Rules for what .eh_frame says nothing of, or where there is none. */
static void add_extra(struct user_rules *r)
{
	struct extra_rule extra[EXTRA_RULES];
	size_t nr = r->is_ours ? extra_rules(r->file.elf, MACHINE, extra) : 0, i;

	for (i = 0; i < nr; i++)
		add_row(r, extra[i].from, extra[i].to, &extra[i].rule);
}

bool user_rules_finish(struct user_rules *r, uint32_t id, const struct user_file *file,
		       struct buf *out)
{
	struct table table = { 0 };
	struct kprof_rules_header header = {
		.magic = KPROF_RULES_MAGIC, .file = id, .ino = file->ino, .size = file->size,
		.mtime = file->mtime_ns,
	};

	add_extra(r);
	make_table(r, &table);
	header.nr_rows = table.nr;
	header.nr_rules = r->nr_rules;
	buf_add(out, &header, sizeof(header));
	buf_add(out, r->rule, r->nr_rules * sizeof(*r->rule));
	buf_add(out, table.from, table.nr * sizeof(*table.from));
	buf_add(out, table.rule, table.nr * sizeof(*table.rule));
	free(table.from);
	free(table.rule);
	return !r->is_cut;
}

void user_rules_free(struct user_rules *r)
{
	if (r->cfi)
		dwarf_cfi_end(r->cfi);
	frame_file_close(&r->file);
	frame_table_free(&r->functions);
	free(r->rule);
	free(r->row);
	hash_free(&r->by_rule);
	free(r);
}
