// SPDX-License-Identifier: GPL-2.0-only
/*
 * elf.c - the functions of a program or a library, by their offsets in the file
 *
 * For a stripped file libdwfl finds the debug information: by build id, by debuglink, from a
 * server if DEBUGINFOD_URLS names one, and in .gnu_debugdata.
 */
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/elf.h"

#define MAX_SEGMENTS	64

/* The loadable segments, without the bias that libdwfl adds to addresses. */
struct layout {
	GElf_Phdr segment[MAX_SEGMENTS];
	size_t nr;
	GElf_Addr bias;
};

static char *no_path;		/* no debuginfo path other than the system's default */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &no_path,
};

static void read_layout(struct layout *layout, Elf *elf)
{
	size_t nr, i;
	GElf_Phdr segment;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && layout->nr < MAX_SEGMENTS; i++)
		if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_LOAD)
			layout->segment[layout->nr++] = segment;
}

/* The file offset of an address. Returns false if the address is not loaded from the file. */
static bool offset_of(const struct layout *layout, GElf_Addr addr, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < layout->nr; i++) {
		const GElf_Phdr *segment = &layout->segment[i];

		if (addr < segment->p_vaddr || addr - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = addr - segment->p_vaddr + segment->p_offset;
		return true;
	}
	return false;
}

/* If a function has several names, prefer a global one: it is the one people know. */
static int rank_of(const GElf_Sym *sym, const char *name)
{
	int rank = GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ? 0 : 10;

	if (GELF_ST_BIND(sym->st_info) == STB_GLOBAL)
		rank += 3;
	else if (GELF_ST_BIND(sym->st_info) == STB_WEAK)
		rank += 2;
	return *name == '_' ? rank : rank + 1;
}

static bool is_function(const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (!name || !*name || *name == '$' || sym->st_shndx == SHN_UNDEF)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC ||
	       (type == STT_NOTYPE && sym->st_shndx != SHN_ABS);
}

static void add_functions(struct user_functions *functions, Dwfl_Module *module,
			  const struct layout *layout)
{
	int nr = dwfl_module_getsymtab(module), i;
	const char *name;
	uint64_t offset;
	GElf_Addr addr;
	GElf_Sym sym;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &addr, NULL, NULL, NULL);
		if (!is_function(&sym, name) || !offset_of(layout, addr - layout->bias, &offset))
			continue;
		user_functions_add(functions, offset, sym.st_size, name, rank_of(&sym, name));
		functions->item[functions->nr - 1].is_chosen =
			GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC;
	}
}

void user_elf_read(struct user_functions *functions, int fd, const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct layout layout = { .nr = 0 };
	Dwfl_Module *module;
	int mine = dup(fd);
	Elf *elf;

	if (!dwfl || mine < 0)
		goto out;
	dwfl_report_begin(dwfl);
	/* If this succeeds, libdwfl owns the descriptor. */
	module = dwfl_report_offline(dwfl, path, path, mine);
	if (!module)
		goto out;
	mine = -1;
	dwfl_report_end(dwfl, NULL, NULL);
	elf = dwfl_module_getelf(module, &layout.bias);
	if (elf) {
		read_layout(&layout, elf);
		add_functions(functions, module, &layout);
	}
out:
	if (mine >= 0)
		close(mine);
	if (dwfl)
		dwfl_end(dwfl);
}
