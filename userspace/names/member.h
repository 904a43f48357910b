/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member.h - the members of structures and unions, by BTF
 */
#ifndef KPROF_MEMBER_H
#define KPROF_MEMBER_H

#include <linux/types.h>
#include <stdint.h>

#include "lib/buf.h"

struct btf;
struct btf_type;

/**
 * struct member - a member, from the beginning of the structure that was searched
 * @type:	its type
 * @bit:	where it begins, in bits
 * @bits:	size of a bit field; 0: it is none
 */
struct member {
	__u32 type;
	uint64_t bit;
	unsigned int bits;
};

/*
 * Call @use for each member with a name, also of structures without one inside, until it returns
 * true. @use gets the name and the member.
 */
void member_each(const struct btf *btf, const struct btf_type *structure,
		 bool (*use)(const char *name, const struct member *m, void *data), void *data);

/* Find a member. Returns 0; or -EINVAL, and @why has the names that are near. */
int member_find(const struct btf *btf, const struct btf_type *structure, const char *name,
		size_t len, struct member *found, struct buf *why);

#endif /* KPROF_MEMBER_H */
