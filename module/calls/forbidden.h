/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forbidden.h - the functions that kprobes would take, and that are no target
 */
#ifndef KPROF_FORBIDDEN_H
#define KPROF_FORBIDDEN_H

const char *kprof_forbidden(unsigned long addr);

#endif /* KPROF_FORBIDDEN_H */
