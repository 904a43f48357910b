/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inlined.h - reads an object of an index of inlined functions
 */
#ifndef KPROF_INLINED_H
#define KPROF_INLINED_H

#include <linux/types.h>

#include "uapi/kprof_index.h"

/**
 * struct kprof_inlined - an object of an index that was checked
 * @header:	its beginning
 * @string:	strings; the last one ends with a NUL
 * @name:	functions that are inlined somewhere
 * @section:	sections, each of which is moved as a whole
 * @host:	functions into which others are inlined
 * @nr_names:	entries in @name
 * @nr_sections: entries in @section
 * @nr_hosts:	entries in @host
 */
struct kprof_inlined {
	const struct kprof_index_header *header;
	const char *string;
	const struct kprof_index_name *name;
	const struct kprof_index_section *section;
	const struct kprof_index_host *host;
	u32 nr_names;
	u32 nr_sections;
	u32 nr_hosts;
};

/**
 * struct kprof_inlined_place - a place where a function is inlined
 * @host:	the function that it is inlined into
 * @entry:	where it is entered, relative to the start of @host
 * @seen:	what its instructions show: KPROF_INDEX_SEEN, ..._DOUBTFUL, ..._BYPASSED
 * @exits:	its list in EXITS; KPROF_INDEX_NONE if the exits are not known
 */
struct kprof_inlined_place {
	const struct kprof_index_host *host;
	u32 entry;
	u32 seen;
	u32 exits;
};

/* Instances with more exits than this are treated as if their exits were not known. */
#define KPROF_INLINED_EXITS	32

/**
 * struct kprof_inlined_exit - a place where an instance is left
 * @host:	the function that contains it
 * @at:		offset from the start of @host
 * @is_shared:	it can be reached in other ways, too
 */
struct kprof_inlined_exit {
	const struct kprof_index_host *host;
	u32 at;
	bool is_shared;
};

/* A return value other than 0 ends the iteration. */
typedef int (*kprof_inlined_fn)(const struct kprof_inlined *object,
				const struct kprof_inlined_place *place, void *data);

int kprof_inlined_check(struct kprof_inlined *object, const void *data, size_t size,
			const char **why);
int kprof_inlined_each(const struct kprof_inlined *object, const char *name,
		       kprof_inlined_fn look, void *data);
u32 kprof_inlined_exits(const struct kprof_inlined *object,
			const struct kprof_inlined_place *place,
			struct kprof_inlined_exit exit[KPROF_INLINED_EXITS]);
const struct kprof_index_section *
kprof_inlined_section(const struct kprof_inlined *object, const struct kprof_index_host *host);
const struct kprof_index_host *
kprof_inlined_host(const struct kprof_inlined *object, const char *name);

#endif /* KPROF_INLINED_H */
