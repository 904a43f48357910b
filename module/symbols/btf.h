/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf.h - reads the arguments of functions and tracepoints from BTF
 */
#ifndef KPROF_BTF_H
#define KPROF_BTF_H

#include <linux/types.h>

/* The kernel's BTF has about 5 MiB. */
#define KPROF_BTF_MAX	(64 << 20)

/**
 * struct kprof_btf - BTF that was checked and indexed
 * @base:	BTF with the types and strings that come before these; may be NULL
 * @type:	the types, one after the other
 * @string:	the strings; the last one ends with a NUL
 * @type_bytes:	size of @type
 * @string_bytes: size of @string
 * @first_id:	id of the first type
 * @first_string: offset that types use for the first string
 * @nr_types:	number of types
 * @offset:	offset of each type in @type
 */
struct kprof_btf {
	const struct kprof_btf *base;
	const u8 *type;
	const char *string;
	u32 type_bytes;
	u32 string_bytes;
	u32 first_id;
	u32 first_string;
	u32 nr_types;
	u32 *offset;
};

/**
 * struct kprof_btf_arg - an argument of a function or a tracepoint
 * @size:	number of its bytes that are significant: 1, 2, 4, 8
 * @is_signed:	it is a signed number
 * @is_pointer:	it is an address
 * @is_task:	it points to a task_struct
 */
struct kprof_btf_arg {
	u8 size;
	bool is_signed;
	bool is_pointer;
	bool is_task;
};

int kprof_btf_begin(struct kprof_btf *btf, const void *data, size_t size,
		    const struct kprof_btf *base);
void kprof_btf_end(struct kprof_btf *btf);
int kprof_btf_stack_words(const struct kprof_btf *btf, const char *name);
int kprof_btf_function(const struct kprof_btf *btf, const char *name, struct kprof_btf_arg *arg,
		       u32 max, bool *is_all);
int kprof_btf_tracepoint(const struct kprof_btf *btf, const char *name,
			 struct kprof_btf_arg *arg, u32 max);
int kprof_btf_offset(const struct kprof_btf *btf, const char *name, const char *member);

#endif /* KPROF_BTF_H */
