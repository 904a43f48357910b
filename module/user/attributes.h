/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attributes.h - what is known of a file without waiting for anybody
 */
#ifndef KPROF_ATTRIBUTES_H
#define KPROF_ATTRIBUTES_H

#include <linux/types.h>

struct file;

/**
 * struct kprof_attributes - what identifies a file
 * @dev:	as returned by stat(), like the following
 * @ino:	as returned by stat()
 * @size:	as returned by stat()
 * @mtime:	as returned by stat(), in nanoseconds
 * @is_far:	others may decide how long an operation on it takes
 */
struct kprof_attributes {
	dev_t dev;
	u64 ino;
	u64 size;
	s64 mtime;
	bool is_far;
};

bool kprof_file_is_far(const struct file *file);
bool kprof_file_attributes(const struct file *file, struct kprof_attributes *of);

#endif /* KPROF_ATTRIBUTES_H */
