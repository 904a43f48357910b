/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prototype.h - may the trampoline hand on the arguments of a function
 */
#ifndef KPROF_PROTOTYPE_H
#define KPROF_PROTOTYPE_H

#include "stacks/detour.h"

#if KPROF_HAS_DIRECT
const char *kprof_prototype_refuse(unsigned long addr);
#else
static inline const char *kprof_prototype_refuse(unsigned long addr) { return NULL; }
#endif

#endif /* KPROF_PROTOTYPE_H */
