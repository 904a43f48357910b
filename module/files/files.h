/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.h - the files of /sys/kernel/debug/kprof, and who implements them
 *
 * A new file is its file_operations, declared here, and a line in files.c.
 */
#ifndef KPROF_FILES_H
#define KPROF_FILES_H

#include <linux/fs.h>

extern const struct file_operations kprof_folded_fops;		/* folded.c */
extern const struct file_operations kprof_folded_ns_fops;	/* folded.c */
extern const struct file_operations kprof_latency_fops;		/* latency_file.c */
extern const struct file_operations kprof_histogram_fops;	/* latency_file.c */
extern const struct file_operations kprof_buckets_fops;		/* latency_file.c */
extern const struct file_operations kprof_stats_fops;		/* stats.c */
extern const struct file_operations kprof_sources_fops;		/* tables.c */
extern const struct file_operations kprof_stack_table_fops;	/* tables.c */
extern const struct file_operations kprof_task_table_fops;	/* tables.c */
extern const struct file_operations kprof_ring_fops;		/* ring_file.c */

struct dentry *kprof_files_create(void);
void kprof_files_remove(void);

#endif /* KPROF_FILES_H */
