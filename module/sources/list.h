/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - the sources; KPROF_SOURCE(name) stands for kprof_NAME_ops in NAME.c
 *
 * Included once for each use of the list. Its order is that of errors and tables.
 */
KPROF_SOURCE(timer)
KPROF_SOURCE(perf)
