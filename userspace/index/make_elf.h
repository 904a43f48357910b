/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_elf.h - an ELF file and its debug information, shared by the files that make an index
 */
#ifndef KPROF_INDEX_MAKE_ELF_H
#define KPROF_INDEX_MAKE_ELF_H

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include "index/make.h"

/* A function symbol. */
struct elf_function {
	uint64_t start, end;
	const char *name;
	int preference;		/* of several names of an address, the largest is taken */
};

struct elf_input {
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_Addr bias;		/* of the addresses in the debug information */
	struct elf_function *function;	/* sorted by start, one for each address */
	size_t nr_functions, function_room;
	struct buf root;		/* root directory of the sources */
};

/* The function that begins at an address, or NULL. */
const struct elf_function *elf_function_at(const struct elf_input *elf, uint64_t addr);

/* Read all units: functions, what is inlined into them, and lines. */
void make_units(struct make *m, struct elf_input *elf, bool with_lines);

/* Find the exits of inlined instances. */
void make_exits(struct make *m, struct elf_input *elf);

/* Distribute the lines of @unit, which are sorted by address, to its hosts. */
void make_host_lines(struct make *m, struct elf_input *elf, Dwarf_Die *unit, size_t first_host);

/* The number in make->files of a file that the unit's file table names. */
uint32_t make_file(struct make *m, const struct elf_input *elf, const char *unit_dir,
		   const char *path);

#endif /* KPROF_INDEX_MAKE_ELF_H */
