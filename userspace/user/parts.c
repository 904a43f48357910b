// SPDX-License-Identifier: GPL-2.0-only
/*
 * parts.c - what debug information has in other files: names that several share, units of their own
 */
#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/input.h"
#include "user/parts.h"
#include "user/rights.h"
#include "user/segments.h"

/* The file that has the debug information */
static const char *path_of(const struct debuginfo *d)
{
	const char *path = NULL, *apart = NULL;

	dwfl_module_info(d->module, NULL, NULL, NULL, NULL, NULL, &path, &apart);
	return apart ? apart : path ? path : "";
}

/* Where a file of @dir finds a name; for an absolute one, that is the name itself. */
static void add_path(struct buf *path, const char *dir, size_t len, const char *name)
{
	path->len = 0;
	if (*name != '/' && len)
		buf_printf(path, "%.*s/", (int)len, dir);
	buf_add(path, name, strlen(name));
}

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash - path : 0;
}

/* What somebody else has written may not pass for the owner's: see debuginfo.h. */
static bool may_be_part(const struct debuginfo *d, const struct stat *st)
{
	return S_ISREG(st->st_mode) &&
	       (!st->st_uid || st->st_uid == geteuid() || st->st_uid == d->owner);
}

/* --- names that are shared --- */

/*
 * Otherwise libdw opens whatever has the name that this file gives, which may be a FIFO, and
 * believes it; but it asks only once. Each file that is read may give such a name.
 */
static void do_without(Dwarf *dwarf)
{
	struct rlimit before, none;

	if (getrlimit(RLIMIT_NOFILE, &before))
		return;
	none = before;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	dwarf_getalt(dwarf);
	setrlimit(RLIMIT_NOFILE, &before);
}

/* Any file may have that name, but only one that build id. */
static Dwarf *begin_shared(const struct debuginfo *d, int fd, const void *id, ssize_t len)
{
	struct stat st;
	bool may_be = fd >= 0 && !fstat(fd, &st) && may_be_part(d, &st);
	Elf *elf = may_be ? segments_open(fd) : NULL;
	Dwarf *shared = NULL;
	const void *found;

	if (elf && dwelf_elf_gnu_build_id(elf, &found) == len && !memcmp(found, id, len))
		shared = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (shared) {
		do_without(shared);
		return shared;	/* it has the descriptor until the process ends */
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return NULL;
}

static int open_named(const struct debuginfo *d, const char *name)
{
	char *real;
	struct buf path = { 0 };
	const char *why;
	int fd = -1;

	if (!rights_take(d->owner))
		return -1;
	real = realpath(path_of(d), NULL);
	if (real) {
		add_path(&path, real, directory_length(real), name);
		fd = input_regular_fd(path.data, &why);
	}
	rights_return();
	free(real);
	buf_free(&path);
	return fd;
}

/* From the folder of build ids, or a server. As the debug information is known, it is not that. */
static int open_by_id(const struct debuginfo *d)
{
	char *path = NULL;
	void **data;
	const char *name;
	GElf_Addr base;
	int fd;

	name = dwfl_module_info(d->module, &data, &base, NULL, NULL, NULL, NULL, NULL);
	fd = dwfl_standard_find_debuginfo(d->module, data, name, base, NULL, NULL, 0, &path);
	free(path);
	return fd;
}

static void find_shared(const struct debuginfo *d, Dwarf *dwarf)
{
	const char *name;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id);
	Dwarf *shared;

	if (len <= 0)
		return;
	shared = begin_shared(d, open_named(d, name), id, len);
	if (!shared)
		shared = begin_shared(d, open_by_id(d), id, len);
	if (shared)
		dwarf_setalt(dwarf, shared);
	else
		do_without(dwarf);
}

bool parts_begin(const struct debuginfo *d, Dwarf *dwarf)
{
	find_shared(d, dwarf);
	return rights_take(d->owner);
}

void parts_end(void)
{
	rights_return();
}

/* --- units of their own --- */

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_attr(die, name, &attr) ? dwarf_formstring(&attr) : NULL;

	return text ? text : "";
}

static bool is_odd(const struct debuginfo *d, const struct buf *path)
{
	struct stat st;

	return !stat(path->data, &st) && !may_be_part(d, &st);
}

/*
 * Beside the file, as a package of units (.dwp) if it knows these, and where it was compiled, libdw
 * opens what has that name; whether it is the one that was wanted, it knows by a number. Who puts a
 * FIFO there only now is left to the limits of apart.h.
 */
static bool is_odd_unit(const struct debuginfo *d, Dwarf_Die *unit, const char *name)
{
	const char *dir = text_of(unit, DW_AT_comp_dir);
	char *real = realpath(path_of(d), NULL);
	struct buf package = { 0 }, beside = { 0 }, compiled = { 0 }, path = { 0 };
	bool odd;

	buf_printf(&package, "%s.dwp", real ? real : "");
	add_path(&beside, real ? real : "", real ? directory_length(real) : 0, name);
	add_path(&compiled, real ? real : "", real ? directory_length(real) : 0, dir);
	add_path(&path, compiled.data, compiled.len, name);
	odd = is_odd(d, &package) || is_odd(d, &beside) || is_odd(d, &path);
	free(real);
	buf_free(&package);
	buf_free(&beside);
	buf_free(&compiled);
	buf_free(&path);
	return odd;
}

void parts_find_unit(const struct debuginfo *d, Dwarf_CU *cu, Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);
	Dwarf_Die whole;

	if (!*name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	if (!*name)
		return;
	if (!is_odd_unit(d, unit, name) &&
	    !dwarf_cu_info(cu, NULL, NULL, NULL, &whole, NULL, NULL, NULL) && whole.addr) {
		do_without(dwarf_cu_getdwarf(whole.cu));
		*unit = whole;
	}
}
