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
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "user/elf.h"
#include "user/segments.h"

static char *no_path;		/* no debuginfo path other than the system's default */

/* A crafted file may have many symbols with one long name. */
#define NAME_LENGTH	16384
#define NAMES_LENGTH	(512ul << 20)

/* Is something there that is no file? */
static bool is_odd(const char *dir, size_t len, const char *below, const char *name,
		   const char *ending)
{
	struct buf path = { 0 };
	struct stat st;
	bool odd;

	buf_printf(&path, "%.*s%s%s%s", (int)len, dir, below, name, ending);
	odd = !stat(path.data, &st) && !S_ISREG(st.st_mode);
	buf_free(&path);
	return odd;
}

/*
 * libdwfl opens whatever has the name that the file gives, and would wait for the writer of a FIFO.
 * What has a build id is found without a name.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const char *path = file ? file : "", *slash = strrchr(path, '/');
	size_t len = slash ? slash + 1 - path : 0;
	const char *wanted = link ? link : path + len, *ending = link ? "" : ".debug";

	if (strchr(wanted, '/') || is_odd(path, len, "", wanted, ending) ||
	    is_odd(path, len, ".debug/", wanted, ending))
		return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc,
						    found);
	return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
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
	Dwfl_Module *module;
	GElf_Addr bias;
	Dwfl *dwfl;
	int mine;
	Elf *elf;

	/* What is no ELF file, libdwfl unpacks as far as memory goes. */
	elf = segments_open(fd);
	if (!elf)
		return;
	elf_end(elf);
	dwfl = dwfl_begin(&callbacks);
	mine = dup(fd);
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
