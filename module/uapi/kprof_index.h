/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kprof_index.h - the layout of kprof.index: which code is inlined where
 *
 * Written by "kprof index" from debug information; read by the program and by the module.
 * A file is a sequence of objects, one for the kernel and one for each module. Each has a header
 * and parts. Numbers are little-endian. Documentation/kprof.index.rst describes the format.
 */
#ifndef KPROF_INDEX_H
#define KPROF_INDEX_H

#include <linux/types.h>

#define KPROF_INDEX_MAGIC	"KPROFIDX"
#define KPROF_INDEX_VERSION	3
#define KPROF_INDEX_NONE	(~(__u32)0)
#define KPROF_INDEX_DEPTH	32	/* maximum depth of inlined functions in one another */
#define KPROF_INDEX_MAX		(64u << 20)	/* maximum size of a file in bytes */

enum kprof_index_part_id {
	KPROF_INDEX_STRINGS,	/* strings, each with a NUL; the first one is empty */
	KPROF_INDEX_FILES,	/* __u32: offset in STRINGS of the name of a source file */
	KPROF_INDEX_NAMES,	/* struct kprof_index_name, sorted by the strings */
	KPROF_INDEX_SECTIONS,	/* struct kprof_index_section, sorted by start */
	KPROF_INDEX_HOSTS,	/* struct kprof_index_host, sorted by start, do not overlap */
	KPROF_INDEX_PLACES,	/* lists of hosts, one for each name */
	KPROF_INDEX_INLINES,	/* lists of inlined instances, one for each host */
	KPROF_INDEX_LINES,	/* lists of source lines, one for each host */
	KPROF_INDEX_EXITS,	/* lists of the places where an inlined instance is left */
	KPROF_INDEX_NR_PARTS
};

struct kprof_index_part {
	__u32 offset;		/* from the object's start; a multiple of 4 */
	__u32 size;		/* bytes */
};

struct kprof_index_header {
	char magic[8];
	__u32 version;
	__u32 crc;		/* zlib's crc32 of the object, computed with 0 in this field */
	__u32 size;		/* of the object; a multiple of 8 */
	__u32 machine;		/* as in the ELF header */
	__u64 base;		/* the address, as linked, that all others are relative to */
	__u32 build_id_size;	/* bytes of the build id */
	__u8 build_id[32];
	char owner[64];		/* "vmlinux", or the name of a module */
	__u32 reserved;
	struct kprof_index_part part[KPROF_INDEX_NR_PARTS];
};

/* A section is moved as a whole when it is loaded. */
struct kprof_index_section {
	__u32 start, size;
	__u32 name;		/* in STRINGS */
};

/* A function that is inlined somewhere. */
struct kprof_index_name {
	__u32 text;		/* in STRINGS */
	__u32 places;		/* in PLACES: count of hosts, the first one, steps to the others */
};

/* A function, or a separate part of one, into which others may be inlined. */
struct kprof_index_host {
	__u32 start, size;
	__u32 name;		/* in STRINGS: its symbol */
	__u32 inlines;		/* in INLINES, or KPROF_INDEX_NONE */
	__u32 lines;		/* in LINES, or KPROF_INDEX_NONE */
};

/* A list that is being read: the position, and the number of entries left. */
struct kprof_index_list {
	const __u8 *at, *end;
	__u32 left;
};

/* What the instructions of an instance show, if they were examined. */
#define KPROF_INDEX_SEEN	1u	/* they were examined */
#define KPROF_INDEX_DOUBTFUL	2u	/* one more round of a loop may look like a call */
#define KPROF_INDEX_BYPASSED	4u	/* there is a way past the entries into the middle */

/* One inlined instance, as read from the list of its host. */
struct kprof_index_inline {
	__u32 depth;		/* 0: called by the host itself; at most one more than before */
	__u32 name;		/* number in NAMES */
	__u32 entry;		/* from the host's start; KPROF_INDEX_NONE: not in this host */
	__u32 file, line;	/* of the call; file: number in FILES */
	__u32 seen;		/* KPROF_INDEX_SEEN, ..._DOUBTFUL and ..._BYPASSED */
	__u32 exits;		/* in EXITS; KPROF_INDEX_NONE: not known */
	__u32 ranges;		/* number of ranges that follow; read each by kprof_index_range() */
	__u32 end;		/* private: end of the last range */
};

