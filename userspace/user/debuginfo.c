// SPDX-License-Identifier: GPL-2.0-only
/*
 * debuginfo.c - opens an ELF file with its debug information, wherever that is
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "user/apart.h"
#include "user/debuginfo.h"
#include "user/rights.h"
#include "user/segments.h"

#define SERVERS		"DEBUGINFOD_URLS"

static char *no_path;		/* no debuginfo path other than the system's default */

/* Is something there that is no file, or too large to be read for its checksum? */
static bool is_odd(const char *dir, size_t len, const char *below, const char *name,
		   const char *ending)
{
	struct buf path = { 0 };
	struct stat st;
	bool odd;

	buf_printf(&path, "%.*s%s%s%s", (int)len, dir, below, name, ending);
	odd = !stat(path.data, &st) && (!S_ISREG(st.st_mode) || st.st_size > (off_t)APART_MEMORY);
	buf_free(&path);
	return odd;
}

/* Beside a file of that path, or below it? */
static bool is_odd_near(const char *path, const char *link)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? slash + 1 - path : 0;
	const char *wanted = link ? link : path + len, *ending = link ? "" : ".debug";

	return strchr(wanted, '/') || is_odd(path, len, "", wanted, ending) ||
	       is_odd(path, len, ".debug/", wanted, ending);
}

/*
 * libdwfl opens whatever has the name that the file gives, beside its path and beside what links in
 * that lead to, and would wait for the writer of a FIFO. Who puts a FIFO there only now is left to
 * the limits of apart.h.
 */
static int open_by_name(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **found)
{
	char *real = file ? realpath(file, NULL) : NULL;
	int fd = -1;

	if (!is_odd_near(file ? file : "", link) && !(real && is_odd_near(real, link)))
		fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc,
						  found);
	free(real);
	return fd;
}

/*
 * Where the system has debug information by build id, this process may read it; what the file names
 * it may read if the owner may. A server is asked last, and as this process: with the rights of the
 * owner what it sends would be kept as the owner's.
 */
static int open_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const struct debuginfo *d = *data;
	const char *servers = getenv(SERVERS);
	struct buf kept = { 0 };
	int fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);

	if (servers)
		buf_add(&kept, servers, strlen(servers) + 1);
	unsetenv(SERVERS);
	if (fd < 0 && rights_take(d ? d->owner : DEBUGINFO_NOBODY)) {
		fd = open_by_name(module, data, name, base, file, link, crc, found);
		rights_return();
	}
	if (kept.len)
		setenv(SERVERS, kept.data, 1);
	buf_free(&kept);
	if (fd < 0)
		fd = dwfl_standard_find_debuginfo(module, data, name, base, NULL, NULL, 0, found);
	return fd;
}

/* A path may lead elsewhere a moment later, so the owner is that of what was opened. */
static uid_t owner_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? DEBUGINFO_NOBODY : st.st_uid;
}

static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	struct debuginfo *d = *data;
	int fd;

	/* A name without a checksum is that of a file that several share, for which see parts.h. */
	if (link && !crc)
		return -1;
	fd = open_debuginfo(module, data, name, base, file, link, crc, found);
	if (fd >= 0 && d)
		d->owner = owner_of(fd);
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &no_path,
};

/* If it succeeds, libdwfl owns the descriptor. */
static Dwfl_Module *report(Dwfl *dwfl, const char *path, int fd)
{
	Dwfl_Module *module;

	dwfl_report_begin(dwfl);
	module = dwfl_report_offline(dwfl, path, path, fd);
	if (module)
		dwfl_report_end(dwfl, NULL, NULL);
	return module;
}

bool debuginfo_open(struct debuginfo *d, int fd, const char *path)
{
	/* What is no ELF file, libdwfl unpacks as far as memory goes. */
	Elf *elf = segments_open(fd);
	void **data;
	int mine;

	if (!elf)
		return false;
	elf_end(elf);
	d->dwfl = dwfl_begin(&callbacks);
	mine = dup(fd);
	d->owner = owner_of(fd);
	d->module = d->dwfl && mine >= 0 ? report(d->dwfl, path, mine) : NULL;
	if (d->module) {
		dwfl_module_info(d->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
		*data = d;
		return true;
	}
	if (mine >= 0)
		close(mine);
	debuginfo_close(d);
	return false;
}

void debuginfo_close(struct debuginfo *d)
{
	if (d->dwfl)
		dwfl_end(d->dwfl);
	*d = (struct debuginfo){ .dwfl = NULL };
}
