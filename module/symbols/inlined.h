/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inlined.h - where functions are inlined: what an index says of one object
 */
#ifndef KPROF_INLINED_H
#define KPROF_INLINED_H

#include <linux/types.h>

#include "uapi/kprof_index.h"

/**
 * struct kprof_inlined - an object of an index, checked
 * @header:	where it begins
 * @string:	texts; the last one ends
 * @name:	functions that are inlined somewhere
 * @section:	what is moved as a whole
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
 * struct kprof_inlined_place - where a function is inlined
 * @host:	into which function
 * @entry:	where it is entered, from the start of that
 * @seen:	what its instructions tell: KPROF_INDEX_SEEN, KPROF_INDEX_DOUBTFUL
 * @exits:	its list in EXITS; KPROF_INDEX_NONE: it is not known where it is left
 */
struct kprof_inlined_place {
	const struct kprof_index_host *host;
	u32 entry;
	u32 seen;
	u32 exits;
};

/* Where an instance is left that has no more than so many exits. */
#define KPROF_INLINED_EXITS	32

/**
 * struct kprof_inlined_exit - where an instance is left
 * @host:	the function that has it
 * @at:		from the start of that
 * @is_shared:	one gets there in other ways, too
 */
struct kprof_inlined_exit {
	const struct kprof_index_host *host;
	u32 at;
	bool is_shared;
};

/* A return value other than 0 is the last one. */
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
