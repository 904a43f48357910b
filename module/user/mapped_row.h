/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mapped_row.h - a file that is mapped, or has a number
 */
#ifndef KPROF_MAPPED_ROW_H
#define KPROF_MAPPED_ROW_H

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "user/mapped.h"

struct inode;

/**
 * struct kprof_mapped_row - a file that is mapped, or has a number
 * @mapped:	the file
 * @node:	in its hash bucket
 * @refs:	mappings, in all processes; from 0, they rise only under the lock of mapped_row.c
 * @id:		its number; 0: it has none yet
 * @inode:	only to be compared, as it may be gone; NULL if there is no file
 * @ino:	what the inode has, which may differ from what stat() returns, as the following
 * @size:	bytes
 * @mtime:	in nanoseconds
 */
struct kprof_mapped_row {
	struct kprof_mapped mapped;
	struct hlist_node node;
	atomic_t refs;
	u32 id;
	const struct inode *inode;
	u64 ino;
	u64 size;
	s64 mtime;
};

static inline struct kprof_mapped_row *kprof_mapped_row_of(const struct kprof_mapped *mapped)
{
	return container_of(mapped, struct kprof_mapped_row, mapped);
}

void kprof_mapped_forget_numbers(void);
u32 kprof_mapped_known(void);
u64 kprof_mapped_failed(void);

#endif /* KPROF_MAPPED_ROW_H */
