/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - make an index of inlined code from debug information
 */
#ifndef KPROF_INDEX_MAKE_H
#define KPROF_INDEX_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"
#include "lib/strtab.h"

/* Addresses from @start up to, but not including, @end. */
struct make_range {
	uint64_t start, end;
};

/* One inlined instance of a function. */
struct make_inline {
	uint32_t depth;		/* 0: called by the function itself */
	uint32_t name;		/* in make->functions */
	uint32_t file, line;	/* of the call; file in make->files */
	uint64_t entry;
	size_t range, nr_ranges;	/* in make->range */
	size_t exit, nr_exits;		/* in make->exit; nr_exits 0: not known */
	size_t more, nr_more;		/* in make->more: its other entries */
	bool is_looked_at;		/* its instructions have been analysed */
	bool is_doubtful;		/* an iteration of a loop may look like a call */
	bool is_bypassed;		/* there is a way past the entries into the middle */
};

/* An address that is reached when an inlined instance is left. */
struct make_exit {
	uint64_t addr;
	bool is_shared;		/* it can be reached in other ways, too */
};

#define MAKE_EXITS	32	/* maximum number of exits of an instance */

/* A line that begins at an address of a host. */
struct make_line {
	uint64_t at;
	uint32_t file, line;
};

/* A function, or a separate part of one (such as a .cold part). */
struct make_host {
	uint64_t start, end;
	uint32_t name;			/* in make->symbols */
	size_t first, nr;		/* in make->inlines: all of the whole function */
	size_t line, nr_lines;		/* in make->line */
};

struct make_section {
	uint64_t start, end;
	uint32_t name;			/* in make->symbols */
};

/* Zero-initialise. */
struct make {
	char owner[64];
	uint32_t machine;
	unsigned char build_id[32];
	uint32_t build_id_size;
	struct strtab functions, files, symbols;
	struct make_range *range;
	struct make_inline *inlines;
	struct make_inline *more;	/* like the instance, with another entry, no ranges */
	struct make_line *line;
	struct make_host *host;
	struct make_section *section;
	struct make_exit *exit;
	size_t nr_exits, exit_room, nr_more, more_room;
	size_t nr_ranges, nr_inlines, nr_lines, nr_hosts, nr_sections;
	size_t range_room, inline_room, line_room, host_room, section_room;
	size_t nr_units;		/* compilation units of the debug information */
};

/*
 * Find the vmlinux of the kernel that runs, with debug information: where it is installed, or by
 * its build id, also from the servers of DEBUGINFOD_URLS. Returns EXIT_OK with a path, or
 * EXIT_ERROR after a message.
 */
int make_find_kernel(const char *release, struct buf *path);

/*
 * Read an ELF file. Its debug information is in the file, or is found beside it or by its build
 * id. Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int make_read(struct make *m, const char *path, bool with_lines);

/* Append the object to @out. Returns -1 if it would exceed the size limit of an index. */
int make_write(struct make *m, struct buf *out);
void make_free(struct make *m);

#endif /* KPROF_INDEX_MAKE_H */
