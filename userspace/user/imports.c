// SPDX-License-Identifier: GPL-2.0-only
/*
 * imports.c - the functions that a program calls in its libraries, and where they are
 *
 * Libraries are looked for in the order of the dynamic linker: the program's, then those that its
 * libraries need; each in the paths that the files name, in LD_LIBRARY_PATH, in the cache of
 * ldconfig, and in the default directories.
 */
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "user/imports.h"
#include "user/library.h"
#include "user/segments.h"

#define LIBRARIES_MAX	256
#define TRIES_MAX	100000	/* how often a library is looked for: a file may name anything */

#ifdef __x86_64__
#define MACHINE	EM_X86_64
#define TRIPLET	"x86_64-linux-gnu"
#else
#define MACHINE	EM_AARCH64
#define TRIPLET	"aarch64-linux-gnu"
#endif

#define DIRECTORIES	"/lib/" TRIPLET ":/usr/lib/" TRIPLET ":/lib64:/lib:/usr/lib64:/usr/lib"

/* The libraries that are known: the program is the first. */
struct search {
	struct user_imports *imports;
	struct buf cache;
	const char *path[LIBRARIES_MAX];
	size_t nr, tries;
};

/* What is read of one file. */
struct object {
	Elf *elf;
	const char *path;
	struct segments segments;
};

/* --- names of libraries --- */

static void add_library(struct search *s, const char *path)
{
	char *real = realpath(path, NULL);
	size_t i;

	for (i = 0; real && i < s->nr; i++)
		if (!strcmp(s->path[i], real))
			break;
	if (real && i == s->nr && i < LIBRARIES_MAX)
		s->path[s->nr++] = arena_copy(&s->imports->texts, real, strlen(real));
	free(real);
}

/* The first DIRECTORY/NAME of a list with colons that there is. $ORIGIN is where @path is. */
static bool find_in(struct search *s, const char *list, const char *name, const char *path,
		    struct buf *found)
{
	const char *slash = strrchr(path, '/');

	while (list && *list && s->tries++ < TRIES_MAX) {
		size_t len = strcspn(list, ":");
		size_t origin = !strncmp(list, "$ORIGIN", 7) ? 7 :
				!strncmp(list, "${ORIGIN}", 9) ? 9 : 0;

		found->len = 0;
		if (origin && slash)
			buf_printf(found, "%.*s", (int)(slash - path), path);
		buf_printf(found, "%.*s/%s", (int)(len - origin), list + origin, name);
		if (!access(found->data, R_OK))
			return true;
		list += len + (list[len] == ':');
	}
	found->len = 0;
	return false;
}

static void find_library(struct search *s, const char *name, const char *runpath,
			 const char *path)
{
	struct buf found = { 0 };

	if (strchr(name, '/'))
		buf_printf(&found, "%s", name);
	else if (!find_in(s, runpath, name, path, &found) &&
		 !find_in(s, getenv("LD_LIBRARY_PATH"), name, path, &found) &&
		 !library_find(&s->cache, name, &found))
		find_in(s, DIRECTORIES, name, path, &found);
	if (found.len)
		add_library(s, found.data);
	buf_free(&found);
}

static void read_needed(struct search *s, const struct object *o, Elf_Data *data,
			const GElf_Shdr *header)
{
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0, i;
	const char *runpath = NULL;
	GElf_Dyn entry;

	for (i = 0; i < nr && gelf_getdyn(data, i, &entry); i++)
		if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !runpath))
			runpath = elf_strptr(o->elf, header->sh_link, entry.d_un.d_val);
	for (i = 0; i < nr && gelf_getdyn(data, i, &entry); i++) {
		const char *name = entry.d_tag == DT_NEEDED ?
				   elf_strptr(o->elf, header->sh_link, entry.d_un.d_val) : NULL;

		if (name && *name && s->nr < LIBRARIES_MAX && s->tries++ < TRIES_MAX)
			find_library(s, name, runpath, o->path);
	}
}

/* --- functions --- */

