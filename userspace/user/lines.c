// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines.c - the source lines of a part of a program or library, from its debug information
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user/debuginfo.h"
#include "user/lines.h"
#include "user/segments.h"

#define PATH_LENGTH	4096

/* --- in the process that reads --- */

/* The address sanitizer has terabytes of addresses for itself. */
#if defined(__SANITIZE_ADDRESS__)
#define MEMORY	RLIM_INFINITY
#else
#define MEMORY	USER_LINES_MEMORY
#endif

static void lower(int resource, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return;
	if (limit.rlim_max > value)
		limit.rlim_max = value;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

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

__attribute__((noreturn))
static void be_reader(int fd, const char *path, uint64_t start, uint64_t size, int to)
{
	struct debuginfo d;
	struct buf out = { 0 };
	size_t at = 0;
	ssize_t len = 1;

	lower(RLIMIT_CORE, 0);
	lower(RLIMIT_CPU, USER_LINES_SECONDS);
	lower(RLIMIT_AS, MEMORY);
	alarm(3 * USER_LINES_SECONDS);
	if (debuginfo_open(&d, fd, path))
		read_lines(&d, start, size, &out);
	for (; at < out.len && len > 0; at += len)
		len = write(to, out.data + at, out.len - at);
	_exit(at < out.len);
}

/* --- in the process that asks --- */

int user_lines_read(int fd, const char *path, uint64_t start, uint64_t size, struct buf *out,
		    char error[256])
{
	size_t before = out->len;
	int ends[2], status = -1;
	bool is_read;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC)) {
		snprintf(error, 256, "cannot create a pipe: %s", strerror(errno));
		return -1;
	}
	child = fork();
	if (!child)
		be_reader(fd, path, start, size, ends[1]);
	close(ends[1]);
	is_read = !buf_read_max(out, ends[0], USER_LINES_MAX);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (is_read && !status)
		return 0;
	out->len = before;
	out->data[before] = '\0';
	snprintf(error, 256, "its debug information is damaged, or more than can be read");
	return -1;
}
