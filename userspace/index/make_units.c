// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_units.c - read functions and their inlined instances from debug information
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "index/make_elf.h"
#include "kprof_index.h"
#include "lib/mem.h"

#define PATCHED_MAX	12	/* bytes: a BTI landing pad, and what ftrace patches */

/* State of the unit that is being read. */
struct unit {
	struct make *m;
	struct elf_input *elf;
	Dwarf_Files *files;
	size_t nr_files;
	uint32_t *file;		/* by number in the unit: in make->files, from 1 on; 0: not yet */
	const char *dir;
};

/* Is it code of the linked file? Code that the linker discarded is at address 0. */
static bool is_code(const struct make *m, uint64_t start, uint64_t end)
{
	size_t i;

	for (i = 0; i < m->nr_sections; i++)
		if (start >= m->section[i].start && end <= m->section[i].end)
			return start < end;
	return false;
}

static int by_start(const void *va, const void *vb)
{
	const struct make_range *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Append the ranges of a DIE, sorted, to make->range. Returns how many. */
static size_t add_ranges(struct unit *u, Dwarf_Die *die)
{
	struct make *m = u->m;
	size_t first = m->nr_ranges;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		start += u->elf->bias;
		end += u->elf->bias;
		if (!is_code(m, start, end))
			continue;
		m->range = mem_grow(m->range, &m->range_room, m->nr_ranges + 1, sizeof(*m->range));
		m->range[m->nr_ranges++] = (struct make_range){ start, end };
	}
	if (m->nr_ranges > first)
		qsort(&m->range[first], m->nr_ranges - first, sizeof(*m->range), by_start);
	return m->nr_ranges - first;
}

static uint32_t add_name(struct strtab *names, const char *text)
{
	return strtab_add(names, text, strlen(text));
}

/* The number in make->files of a file of the unit. */
static uint32_t file_of(struct unit *u, Dwarf_Word number)
{
	const char *path;

	if (number >= u->nr_files)
		return make_file(u->m, u->elf, u->dir, "?");
	if (!u->file[number]) {
		path = dwarf_filesrc(u->files, number, NULL, NULL);
		u->file[number] = 1 + make_file(u->m, u->elf, u->dir, path ? path : "?");
	}
	return u->file[number] - 1;
}

static Dwarf_Word attribute(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &value))
		return 0;
	return value;
}

/* The entry address. Without DW_AT_entry_pc it is the start of the lowest range. */
static uint64_t entry_of(struct unit *u, Dwarf_Die *die, uint64_t lowest)
{
	Dwarf_Attribute attr;
	Dwarf_Addr addr;
	Dwarf_Word offset;

	if (!dwarf_attr(die, DW_AT_entry_pc, &attr))
		return lowest;
	if (!dwarf_formaddr(&attr, &addr))
		return addr + u->elf->bias;
	/* A constant is an offset from the base address of the ranges. */
	if (!dwarf_formudata(&attr, &offset) && !dwarf_lowpc(die, &addr))
		return addr + u->elf->bias + offset;
	return lowest;
}

/* Add an inlined instance if it has code; if not, its children move up one level. */
static uint32_t add_inline(struct unit *u, Dwarf_Die *die, uint32_t depth)
{
	struct make *m = u->m;
	const char *name = dwarf_diename(die);
	struct make_inline in = { .depth = depth, .range = m->nr_ranges };

	if (!name || depth >= KPROF_INDEX_DEPTH)
		return depth;
	in.nr_ranges = add_ranges(u, die);
	if (!in.nr_ranges)
		return depth;
	in.name = add_name(&m->functions, name);
	in.entry = entry_of(u, die, m->range[in.range].start);
	in.file = file_of(u, attribute(die, DW_AT_call_file));
	in.line = attribute(die, DW_AT_call_line);
	m->inlines = mem_grow(m->inlines, &m->inline_room, m->nr_inlines + 1, sizeof(*m->inlines));
	m->inlines[m->nr_inlines++] = in;
	return depth + 1;
}

