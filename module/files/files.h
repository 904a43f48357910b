/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.h - the files of /sys/kernel/debug/kprof, and who implements them
 *
 * This directory has everything that can be read. It knows the profile and targets, and changes
 * neither.
 *
 * A new file needs a line in list.h, and its file_operations in a .c in this directory.
 */
#ifndef KPROF_FILES_H
#define KPROF_FILES_H

#include <linux/fs.h>

#define KPROF_FILE(name)	extern const struct file_operations kprof_##name##_fops;
#include "files/list.h"
#undef KPROF_FILE

extern const struct file_operations kprof_ring_fops;	/* ring_file.c */

struct dentry *kprof_files_create(void);
void kprof_files_remove(void);

#endif /* KPROF_FILES_H */
