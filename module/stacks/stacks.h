/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - the kernel stack under a set of registers
 *
 * The room of the unwinders, one for each architecture. It knows the configuration; of the
 * trampoline, whose frames it leaves out, it knows the address that calls return to. It knows of no
 * sample: it fills an array with addresses, in any context.
 */
#ifndef KPROF_STACKS_H
#define KPROF_STACKS_H

#include "stacks/detour.h"
#include "stacks/unwind.h"

#endif /* KPROF_STACKS_H */