static int by_name(const void *va, const void *vb)
{
	const struct user_import *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

static void add_import(struct user_imports *m, const GElf_Sym *sym, const char *name)
{
	if (sym->st_shndx != SHN_UNDEF || GELF_ST_TYPE(sym->st_info) != STT_FUNC ||
	    m->nr == USER_IMPORTS_MAX)
		return;
	m->item = mem_grow(m->item, &m->room, m->nr + 1, sizeof(*m->item));
	m->item[m->nr++] = (struct user_import){
		.name = arena_copy(&m->texts, name, strlen(name)),
	};
}

/* The first library that has it wins; in a library, the version that is not hidden. */
static void find_import(struct user_imports *m, const struct object *o, const GElf_Sym *sym,
			const char *name, bool is_hidden)
{
	struct user_import key = { .name = name }, *import;
	int type = GELF_ST_TYPE(sym->st_info);
	uint64_t offset;

	if (sym->st_shndx == SHN_UNDEF || GELF_ST_BIND(sym->st_info) == STB_LOCAL ||
	    (type != STT_FUNC && type != STT_GNU_IFUNC) || !m->nr)
		return;
	import = bsearch(&key, m->item, m->nr, sizeof(*m->item), by_name);
	if (!import || !segments_offset(&o->segments, sym->st_value, &offset))
		return;
	if (import->path && (!import->is_old || is_hidden || strcmp(import->path, o->path)))
		return;
	import->path = o->path;
	import->offset = offset;
	import->is_chosen = type == STT_GNU_IFUNC;
	import->is_old = is_hidden;
}

static Elf_Data *find_versions(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_GNU_versym)
			return elf_getdata(section, NULL);
	return NULL;
}

static void read_symbols(struct search *s, const struct object *o, Elf_Data *data,
			 const GElf_Shdr *header, bool is_program)
{
	size_t nr = header->sh_entsize ? header->sh_size / header->sh_entsize : 0, i;
	Elf_Data *versions = find_versions(o->elf);
	GElf_Versym version;
	const char *name;
	GElf_Sym sym;

	for (i = 1; i < nr && gelf_getsym(data, i, &sym); i++) {
		name = elf_strptr(o->elf, header->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		if (is_program)
			add_import(s->imports, &sym, name);
		else
			find_import(s->imports, o, &sym, name,
				    versions && gelf_getversym(versions, i, &version) &&
				    (version & 0x8000));
	}
}

/* Returns false if it is no ELF file of this machine. */
static bool read_object(struct search *s, const char *path, bool is_program)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct object o = { .path = path };
	Elf_Scn *section = NULL;
	GElf_Shdr shdr;
	GElf_Ehdr ehdr;
	bool is_elf;

	if (fd < 0)
		return false;
	o.elf = elf_begin(fd, ELF_C_READ, NULL);
	is_elf = o.elf && elf_kind(o.elf) == ELF_K_ELF && gelf_getehdr(o.elf, &ehdr) &&
		 ehdr.e_machine == MACHINE && ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	if (is_elf)
		segments_read(&o.segments, o.elf);
	while (is_elf && (section = elf_nextscn(o.elf, section))) {
		bool is_dynamic = gelf_getshdr(section, &shdr) && shdr.sh_type == SHT_DYNAMIC;
		Elf_Data *data = elf_getdata(section, NULL);

		if (data && is_dynamic)
			read_needed(s, &o, data, &shdr);
		else if (data && shdr.sh_type == SHT_DYNSYM)
			read_symbols(s, &o, data, &shdr, is_program);
	}
	elf_end(o.elf);
	close(fd);
	return is_elf;
}

bool user_imports_read(struct user_imports *m, const char *path)
{
	struct search s = { .imports = m };
	bool is_elf;
	size_t i;

	elf_version(EV_CURRENT);
	/* Without a cache, libraries are looked for elsewhere. */
	buf_read_file(&s.cache, LIBRARY_CACHE);
	add_library(&s, path);
	is_elf = s.nr && read_object(&s, s.path[0], true);
	if (m->nr)
		qsort(m->item, m->nr, sizeof(*m->item), by_name);
	for (i = 1; is_elf && i < s.nr; i++)
		read_object(&s, s.path[i], false);
	buf_free(&s.cache);
	return is_elf;
}

void user_imports_free(struct user_imports *m)
{
	free(m->item);
	arena_free(&m->texts);
	*m = (struct user_imports){ 0 };
}
