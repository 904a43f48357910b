// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_lines.c - source files and lines, from debug information
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "index/make_elf.h"
#include "lib/mem.h"

/* "a/b/../c" becomes "a/c", "./a" and ".//a" become "a". */
static void normalize(char *path)
{
	char *in = path, *out = path;
	size_t len;

	for (; *in; in += len) {
		len = strcspn(in, "/");
		len += in[len] == '/';
		if (!strncmp(in, "./", 2) || (*in == '/' && out > path))
			continue;
		if (!strncmp(in, "../", 3) && out > path + 1 && strncmp(out - 3, "../", 3)) {
			for (out--; out > path && out[-1] != '/'; out--)
				;
			continue;
		}
		memmove(out, in, len);
		out += len;
	}
	*out = '\0';
}

static const char *strip(const char *path, const char *dir, size_t len)
{
	return len && !strncmp(path, dir, len) && path[len] == '/' ? path + len + 1 : path;
}

uint32_t make_file(struct make *m, const struct elf_input *elf, const char *unit_dir,
		   const char *path)
{
	struct buf text = { 0 };
	const char *name;
	uint32_t id;

	buf_printf(&text, "%s", path);
	normalize(text.data);
	name = strip(text.data, unit_dir, strlen(unit_dir));
	if (name == text.data)
		name = strip(name, elf->root.data, elf->root.len);
	id = strtab_add(&m->files, name, strlen(name));
	buf_free(&text);
	return id;
}

/* --- rows --- */

struct row {
	uint64_t at;
	int line;
	const char *path;
	bool is_end;
};

static bool read_row(Dwarf_Lines *lines, size_t i, Dwarf_Addr bias, struct row *row)
{
	Dwarf_Line *line = dwarf_onesrcline(lines, i);
	Dwarf_Addr at;

	if (!line || dwarf_lineaddr(line, &at) || dwarf_lineno(line, &row->line) ||
	    dwarf_lineendsequence(line, &row->is_end))
		return false;
	row->at = at + bias;
	row->path = dwarf_linesrc(line, NULL, NULL);
	return row->path;
}

/* The first row whose address is at or above @addr. */
static size_t first_row(Dwarf_Lines *lines, size_t nr, uint64_t addr, Dwarf_Addr bias)
{
	size_t low = 0, high = nr;
	Dwarf_Addr at;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (!dwarf_lineaddr(dwarf_onesrcline(lines, mid), &at) && at + bias < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Cache: most rows have the same file as the row before, with the same pointer to its name. */
struct last_file {
	const char *path;
	uint32_t id;
};

static void add_row(struct make *m, struct make_host *host, const struct row *row, uint32_t file)
{
	struct make_line *last = host->nr_lines ? &m->line[m->nr_lines - 1] : NULL;

	/* If several rows have the same address, the last one wins. */
	if (last && last->at == row->at) {
		last->file = file;
		last->line = row->line;
		return;
	}
	if (last && last->file == file && last->line == (uint32_t)row->line)
		return;
	m->line = mem_grow(m->line, &m->line_room, m->nr_lines + 1, sizeof(*m->line));
	m->line[m->nr_lines++] = (struct make_line){ row->at, file, row->line };
	host->nr_lines++;
}

void make_host_lines(struct make *m, struct elf_input *elf, Dwarf_Die *unit, size_t first_host)
{
	struct last_file last = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Lines *lines;
	const char *dir = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	struct row row;
	size_t nr, i, h;

	if (first_host == m->nr_hosts || dwarf_getsrclines(unit, &lines, &nr))
		return;
	for (h = first_host; h < m->nr_hosts; h++) {
		struct make_host *host = &m->host[h];

		host->line = m->nr_lines;
		for (i = first_row(lines, nr, host->start, elf->bias); i < nr; i++) {
			if (!read_row(lines, i, elf->bias, &row) || row.is_end)
				continue;
			if (row.at >= host->end)
				break;
			if (row.path != last.path)
				last = (struct last_file) {
					row.path, make_file(m, elf, dir ? dir : "", row.path)
				};
			add_row(m, host, &row, last.id);
		}
	}
}
