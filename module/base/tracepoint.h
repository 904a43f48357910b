/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.h - finds the kernel's own tracepoints by name
 */
#ifndef KPROF_TRACEPOINT_H
#define KPROF_TRACEPOINT_H

struct tracepoint;

struct tracepoint *kprof_kernel_tracepoint(const char *name);

#endif /* KPROF_TRACEPOINT_H */
