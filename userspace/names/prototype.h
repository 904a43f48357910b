/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prototype.h - the arguments of a function or a tracepoint, by BTF
 */
#ifndef KPROF_PROTOTYPE_H
#define KPROF_PROTOTYPE_H

#include <linux/types.h>
#include <stdint.h>

#include "names/names.h"

#define PROTOTYPE_WORDS	6	/* arguments that the module can read */

struct btf_type;

/**
 * struct prototype - of a function or a tracepoint
 * @btf:	where its types are
 * @proto:	its type
 * @first:	1 for tracepoints, whose first parameter is not an argument
 * @name:	what messages call it
 * @has_args:	the arguments can be read there
 * @has_retval:	the return value can be read there
 */
struct prototype {
	const struct btf *btf;
	const struct btf_type *proto;
	unsigned int first;
	char name[128];
	bool has_args, has_retval;
};

/**
 * enum value_form - what a key is to be
 * @VALUE_ANY:	a text where the type is one, else a number
 * @VALUE_NUMBER: a number, such as the address of a text
 * @VALUE_TEXT:	a text, whatever the type
 * @VALUE_ADDRESS: an address, as the module takes it inside of comm() and +OFFSET()
 */
enum value_form { VALUE_ANY, VALUE_NUMBER, VALUE_TEXT, VALUE_ADDRESS };

/**
 * struct value - a name in terms of the module
 * @fetch:	such as "+8(+16($arg1))"
 * @type:	such as "s32" or "string"; "": the module knows it
 * @bits:	size of a number
 * @mask:	the bits of a bit field; 0: it is none
 */
struct value {
	struct buf fetch;
	char type[8];
	unsigned int bits;
	uint64_t mask;
};

/* The keys of the module, which take precedence over arguments of the same name; NULL: the end. */
extern const char *const names_words[];

/* The end of each message that a name cannot be looked up. */
#define PROTOTYPE_ADVICE "; without names, write $arg1 to $arg6, and +OFFSET($arg1)"

/* Find the prototype of a place of a target. Returns as names_translate() does. */
int prototype_find(struct names *n, const char *place, struct prototype *p, struct buf *why);

/* The number of arguments that are in a register each, from the first one on. */
unsigned int prototype_words(const struct prototype *p);

/*
 * What "next->pid", of @len characters, is. Returns 0; or -EINVAL, and @why has the reason. Free
 * @v->fetch in any case.
 */
int prototype_value(const struct prototype *p, const char *text, size_t len,
		    enum value_form form, struct value *v, struct buf *why);

/* The type behind typedef, const and the like, with its id; NULL if there is none, or no end. */
const struct btf_type *prototype_plain(const struct btf *btf, __u32 *id);

/* The same behind const and the like alone: it may be a typedef, which has a name of its own. */
const struct btf_type *prototype_named(const struct btf *btf, __u32 *id);

/* The name at an offset of BTF, or "". */
const char *prototype_string(const struct btf *btf, __u32 offset);

#endif /* KPROF_PROTOTYPE_H */
