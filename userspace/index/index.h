/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * index.h - an index of inlined code, read: which functions an address belongs to
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

/* Zero-initialise, then open. Every number in it but those in lists has been checked. */
struct index {
	char error[256];
	struct buf file;
	struct index_object *object;
	size_t nr, room;
};

/* A function at an address: an inlined one or, the last, the one that it is inlined into. */
struct index_frame {
	const char *name;
	const char *file;	/* where it is at the address, or calls what is inlined; NULL */
	uint32_t line;		/* 0: not known */
};

/* "/lib/modules/RELEASE/kprof.index" */
void index_default_path(struct buf *path, const char *release);

/* -1 with @index->error set: not there (errno is ENOENT then), or damaged. Close it in any case. */
int index_open(struct index *index, const char *path);

/* The same from memory, whose contents are taken over. */
int index_parse(struct index *index, struct buf *file);
void index_close(struct index *index);

/* Of "vmlinux" or a module, or NULL. */
const struct index_object *index_find(const struct index *index, const char *owner);

static inline const char *index_string(const struct index_object *o, uint32_t at)
{
	return o->strings + at;
}

/* The host that has an address, counted from the object's base; NULL. */
const struct kprof_index_host *index_host(const struct index_object *o, uint64_t offset);

/*
 * The functions at an address of a host, the innermost first, the host last; how many. 0: what
 * the index says is damaged.
 */
int index_frames(const struct index_object *o, const struct kprof_index_host *host,
		 uint32_t offset, struct index_frame frame[KPROF_INDEX_DEPTH + 1]);

#endif /* KPROF_INDEX_INDEX_H */
