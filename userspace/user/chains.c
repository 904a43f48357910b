// SPDX-License-Identifier: GPL-2.0-only
/*
 * chains.c - the functions inlined at addresses of an ELF file, and the lines, by libdw
 *
 * Each unit of the debug information is visited once, and of its functions and inlined instances
 * only those that have one of the addresses.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/mem.h"
#include "user/chains.h"
#include "user/parts.h"
#include "user/segments.h"

#define LEVELS_MAX	512	/* no compiler nests blocks as deeply as this */
#define OFTEN		256	/* entries between two looks at the clock */

/* An address that is looked for. */
struct at {
	Dwarf_Addr addr;
	uint64_t offset;
	uint32_t unit;		/* that has it; 0: none yet */
	uint32_t function;	/* of that unit; 0: none yet */
	uint32_t nr;		/* functions that are inlined there */
	size_t last;		/* the innermost of them, in chains->call, from 1 on */
};

/* A call that was inlined at an address. */
struct call {
	size_t outer;		/* as at->last */
	const char *name, *file;
	uint32_t line;
};

struct chains {
	const struct debuginfo *from;
	const struct chains_wanted *wanted;
	struct at *at;		/* by address */
	size_t nr;
	Dwarf_Addr lowest;	/* where code begins */
	struct call *call;	/* of the unit that is being read */
	size_t nr_calls, room;
	uint32_t unit, function;	/* the last one */
	unsigned int entries;	/* read since the clock was looked at */
	bool is_late;
	bool may_have_parts;	/* units of their own */
	Dwarf_Files *files;
	size_t nr_files;
};

/* The function that an entry is part of, and what is inlined around it. */
struct around {
	uint32_t function;
	uint32_t nr;		/* functions inlined into it so far */
	int levels;
};

static bool is_late(struct chains *c, unsigned int entries)
{
	struct timespec used;

	c->entries += entries;
	if (c->entries < OFTEN || c->is_late)
		return c->is_late;
	c->entries = 0;
	c->is_late = !clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) &&
		     used.tv_sec + used.tv_nsec / 1e9 > c->wanted->seconds;
	return c->is_late;
}

/* --- the addresses that an entry has --- */

static size_t first_at(const struct chains *c, Dwarf_Addr addr)
{
	size_t low = 0, high = c->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->at[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Call @take for each address in the ranges of an entry. Returns whether one was taken. What the
 * linker has discarded is still described, as if it were at address 0.
 */
static bool each_at(struct chains *c, Dwarf_Die *die,
		    bool (*take)(struct chains *c, struct at *at, const void *arg), const void *arg)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	bool is_taken = false;
	size_t i;

	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0 && !is_late(c, 1)) {
		if (!start || start < c->lowest)
			continue;
		for (i = first_at(c, start); i < c->nr && c->at[i].addr < end; i++)
			is_taken |= take(c, &c->at[i], arg);
	}
	return is_taken;
}

static bool take_for_unit(struct chains *c, struct at *at, const void *arg)
{
	(void)arg;
	if (at->unit)
		return false;
	at->unit = c->unit;
	return true;
}

static bool take_for_function(struct chains *c, struct at *at, const void *arg)
{
	(void)arg;
	if (at->unit != c->unit || at->function)
		return false;
	at->function = c->function;
	return true;
}

static bool is_around(const struct chains *c, const struct at *at, const struct around *around)
{
	return at->unit == c->unit && at->function == around->function && at->nr == around->nr;
}

static bool take_for_block(struct chains *c, struct at *at, const void *arg)
{
	return is_around(c, at, arg);
}

static bool take_for_call(struct chains *c, struct at *at, const void *arg)
{
	struct call call = { .outer = at->last };

	if (!is_around(c, at, arg))
		return false;
	c->call = mem_grow(c->call, &c->room, c->nr_calls + 1, sizeof(*c->call));
	c->call[c->nr_calls++] = call;
	at->last = c->nr_calls;
	at->nr++;
	return true;
}

/* --- functions --- */

static Dwarf_Word number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr(die, name, &attr) && !dwarf_formudata(&attr, &value) ? value : 0;
}

static const char *limited(const char *text)
{
	return text && strnlen(text, CHAINS_TEXT_MAX) < CHAINS_TEXT_MAX ? text : NULL;
}

/* The name that tells a function of C++ or Rust from others; those of C have no other one. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = limited(dwarf_formstring(&attr));
	return name ? name : limited(dwarf_diename(die));
}

static void add_call(struct chains *c, Dwarf_Die *die, const char *name,
		     const struct around *around)
{
	Dwarf_Word file = number_of(die, DW_AT_call_file), line = number_of(die, DW_AT_call_line);
	size_t first = c->nr_calls;

	each_at(c, die, take_for_call, around);
	for (; first < c->nr_calls; first++) {
		c->call[first].name = name;
		c->call[first].line = line <= UINT32_MAX ? line : 0;
		if (file < c->nr_files)
			c->call[first].file = limited(dwarf_filesrc(c->files, file, NULL, NULL));
	}
}

static void walk(struct chains *c, Dwarf_Die *parent, struct around around);

/* What has no name is left out; what is inlined there moves up one level. */
static void walk_inlined(struct chains *c, Dwarf_Die *die, struct around around)
{
	size_t before = c->nr_calls;
	const char *name;

	if (!each_at(c, die, take_for_block, &around))
		return;
	name = around.nr < INLINED_DEPTH ? name_of(die) : NULL;
	if (name)
		add_call(c, die, name, &around);
	around.nr += c->nr_calls > before;
	walk(c, die, around);
}

