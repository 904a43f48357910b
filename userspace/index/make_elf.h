/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_elf.h - between the files that make an index: an ELF file and its debug information
 */
#ifndef KPROF_INDEX_MAKE_ELF_H
#define KPROF_INDEX_MAKE_ELF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "index/make.h"

/* A symbol of code. */
struct elf_function {
	uint64_t start, end;
	const char *name;
	int preference;		/* among names of one address the larger is taken */
};

struct elf_input {
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_Addr bias;		/* of the addresses in the debug information */
	struct elf_function *function;	/* sorted by start, one for an address */
	size_t nr_functions, function_room;
	struct buf root;		/* the directory that sources are below */
};

/* The function that begins at an address, or NULL. */
const struct elf_function *elf_function_at(const struct elf_input *elf, uint64_t addr);

/* All units: functions, what is inlined into them, lines. */
void make_units(struct make *m, struct elf_input *elf, bool with_lines);

/* Where what is inlined is left. */
void make_exits(struct make *m, struct elf_input *elf);

/* Which of its lines each host has. @unit's lines are sorted by address. */
void make_host_lines(struct make *m, struct elf_input *elf, Dwarf_Die *unit, size_t first_host);

/* The number in make->files of a file of this unit's table. */
uint32_t make_file(struct make *m, const struct elf_input *elf, const char *unit_dir,
		   const char *path);

#endif /* KPROF_INDEX_MAKE_ELF_H */
