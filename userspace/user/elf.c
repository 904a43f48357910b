// SPDX-License-Identifier: GPL-2.0-only
/*
 * elf.c - the functions of a program or a library, by their offsets in the file
 */
#include <gelf.h>
#include <stdio.h>
#include <string.h>

#include "user/apart.h"
#include "user/debuginfo.h"
#include "user/elf.h"
#include "user/plt.h"
#include "user/segments.h"

/* A crafted file may have many symbols with one long name, or no end of short ones. */
#define NAME_LENGTH	16384
#define NAMES_LENGTH	(512ul << 20)
#define FUNCTIONS_MAX	(4u << 20)

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

/*
 * A function, as one process tells it to the other; the name is behind it. The last one has no
 * name, and as start whether the file is stripped.
 */
struct told {
	uint64_t start, size;
	uint32_t len;		/* of the name */
	int rank, is_chosen;
};

/* What the names and the number of functions leave for more of them. */
struct left {
	size_t length, functions;
};

/* Returns false if there is no room for a function with a name of that length. */
static bool take(struct left *left, size_t len)
{
	if (!left->functions || len >= left->length)
		return false;
	left->functions--;
	left->length -= len + 1;
	return true;
}

/* --- in the process that reads --- */

static void tell(FILE *to, uint64_t start, const GElf_Sym *sym, const char *name, size_t len)
{
	struct told told;

	memset(&told, 0, sizeof(told));
	told.start = start;
	told.size = sym->st_size;
	told.len = len;
	told.rank = rank_of(sym, name);
	told.is_chosen = GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC;
	fwrite(&told, sizeof(told), 1, to);
	fwrite(name, len, 1, to);
}

static void tell_functions(Dwfl_Module *module, const struct segments *segments, GElf_Addr bias,
			   struct left *left, FILE *to)
{
	int nr = dwfl_module_getsymtab(module), i;
	size_t len;
	const char *name;
	uint64_t offset;
	GElf_Addr addr;
	GElf_Sym sym;

	for (i = 1; i < nr && left->functions && !ferror(to); i++) {
		name = dwfl_module_getsym_info(module, i, &sym, &addr, NULL, NULL, NULL);
		if (!is_function(&sym, name) || !segments_offset(segments, addr - bias, &offset))
			continue;
		len = strnlen(name, NAME_LENGTH + 1);
		if (len <= NAME_LENGTH && take(left, len))
			tell(to, offset, &sym, name, len);
	}
}

struct linkage {
	const struct segments *segments;
	struct left *left;
	FILE *to;
};

/* As objdump and perf name it */
static void tell_linkage(GElf_Addr addr, uint64_t size, const char *name, void *arg)
{
	const GElf_Sym sym = { .st_size = size, .st_info = GELF_ST_INFO(STB_LOCAL, STT_FUNC) };
	char text[PLT_NAME_LENGTH + sizeof("@plt")];
	struct linkage *l = arg;
	uint64_t offset;
	int len = snprintf(text, sizeof(text), "%s@plt", name);

	if (len > 0 && (size_t)len < sizeof(text) &&
	    segments_offset(l->segments, addr, &offset) && take(l->left, len))
		tell(l->to, offset, &sym, text, len);
}

static bool has_symtab(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

/*
 * Without symbols of its own, debug information of the file was looked for already; and with a file
 * that has some, it is not read just to know.
 */
static bool is_stripped(Dwfl_Module *module, Elf *elf)
{
	const char *found = NULL;
	Dwarf_Addr bias;

	dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, &found);
	return !found && !has_symtab(elf) && !dwfl_module_getdwarf(module, &bias);
}

static void tell_end(FILE *to, bool stripped)
{
	struct told told;

	memset(&told, 0, sizeof(told));
	told.start = stripped;
	fwrite(&told, sizeof(told), 1, to);
}

struct wanted {
	int fd;
	const char *path;
	bool with_linkage;
};

static void read_file(const void *what, FILE *to)
{
	const struct wanted *wanted = what;
	struct segments segments;
	struct left left = { NAMES_LENGTH, FUNCTIONS_MAX };
	struct linkage linkage = { &segments, &left, to };
	struct debuginfo d;
	GElf_Addr bias;
	Elf *elf;

	if (!debuginfo_open(&d, wanted->fd, wanted->path))
		return;
	elf = dwfl_module_getelf(d.module, &bias);
	if (elf) {
		segments_read(&segments, elf);
		tell_functions(d.module, &segments, bias, &left, to);
		if (wanted->with_linkage)
			plt_each(elf, tell_linkage, &linkage);
		tell_end(to, is_stripped(d.module, elf));
	}
	debuginfo_close(&d);
}

/* --- in the process that asks --- */

/* Returns false if that is not what the other process tells: the file may have taken it over. */
static bool add_functions(struct user_functions *functions, FILE *from)
{
	struct left left = { NAMES_LENGTH, FUNCTIONS_MAX };
	char name[NAME_LENGTH + 1];
	struct told told;

	while (fread(&told, sizeof(told), 1, from) == 1) {
		functions->is_stripped = !told.len && told.start == 1;
		if (!told.len)
			return fgetc(from) == EOF && feof(from);
		if (told.len > NAME_LENGTH || !take(&left, told.len) ||
		    fread(name, told.len, 1, from) != 1)
			return false;
		name[told.len] = '\0';
		user_functions_add(functions, told.start, told.size, name, told.rank);
		functions->item[functions->nr - 1].is_chosen = told.is_chosen;
	}
	return feof(from);
}

bool user_elf_is_possible(void)
{
	return true;
}

void user_elf_read(struct user_functions *functions, int fd, const char *path, bool with_linkage)
{
	const struct wanted wanted = { fd, path, with_linkage };
	size_t before = functions->nr;
	struct apart a;
	char error[256];

	if (apart_begin(&a, fd, read_file, &wanted, error))
		return;
	if (!apart_end(&a, add_functions(functions, a.from)))
		functions->nr = before;
}
