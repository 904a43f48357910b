// SPDX-License-Identifier: GPL-2.0-only
/*
 * imports.c - the libraries that a program needs, and the functions that it calls there
 *
 * Libraries are looked for in the order of the dynamic linker: the program's, then those that its
 * libraries need; each in the paths that the files name, in LD_LIBRARY_PATH, in the cache of
 * ldconfig, and in the default directories.
 */
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/file_id.h"
#include "lib/mem.h"
#include "user/fetch.h"
#include "user/imports.h"
#include "user/library.h"
#include "user/segments.h"

/* A file may name anything, as often as it likes. */
#define LIBRARIES_MAX	256
#define TRIES_MAX	100000	/* how often a library is looked for */
#define SYMBOLS_MAX	(4u << 20)
#define NAME_LENGTH	512	/* functions with longer names are left out */
#define PATHS_LENGTH	4096

#ifdef __x86_64__
#define MACHINE	EM_X86_64
#define TRIPLET	"x86_64-linux-gnu"
#else
#define MACHINE	EM_AARCH64
#define TRIPLET	"aarch64-linux-gnu"
#endif

#define DIRECTORIES	"/lib/" TRIPLET ":/usr/lib/" TRIPLET ":/lib64:/lib:/usr/lib64:/usr/lib"

struct search {
	struct user_imports *imports;
	struct buf cache;
	size_t tries;
	bool of_files;		/* only these are asked for */
};

/* What is read of one file. */
struct object {
	int fd;
	Elf *elf;
	const char *path, *id;
	struct segments segments;
};

/* --- names of libraries --- */

static void add_library(struct search *s, const char *path)
{
	struct user_imports *m = s->imports;
	char *real = realpath(path, NULL);
	size_t i;

	for (i = 0; real && i < m->nr_files; i++)
		if (!strcmp(m->file[i], real))
			break;
	if (real && i == m->nr_files && i < LIBRARIES_MAX) {
		m->file = mem_grow(m->file, &m->files_room, i + 1, sizeof(*m->file));
		m->file[m->nr_files++] = arena_copy(&m->texts, real, strlen(real));
	}
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
	const char *runpath = NULL;
	GElf_Dyn entry;
	int i;

	for (i = 0; i < (int)SYMBOLS_MAX && gelf_getdyn(data, i, &entry); i++)
		if (entry.d_tag == DT_RUNPATH || (entry.d_tag == DT_RPATH && !runpath))
			runpath = segments_text(o->elf, header->sh_link, entry.d_un.d_val,
						PATHS_LENGTH);
	for (i = 0; i < (int)SYMBOLS_MAX && gelf_getdyn(data, i, &entry); i++) {
		const char *name = entry.d_tag != DT_NEEDED ? NULL :
				   segments_text(o->elf, header->sh_link, entry.d_un.d_val,
						 PATHS_LENGTH);

		if (name && *name && s->imports->nr_files < LIBRARIES_MAX &&
		    s->tries++ < TRIES_MAX)
			find_library(s, name, runpath, o->path);
	}
}

/* The dynamic linker, which the kernel starts instead of the program. */
static void read_interpreter(struct search *s, const struct object *o)
{
	char path[PATH_MAX + 1] = { 0 };
	GElf_Phdr header;
	size_t nr, i;
	ssize_t len;

	if (elf_getphdrnum(o->elf, &nr))
		return;
	for (i = 0; i < nr && gelf_getphdr(o->elf, i, &header); i++) {
		if (header.p_type != PT_INTERP || header.p_filesz > PATH_MAX)
			continue;
		len = pread(o->fd, path, header.p_filesz, header.p_offset);
		if (len > 0)
			add_library(s, path);
		return;
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
	import->id = o->id;
	import->offset = offset;
	import->is_chosen = type == STT_GNU_IFUNC;
	import->is_old = is_hidden;
}

static void read_symbols(struct search *s, const struct object *o, Elf_Data *data,
			 const GElf_Shdr *header, Elf_Data *versions, bool is_program)
{
	GElf_Versym version;
	const char *name;
	GElf_Sym sym;
	int i;

	for (i = 1; i < (int)SYMBOLS_MAX && gelf_getsym(data, i, &sym); i++) {
		name = segments_text(o->elf, header->sh_link, sym.st_name, NAME_LENGTH);
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

/*
 * Read the first section of each kind, as there is one in what linkers make: sections may lie over
 * each other, and each that is looked at takes memory.
 */
static void read_sections(struct search *s, const struct object *o, bool is_program)
{
	Elf_Data *dynamic = NULL, *symbols = NULL, *versions = NULL;
	GElf_Shdr header, of_dynamic = { 0 }, of_symbols = { 0 };
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(o->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_DYNAMIC && !dynamic) {
			dynamic = elf_getdata(section, NULL);
			of_dynamic = header;
		} else if (header.sh_type == SHT_DYNSYM && !symbols) {
			symbols = elf_getdata(section, NULL);
			of_symbols = header;
		} else if (header.sh_type == SHT_GNU_versym && !versions) {
			versions = elf_getdata(section, NULL);
		}
	}
	if (dynamic)
		read_needed(s, o, dynamic, &of_dynamic);
	if (symbols && !s->of_files)
		read_symbols(s, o, symbols, &of_symbols, versions, is_program);
}

/* Returns false if it is no ELF file of this machine. */
static bool read_object(struct search *s, const char *path, bool is_program)
{
	struct object o = { .path = path };
	struct fetch fetch = { .path = path, .no_copy = s->of_files };
	struct buf id = { 0 };
	GElf_Ehdr ehdr;
	bool is_elf;

	o.fd = fetch_open(&fetch);
	if (o.fd < 0)
		return false;
	file_id_add(&id, &fetch.st);
	o.id = arena_copy(&s->imports->texts, id.data ? id.data : "", id.len);
	buf_free(&id);
	o.elf = s->of_files ? segments_open_unmapped(o.fd) : segments_open(o.fd);
	is_elf = o.elf && gelf_getehdr(o.elf, &ehdr) &&
		 ehdr.e_machine == MACHINE && ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	if (is_elf) {
		segments_read(&o.segments, o.elf);
		if (is_program && s->of_files)
			read_interpreter(s, &o);
		read_sections(s, &o, is_program);
	}
	elf_end(o.elf);
	close(o.fd);
	return is_elf;
}

static bool search(struct search *s, const char *path)
{
	struct user_imports *m = s->imports;
	bool is_elf;
	size_t i;

	/* Without a cache, libraries are looked for elsewhere. */
	buf_read_file(&s->cache, LIBRARY_CACHE);
	add_library(s, path);
	is_elf = m->nr_files && read_object(s, m->file[0], true);
	if (m->nr)
		qsort(m->item, m->nr, sizeof(*m->item), by_name);
	for (i = 1; is_elf && i < m->nr_files; i++)
		read_object(s, m->file[i], false);
	buf_free(&s->cache);
	return is_elf;
}

bool user_imports_read(struct user_imports *m, const char *path)
{
	struct search s = { .imports = m };

	return search(&s, path);
}

bool user_imports_files(struct user_imports *m, const char *path)
{
	struct search s = { .imports = m, .of_files = true };

	return search(&s, path);
}

void user_imports_free(struct user_imports *m)
{
	free(m->item);
	free(m->file);
	arena_free(&m->texts);
	*m = (struct user_imports){ 0 };
}
