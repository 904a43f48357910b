/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * index.h - read an index of inlined code: which functions does an address belong to?
 */
#ifndef KPROF_INDEX_INDEX_H
#define KPROF_INDEX_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kprof_index.h"
#include "lib/buf.h"

#define INDEX_NAME	"kprof.index"

/* The code of a kernel or a module. */
struct index_object {
	const struct kprof_index_header *header;
	const char *strings;
	const __u32 *file;
	const struct kprof_index_name *name;
	const struct kprof_index_section *section;
	const struct kprof_index_host *host;
	uint32_t nr_files, nr_names, nr_sections, nr_hosts;
};

/* Zero-initialise, then open. All numbers have been checked, except those inside lists. */
struct index {
	char error[256];
	struct buf file;
	struct index_object *object;
	size_t nr, room;
};

/* A function at an address. The last one is the host, the ones before it are inlined into it. */
struct index_frame {
	const char *name;
	const char *file;	/* source at the address, or of the inlined call; or NULL */
	uint32_t line;		/* 0: not known */
};

/* "/lib/modules/RELEASE/kprof.index" */
void index_default_path(struct buf *path, const char *release);

/*
 * Returns -1 with @index->error set if the file is missing (then errno is ENOENT) or damaged. Call
 * index_close() in any case.
 */
int index_open(struct index *index, const char *path);

/* The same from memory. Takes over the contents of @file. */
int index_parse(struct index *index, struct buf *file);
void index_close(struct index *index);

/* The object of "vmlinux" or of a module; or NULL. */
const struct index_object *index_find(const struct index *index, const char *owner);

static inline const char *index_string(const struct index_object *o, uint32_t at)
{
	return o->strings + at;
}

/* The host at @offset from the base of the object; or NULL. */
const struct kprof_index_host *index_host(const struct index_object *o, uint64_t offset);

/*
 * The functions at an address of a host, innermost first, the host last. Returns how many; 0 if
 * the list in the index is damaged.
 */
int index_frames(const struct index_object *o, const struct kprof_index_host *host,
		 uint32_t offset, struct index_frame frame[KPROF_INDEX_DEPTH + 1]);

#endif /* KPROF_INDEX_INDEX_H */
