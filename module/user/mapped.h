/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mapped.h - the files that processes have mapped, and the numbers of those that samples have met
 */
#ifndef KPROF_MAPPED_H
#define KPROF_MAPPED_H

#include <linux/gfp.h>
#include <linux/types.h>

#include "uapi/kprof_rules.h"

/*
 * For what a process has us keep by what it maps: its cgroup pays for that. If that has no room, it
 * fails, and nobody is killed.
 */
#define KPROF_GFP_PROCESS	(GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

/* Must be less than 0xffff, which would look like a kernel address. */
#define KPROF_MAX_MAPPED	16384
#define KPROF_BUILD_ID_MAX	20

enum kprof_mapped_kind {
	KPROF_MAPPED_FILE,
	KPROF_MAPPED_VDSO,
	KPROF_MAPPED_VDSO32,
	KPROF_MAPPED_ANON,	/* code that a process has generated */
	KPROF_MAPPED_DATA,	/* the same, in a file that is no program: a memfd, for example */
	KPROF_MAPPED_FULL,	/* stands for all that found the table full */
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

/* Code that a process has generated: only that process can tell what it is. */
static inline bool kprof_mapped_is_generated(const struct kprof_mapped *mapped)
{
	return mapped->kind == KPROF_MAPPED_ANON || mapped->kind == KPROF_MAPPED_DATA;
}

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

struct kprof_share;

/* The number of the row that stands for all files that got none; 0: there is no such row. */
extern u32 kprof_mapped_full;

struct kprof_mapped *kprof_mapped_file(struct file *file, enum kprof_mapped_kind kind, u32 tgid);
struct kprof_mapped *kprof_mapped_other(enum kprof_mapped_kind kind, u32 tgid);
bool kprof_mapped_is(const struct kprof_mapped *mapped, enum kprof_mapped_kind kind, u32 tgid,
		     const struct file *file);
void kprof_mapped_hold(struct kprof_mapped *mapped);
void kprof_mapped_put(struct kprof_mapped *mapped);

u32 kprof_mapped_id(const struct kprof_mapped *mapped);
u32 kprof_mapped_number(struct kprof_mapped *mapped, struct kprof_share *share);
const struct kprof_mapped *kprof_mapped_get(u32 id);
const struct kprof_mapped *kprof_mapped_row(u32 id);
void kprof_mapped_clear(void);

/**
 * struct kprof_mapped_totals - what there is of files
 * @rows:	rows of the table: files that have a number
 * @known:	files that are mapped as code, with or without a number, or have one
 * @failed:	since load, how often a file could not be looked at, as there was no memory or its
 *		file system failed
 * @full:	since load, how often a sample's file got no number, as the user's share was used up
 */
struct kprof_mapped_totals {
	u32 rows;
	u32 known;
	u64 failed;
	u64 full;
};

void kprof_mapped_totals(struct kprof_mapped_totals *sum);

void kprof_mapped_want(u32 id);
u32 kprof_mapped_nr_rules(void);
void kprof_mapped_refuse_rules(void);
int kprof_mapped_take_rules(const struct kprof_rules_header *rules, size_t size, size_t limit);
void kprof_mapped_rules_totals(struct kprof_rules_totals *sum);

u32 kprof_mapped_build_id(struct file *file, u8 *id);
bool kprof_mapped_is_program(struct file *file);

#endif /* KPROF_MAPPED_H */