static void walk_entry(struct chains *c, Dwarf_Die *die, struct around around)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_module:
		/* Only those of whole units have functions with code. */
		if (!around.function)
			walk(c, die, around);
		break;
	case DW_TAG_subprogram:
		c->function++;
		if (each_at(c, die, take_for_function, NULL))
			walk(c, die, (struct around){ c->function, 0, around.levels });
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		if (each_at(c, die, take_for_block, &around))
			walk(c, die, around);
		break;
	case DW_TAG_inlined_subroutine:
		walk_inlined(c, die, around);
		break;
	}
}

static void walk(struct chains *c, Dwarf_Die *parent, struct around around)
{
	Dwarf_Die die;

	if (++around.levels > LEVELS_MAX || dwarf_child(parent, &die))
		return;
	do
		walk_entry(c, &die, around);
	while (!is_late(c, 1) && !dwarf_siblingof(&die, &die));
}

/* --- lines --- */

/* The last row of the table that is at an address or before; it may say that there is none. */
static Dwarf_Line *line_at(Dwarf_Lines *lines, size_t nr, Dwarf_Addr addr)
{
	size_t low = 0, high = nr;
	Dwarf_Line *line;
	Dwarf_Addr at;
	bool is_end;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (!dwarf_lineaddr(dwarf_onesrcline(lines, mid), &at) && at <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	line = low ? dwarf_onesrcline(lines, low - 1) : NULL;
	return line && !dwarf_lineendsequence(line, &is_end) && !is_end ? line : NULL;
}

/* The line of a call is that of the function that it was inlined into. */
static void tell(const struct chains *c, const struct at *at, Dwarf_Line *line)
{
	struct inlined_frame frame[INLINED_DEPTH + 1] = {
		{ .place = at->offset, .name = "" }
	};
	size_t step = at->last, nr = 1;
	int number;

	if (line && !dwarf_lineno(line, &number) && number > 0) {
		frame[0].line = number;
		frame[0].file = limited(dwarf_linesrc(line, NULL, NULL));
	}
	for (; step && nr <= INLINED_DEPTH; step = c->call[step - 1].outer) {
		const struct call *call = &c->call[step - 1];

		frame[nr - 1].name = call->name;
		frame[nr++] = (struct inlined_frame){ at->offset, "", call->file, call->line };
	}
	if (nr > 1 || frame[0].line)
		c->wanted->found(frame, nr, c->wanted->arg);
}

/* --- units --- */

/* Its functions may be in a file of their own; its lines are not. */
static void read_unit(struct chains *c, Dwarf_CU *cu, Dwarf_Die unit)
{
	Dwarf_Die whole = unit;
	Dwarf_Lines *lines;
	size_t nr, i;

	c->unit++;
	if (!each_at(c, &unit, take_for_unit, NULL))
		return;
	c->nr_calls = 0;
	if (c->may_have_parts)
		parts_find_unit(c->from, cu, &whole);
	if (dwarf_getsrcfiles(&whole, &c->files, &c->nr_files))
		c->nr_files = 0;
	walk(c, &whole, (struct around){ 0 });
	if (dwarf_getsrclines(&unit, &lines, &nr))
		nr = 0;
	for (i = 0; i < c->nr && !c->is_late; i++)
		if (c->at[i].unit == c->unit)
			tell(c, &c->at[i], line_at(lines, nr, c->at[i].addr));
}

static int by_addr(const void *va, const void *vb)
{
	const struct at *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Addresses are those of the debug information; @bias: of the file that is loaded. */
static void find_addresses(struct chains *c, Elf *elf, Dwarf_Addr bias)
{
	struct segments segments;
	Dwarf_Addr addr;
	size_t i;

	segments_read(&segments, elf);
	c->lowest = UINT64_MAX;
	for (i = 0; i < segments.nr; i++)
		if (segments.segment[i].p_flags & PF_X && segments.segment[i].p_vaddr < c->lowest)
			c->lowest = segments.segment[i].p_vaddr;
	c->lowest += bias;
	c->at = mem_zalloc(c->wanted->nr + 1, sizeof(*c->at));
	for (i = 0; i < c->wanted->nr; i++)
		if (segments_address(&segments, c->wanted->offset[i], &addr))
			c->at[c->nr++] = (struct at){
				.addr = addr + bias, .offset = c->wanted->offset[i]
			};
	qsort(c->at, c->nr, sizeof(*c->at), by_addr);
}

static size_t count_late(const struct chains *c)
{
	size_t nr = 0, i;

	/* Those of the unit that was being read were not told. */
	for (i = 0; i < c->nr && c->is_late; i++)
		nr += !c->at[i].unit || c->at[i].unit == c->unit;
	return nr;
}

size_t chains_read(const struct debuginfo *d, const struct chains_wanted *wanted)
{
	struct chains c = { .from = d, .wanted = wanted };
	Dwarf_Addr elf_bias, bias;
	Elf *elf = dwfl_module_getelf(d->module, &elf_bias);
	Dwarf *dwarf = elf ? dwfl_module_getdwarf(d->module, &bias) : NULL;
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	size_t late;

	if (!dwarf)
		return 0;
	c.may_have_parts = parts_begin(d, dwarf);
	find_addresses(&c, elf, elf_bias - bias);
	while (!is_late(&c, OFTEN) && !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL))
		read_unit(&c, unit, die);
	late = count_late(&c);
	if (c.may_have_parts)
		parts_end();
	free(c.at);
	free(c.call);
	return late;
}
