/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kprof_index.h - the layout of kprof.index: which code is inlined where
 *
 * Written by "kprof index" from debug information, read by the program and by the module.
 * A file is a row of objects, one for the kernel and one for each module, each with a header
 * and parts. Numbers are little-endian. Documentation/kprof.index.rst has it in words.
 */
#ifndef KPROF_INDEX_H
#define KPROF_INDEX_H

#include <linux/types.h>

#define KPROF_INDEX_MAGIC	"KPROFIDX"
#define KPROF_INDEX_VERSION	2
#define KPROF_INDEX_NONE	(~(__u32)0)
#define KPROF_INDEX_DEPTH	32	/* inlined functions in one another, at most */
#define KPROF_INDEX_MAX		(64u << 20)	/* bytes of a file, at most */

enum kprof_index_part_id {
	KPROF_INDEX_STRINGS,	/* texts, each with a NUL; the first one is empty */
	KPROF_INDEX_FILES,	/* __u32: where in STRINGS the name of a source file is */
	KPROF_INDEX_NAMES,	/* struct kprof_index_name, sorted by their texts */
	KPROF_INDEX_SECTIONS,	/* struct kprof_index_section, sorted by start */
	KPROF_INDEX_HOSTS,	/* struct kprof_index_host, sorted by start, apart */
	KPROF_INDEX_PLACES,	/* lists of hosts, of which a name leads to one */
	KPROF_INDEX_INLINES,	/* lists of inlined functions, one for a host */
	KPROF_INDEX_LINES,	/* lists of source lines, one for a host */
	KPROF_INDEX_EXITS,	/* lists of where an inlined function is left */
	KPROF_INDEX_NR_PARTS
};

struct kprof_index_part {
	__u32 offset;		/* from the object's start; a multiple of 4 */
	__u32 size;		/* bytes */
};

struct kprof_index_header {
	char magic[8];
	__u32 version;
	__u32 crc;		/* zlib's crc32 of the object, this being 0 */
	__u32 size;		/* of the object; a multiple of 8 */
	__u32 machine;		/* as in the ELF header */
	__u64 base;		/* the address, as linked, from which all are counted */
	__u32 build_id_size;	/* bytes of the build id */
	__u8 build_id[32];
	char owner[64];		/* "vmlinux", or the name of a module */
	__u32 reserved;
	struct kprof_index_part part[KPROF_INDEX_NR_PARTS];
};

/* What is moved as a whole when it is loaded. */
struct kprof_index_section {
	__u32 start, size;
	__u32 name;		/* in STRINGS */
};

/* A function that is inlined somewhere. */
struct kprof_index_name {
	__u32 text;		/* in STRINGS */
	__u32 places;		/* in PLACES: number of hosts; the first, the steps to the next */
};

/* A function, or a part of one that lies apart, into which others may be inlined. */
struct kprof_index_host {
	__u32 start, size;
	__u32 name;		/* in STRINGS: its symbol */
	__u32 inlines;		/* in INLINES, or KPROF_INDEX_NONE */
	__u32 lines;		/* in LINES, or KPROF_INDEX_NONE */
};

/* Where a list is being read, and what of it is left. */
struct kprof_index_list {
	const __u8 *at, *end;
	__u32 left;
};

/* What its instructions tell of an instance, where they were looked at. */
#define KPROF_INDEX_SEEN	1u	/* they were */
#define KPROF_INDEX_DOUBTFUL	2u	/* a turn of a loop may look like a call */

/* One inlined instance, as it comes out of the list of its host. */
struct kprof_index_inline {
	__u32 depth;		/* 0: called by the host itself; at most one more than the last */
	__u32 name;		/* number in NAMES */
	__u32 entry;		/* from the host's start; KPROF_INDEX_NONE: not in this host */
	__u32 file, line;	/* of the call; file: number in FILES */
	__u32 seen;		/* KPROF_INDEX_SEEN, .. */
	__u32 exits;		/* in EXITS; KPROF_INDEX_NONE: not known */
	__u32 ranges;		/* how many follow: kprof_index_range() takes them one by one */
	__u32 end;		/* private: of the last range */
};

/* Seven bits a byte, the lowest first; the highest bit says that there are more. */
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

/* The list that begins at an offset of a part, which has been checked; 0: it does not. */
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
 * The next instance of a list of INLINES, and then each of its ranges. 0: the list is not in
 * order, or (instance, with list->left 0) at its end.
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
	/* Above the two bits, 1 more than where its exits are. */
	in->exits = (in->seen >> 2) - 1;
	in->seen &= KPROF_INDEX_SEEN | KPROF_INDEX_DOUBTFUL;
	if (!kprof_index_number(list, &in->file) || !kprof_index_number(list, &in->line))
		return 0;
	list->left--;
	/* Before the first of a list, its depth is to be KPROF_INDEX_NONE. */
	return in->name < names && in->file < files && in->depth < KPROF_INDEX_DEPTH &&
	       in->depth <= last + 1;
}

/* From the host's start, up to @end, which is outside. */
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
 * The next of a list of EXITS. @at: from the start of the host, and may lie outside of it;
 * @shared: one gets there in other ways, too.
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

/* A row of LINES: from this address on, it is this line. */
struct kprof_index_line {
	__u32 at;		/* from the host's start */
	__u32 file, line;	/* file: number in FILES; line 0: not known */
};

/* Begin with all of @row 0. */
static inline int kprof_index_line(struct kprof_index_list *list,
				   struct kprof_index_line *row, __u32 files)
{
	__u32 step, change;

	if (!list->left || !kprof_index_number(list, &step) || !kprof_index_number(list, &change))
		return 0;
	/* The lowest bit: the file is another one, and follows. */
	if ((step & 1) && !kprof_index_number(list, &row->file))
		return 0;
	list->left--;
	row->at += step >> 1;
	/* The lowest bit is the sign. */
	row->line += change & 1 ? ~(change >> 1) : change >> 1;
	return row->file < files;
}

#endif /* KPROF_INDEX_H */
