/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forbidden.h - functions that kprobes accept but that must not be targets
 */
#ifndef KPROF_FORBIDDEN_H
#define KPROF_FORBIDDEN_H

const char *kprof_forbidden(unsigned long addr);

#endif /* KPROF_FORBIDDEN_H */
