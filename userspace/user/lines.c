// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines.c - the source lines of a part of a program or library, from its debug information
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "user/apart.h"
#include "user/debuginfo.h"
#include "user/lines.h"
#include "user/segments.h"

#define PATH_LENGTH	4096

/* --- in the process that reads --- */

/* A row of the table of lines. */
struct row {
	Dwarf_Addr at;
	int line;
	const char *path;	/* NULL: there is none */
};

static bool read_row(Dwarf_Lines *lines, size_t i, struct row *row)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, i);
	bool is_end;

	if (!line || dwarf_lineaddr(line, &row->at) || dwarf_lineno(line, &row->line) ||
	    dwarf_lineendsequence(line, &is_end) || is_end)
		return false;
	row->path = dwarf_linesrc(line, NULL, NULL);
	return row->path && strnlen(row->path, PATH_LENGTH) < PATH_LENGTH &&
	       !strchr(row->path, '\n');
}

static void add_row(struct buf *out, const struct row *row, uint64_t by)
{
	if (row->path && out->len < USER_LINES_MAX - PATH_LENGTH - 64)
		buf_printf(out, "%" PRIx64 " %d %s\n", row->at + by, row->line, row->path);
}

/* The rows of addresses from @from on, before @to; @by: what makes offsets of addresses. */
static void add_rows(struct buf *out, Dwarf_Lines *lines, size_t nr, Dwarf_Addr from,
		     Dwarf_Addr to, uint64_t by)
{
	struct row row, last = { .path = NULL };
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!read_row(lines, i, &row) || row.at < from || row.at >= to)
			continue;
		/* Of several rows at an address the last one counts. */
		if (last.at != row.at)
			add_row(out, &last, by);
		last = row;
	}
	add_row(out, &last, by);
}

/* The unit that has an address. Not each file has a table of them. */
static Dwarf_Die *find_unit(Dwfl_Module *module, Dwarf_Addr addr, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module, addr, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(module, unit, bias)))
		if (dwarf_haspc(unit, addr - *bias) > 0)
			return unit;
	return NULL;
}

static void read_lines(struct debuginfo *d, uint64_t start, uint64_t size, struct buf *out)
{
	struct segments segments;
	Dwarf_Addr bias, addr;
	Dwarf_Lines *lines;
	Dwarf_Die *unit;
	Dwarf *dwarf;
	size_t nr;
	Elf *elf = dwfl_module_getelf(d->module, &bias);

	if (!elf)
		return;
	segments_read(&segments, elf);
	if (!segments_address(&segments, start, &addr))
		return;
	addr += bias;
	dwarf = dwfl_module_getdwarf(d->module, &bias);
	if (!dwarf)
		return;
	/* Not to open whatever it names, which may be a FIFO. */
	dwarf_setalt(dwarf, NULL);
	unit = find_unit(d->module, addr, &bias);
	if (unit && !dwarf_getsrclines(unit, &lines, &nr))
		add_rows(out, lines, nr, addr - bias, addr - bias + size, start - (addr - bias));
}

struct wanted {
	int fd;
	const char *path;
	uint64_t start, size;
};

static void read_file(const void *what, FILE *to)
{
	const struct wanted *wanted = what;
	struct debuginfo d;
	struct buf out = { 0 };

	if (debuginfo_open(&d, wanted->fd, wanted->path))
		read_lines(&d, wanted->start, wanted->size, &out);
	if (!out.len)
		return;
	fprintf(to, "%u\n", d.owner);
	fwrite(out.data, out.len, 1, to);
}

/* --- in the process that asks --- */

int user_lines_read(int fd, const char *path, uint64_t start, uint64_t size, struct buf *out,
		    char error[256])
{
	const struct wanted wanted = { fd, path, start, size };
	size_t before = out->len;
	struct apart a;
	bool is_read;

	if (apart_begin(&a, fd, read_file, &wanted, error))
		return -1;
	is_read = !buf_read_max(out, fileno(a.from), USER_LINES_MAX);
	if (apart_end(&a, is_read))
		return 0;
	out->len = before;
	out->data[before] = '\0';
	snprintf(error, 256, "its debug information is damaged, or more than can be read");
	return -1;
}