static void walk(struct unit *u, Dwarf_Die *parent, uint32_t depth, int levels)
{
	Dwarf_Die die;

	/* Limit the recursion. No compiler nests blocks as deeply as this. */
	if (levels > 512 || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			walk(u, &die, add_inline(u, &die, depth), levels + 1);
			break;
		case DW_TAG_lexical_block:
			walk(u, &die, depth, levels + 1);
			break;
		}
	} while (!dwarf_siblingof(&die, &die));
}

/*
 * The symbol of a function or of a part of one. On arm64, the range in the debug information may
 * begin after the instructions that ftrace patches.
 */
static const struct elf_function *symbol_of(const struct unit *u, const struct make_range *range)
{
	const struct elf_function *f = elf_function_at(u->elf, range->start);
	uint64_t before;

	if (u->m->machine != EM_AARCH64)
		return f;
	for (before = 4; !f && before <= PATCHED_MAX && before <= range->start; before += 4) {
		f = elf_function_at(u->elf, range->start - before);
		if (f && f->end < range->end)
			return NULL;
	}
	return f;
}

/* A part of a function that has its own symbol gets its name, such as "name.cold". */
static void add_host(struct unit *u, const struct make_range *range, const char *name,
		     size_t first, size_t nr)
{
	const struct elf_function *f = symbol_of(u, range);
	struct make *m = u->m;

	m->host = mem_grow(m->host, &m->host_room, m->nr_hosts + 1, sizeof(*m->host));
	m->host[m->nr_hosts++] = (struct make_host) {
		.start = f ? f->start : range->start, .end = range->end, .first = first, .nr = nr,
		.name = add_name(&m->symbols, f ? f->name : name),
	};
}

static void add_function(struct unit *u, Dwarf_Die *die)
{
	struct make *m = u->m;
	const char *name = dwarf_diename(die);
	size_t range = m->nr_ranges, first = m->nr_inlines, nr, i;

	nr = add_ranges(u, die);
	if (!nr || !name)
		return;
	walk(u, die, 0, 0);
	for (i = 0; i < nr; i++) {
		struct make_range part = m->range[range + i];

		add_host(u, &part, name, first, m->nr_inlines - first);
	}
}

/* Debug information of assembly has lines but no functions: use the symbols. */
static void add_assembly(struct unit *u, Dwarf_Die *die)
{
	const struct elf_function *f;
	Dwarf_Lines *lines;
	Dwarf_Addr addr;
	size_t nr, i;

	if (dwarf_getsrclines(die, &lines, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (dwarf_lineaddr(dwarf_onesrcline(lines, i), &addr))
			continue;
		f = elf_function_at(u->elf, addr + u->elf->bias);
		if (f && is_code(u->m, f->start, f->end))
			add_host(u, &(struct make_range){ f->start, f->end }, f->name, 0, 0);
	}
}

static bool is_assembly(Dwarf_Die *die)
{
	return attribute(die, DW_AT_language) == DW_LANG_Mips_Assembler;
}

static void read_unit(struct unit *u, Dwarf_Die *die, bool with_lines)
{
	size_t first_host = u->m->nr_hosts;
	Dwarf_Attribute attr;
	Dwarf_Die child;

	u->dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	u->dir = u->dir ? u->dir : "";
	if (dwarf_getsrcfiles(die, &u->files, &u->nr_files))
		u->nr_files = 0;
	u->file = mem_zalloc(u->nr_files + 1, sizeof(*u->file));
	u->m->nr_units++;
	if (!dwarf_child(die, &child))
		do {
			if (dwarf_tag(&child) == DW_TAG_subprogram)
				add_function(u, &child);
		} while (!dwarf_siblingof(&child, &child));
	if (with_lines && is_assembly(die))
		add_assembly(u, die);
	if (with_lines)
		make_host_lines(u->m, u->elf, die, first_host);
	free(u->file);
}

void make_units(struct make *m, struct elf_input *elf, bool with_lines)
{
	struct unit u = { .m = m, .elf = elf };
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (!dwarf_get_units(elf->dwarf, cu, &cu, NULL, NULL, &die, NULL))
		if (dwarf_tag(&die) == DW_TAG_compile_unit)
			read_unit(&u, &die, with_lines);
}
