/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mapped.h - append-only table of the files that places in user stacks are in
 */
#ifndef KPROF_MAPPED_H
#define KPROF_MAPPED_H

#include <linux/types.h>

#include "uapi/kprof_rules.h"

/* Must be less than 0xffff, which would look like a kernel address. */
#define KPROF_MAX_MAPPED	8192
#define KPROF_BUILD_ID_MAX	20

enum kprof_mapped_kind {
	KPROF_MAPPED_FILE,
	KPROF_MAPPED_VDSO,
	KPROF_MAPPED_VDSO32,
	KPROF_MAPPED_ANON,	/* code that a process has generated */
	KPROF_MAPPED_DATA,	/* the same, in a file that is no program: a memfd, for example */
	KPROF_NR_MAPPED_KINDS
};

/**
 * struct kprof_mapped - a file
 * @kind:	enum kprof_mapped_kind
 * @tgid:	the process that was first seen to map it, or that has generated it; an id as
 *		samples have it: see base/ids.h
 * @dev:	as returned by stat(), like the following
 * @ino:	as returned by stat()
 * @size:	as returned by stat()
 * @mtime:	as returned by stat(), in nanoseconds
 * @build_id_len: bytes of @build_id; 0: it has none
 * @build_id:	the build id that the linker wrote into it
 * @path:	its path as seen by that process
 * @rules:	its rules; NULL: no reader has provided them
 * @is_wanted:	they would have been of use
 * @is_far:	others may decide how long an operation on it takes; see attributes.c
 */
struct kprof_mapped {
	enum kprof_mapped_kind kind;
	u32 tgid;
	dev_t dev;
	u64 ino;
	u64 size;
	s64 mtime;
	u32 build_id_len;
	u8 build_id[KPROF_BUILD_ID_MAX];
	const char *path;
	const struct kprof_rules_header *rules;
	bool is_wanted;
	bool is_far;
};

/* For generated code nobody has written rules, and none describe frames of 32 bits. */
static inline bool kprof_mapped_may_have_rules(const struct kprof_mapped *mapped)
{
	return mapped->kind == KPROF_MAPPED_FILE || mapped->kind == KPROF_MAPPED_VDSO;
}

struct file;

/**
 * struct kprof_rules_totals - what rules there are
 * @files:	number of files that have been given rules, maybe none at all
 * @bytes:	memory they take
 * @refused:	how often there was no room for rules, since load
 */
struct kprof_rules_totals {
	u32 files;
	size_t bytes;
	u64 refused;
};

u32 kprof_mapped_file(struct file *file, enum kprof_mapped_kind kind, u32 tgid);
u32 kprof_mapped_other(enum kprof_mapped_kind kind, u32 tgid);
const struct kprof_mapped *kprof_mapped_get(u32 id);
u32 kprof_mapped_used(void);
u64 kprof_mapped_failed(void);
void kprof_mapped_clear(void);

void kprof_mapped_want(u32 id);
u32 kprof_mapped_nr_rules(void);
void kprof_mapped_refuse_rules(void);
int kprof_mapped_take_rules(const struct kprof_rules_header *rules, size_t size, size_t limit);
void kprof_mapped_rules_totals(struct kprof_rules_totals *sum);

u32 kprof_mapped_build_id(struct file *file, u8 *id);
bool kprof_mapped_is_program(struct file *file);

#endif /* KPROF_MAPPED_H */
