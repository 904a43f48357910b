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
#include "user/segments.h"

static char *no_path;		/* no debuginfo path other than the system's default */

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &no_path,
};

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
			  const struct segments *segments, GElf_Addr bias)
{
	int nr = dwfl_module_getsymtab(module), i;
	const char *name;
	uint64_t offset;
	GElf_Addr addr;
	GElf_Sym sym;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &addr, NULL, NULL, NULL);
		if (!is_function(&sym, name) || !segments_offset(segments, addr - bias, &offset))
			continue;
		user_functions_add(functions, offset, sym.st_size, name, rank_of(&sym, name));
		functions->item[functions->nr - 1].is_chosen =
			GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC;
	}
}

bool user_elf_is_possible(void)
{
	return true;
}

void user_elf_read(struct user_functions *functions, int fd, const char *path)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct segments segments;
	Dwfl_Module *module;
	GElf_Addr bias;
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
	elf = dwfl_module_getelf(module, &bias);
	if (elf) {
		segments_read(&segments, elf);
		add_functions(functions, module, &segments, bias);
	}
out:
	if (mine >= 0)
		close(mine);
	if (dwfl)
		dwfl_end(dwfl);
}