/* Each byte has seven bits, the lowest first; its highest bit is set if more bytes follow. */
static inline int kprof_index_number(struct kprof_index_list *list, __u32 *value)
{
	unsigned int shift;

	*value = 0;
	for (shift = 0; shift < 35; shift += 7) {
		__u32 bits;

		if (list->at == list->end)
			return 0;
		bits = *list->at & 0x7f;
		if (shift == 28 && bits > 0xf)
			return 0;
		*value |= bits << shift;
		if (!(*list->at++ & 0x80))
			return 1;
	}
	return 0;
}

/* Start reading the list at an offset in a part that was checked. Return: 0 if there is none. */
static inline int kprof_index_list(struct kprof_index_list *list, const void *object,
				   const struct kprof_index_part *part, __u32 offset)
{
	list->at = (const __u8 *)object + part->offset;
	list->end = list->at + part->size;
	if (offset >= part->size)
		return 0;
	list->at += offset;
	return kprof_index_number(list, &list->left);
}

/*
 * Read the next instance of a list of INLINES; its ranges must be read next. Return: 0 if the
 * list is invalid, or at its end (list->left was 0).
 */
static inline int kprof_index_inline(struct kprof_index_list *list,
				     struct kprof_index_inline *in, __u32 names, __u32 files)
{
	__u32 last = in->depth, has_entry;

	if (!list->left || !kprof_index_number(list, &in->depth) ||
	    !kprof_index_number(list, &in->name) || !kprof_index_number(list, &in->ranges))
		return 0;
	has_entry = in->ranges & 1;
	in->ranges >>= 1;
	in->entry = KPROF_INDEX_NONE;
	in->seen = 0;
	in->end = 0;
	if (has_entry && (!kprof_index_number(list, &in->entry) ||
			  !kprof_index_number(list, &in->seen)))
		return 0;
	/* The bits above these three are the position in EXITS plus one. */
	in->exits = (in->seen >> 3) - 1;
	in->seen &= KPROF_INDEX_SEEN | KPROF_INDEX_DOUBTFUL | KPROF_INDEX_BYPASSED;
	if (!kprof_index_number(list, &in->file) || !kprof_index_number(list, &in->line))
		return 0;
	list->left--;
	/* Before the first instance of a list, the caller sets depth to KPROF_INDEX_NONE. */
	return in->name < names && in->file < files && in->depth < KPROF_INDEX_DEPTH &&
	       in->depth <= last + 1;
}

/* Read a range, relative to the host's start; @end is exclusive. Return: 0 if it is invalid. */
static inline int kprof_index_range(struct kprof_index_list *list,
				    struct kprof_index_inline *in, __u32 host_size,
				    __u32 *start, __u32 *end)
{
	__u32 gap, size;

	if (!in->ranges || !kprof_index_number(list, &gap) || !kprof_index_number(list, &size))
		return 0;
	in->ranges--;
	if (gap > host_size - in->end || size > host_size - in->end - gap)
		return 0;
	*start = in->end + gap;
	*end = *start + size;
	in->end = *end;
	return 1;
}

/*
 * Read the next entry of a list of EXITS. @at is relative to the start of the host, and may be
 * outside of it. @shared: it can be reached in other ways, too.
 */
static inline int kprof_index_exit(struct kprof_index_list *list, __s32 *at, int *shared)
{
	__u32 value;

	if (!list->left || !kprof_index_number(list, &value))
		return 0;
	list->left--;
	*shared = value & 1;
	/* The next bit is the sign. */
	*at = value & 2 ? ~(__s32)(value >> 2) : (__s32)(value >> 2);
	return 1;
}

/* An entry of LINES: from this address on, the code belongs to this line. */
struct kprof_index_line {
	__u32 at;		/* relative to the host's start */
	__u32 file, line;	/* file: number in FILES; line 0: not known */
};

/* Read the next entry of LINES. Before the first one, the caller sets all of @row to 0. */
static inline int kprof_index_line(struct kprof_index_list *list,
				   struct kprof_index_line *row, __u32 files)
{
	__u32 step, change;

	if (!list->left || !kprof_index_number(list, &step) || !kprof_index_number(list, &change))
		return 0;
	/* If the lowest bit is set, the file changes, and its number follows. */
	if ((step & 1) && !kprof_index_number(list, &row->file))
		return 0;
	list->left--;
	row->at += step >> 1;
	/* The lowest bit is the sign. */
	row->line += change & 1 ? ~(change >> 1) : change >> 1;
	return row->file < files;
}

#endif /* KPROF_INDEX_H */
