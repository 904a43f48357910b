/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - the files of /sys/kernel/debug/kprof; each has a kprof_NAME_fops in this directory
 *
 * Included once for each use of the list.
 */
KPROF_FILE(folded)
KPROF_FILE(folded_ns)
KPROF_FILE(latency)
KPROF_FILE(histogram)
KPROF_FILE(buckets)
KPROF_FILE(open)
KPROF_FILE(stats)
KPROF_FILE(sources)
KPROF_FILE(stack_table)
KPROF_FILE(task_table)
KPROF_FILE(task_cgroups)
KPROF_FILE(file_table)
