/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - the sources there are: of KPROF_SOURCE(name), kprof_NAME_ops is in NAME.c
 *
 * Included once for each use of the list. Errors and tables have them in this order.
 */
KPROF_SOURCE(timer)
KPROF_SOURCE(perf)
