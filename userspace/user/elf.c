// SPDX-License-Identifier: GPL-2.0-only
/*
 * elf.c - the functions of a program or a library, by their offsets in the file
 */
#include <gelf.h>
#include <string.h>

#include "user/debuginfo.h"
#include "user/elf.h"
#include "user/segments.h"

/* A crafted file may have many symbols with one long name. */
#define NAME_LENGTH	16384
#define NAMES_LENGTH	(512ul << 20)

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
	size_t left = NAMES_LENGTH, len;
	const char *name;
	uint64_t offset;
	GElf_Addr addr;
	GElf_Sym sym;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &addr, NULL, NULL, NULL);
		if (!is_function(&sym, name) || !segments_offset(segments, addr - bias, &offset))
			continue;
		len = strnlen(name, NAME_LENGTH + 1);
		if (len > NAME_LENGTH || len >= left)
			continue;
		left -= len + 1;
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
	struct segments segments;
	struct debuginfo d;
	GElf_Addr bias;
	Elf *elf;

	if (!debuginfo_open(&d, fd, path))
		return;
	elf = dwfl_module_getelf(d.module, &bias);
	if (elf) {
		segments_read(&segments, elf);
		add_functions(functions, d.module, &segments, bias);
	}
	debuginfo_close(&d);
}
