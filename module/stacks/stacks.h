/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.h - unwinds the kernel stack from a set of registers
 *
 * This directory has the unwinders, one for each architecture. They know the configuration. Of
 * the trampoline, whose frames they omit, they know only the address that calls return to. They
 * know nothing of samples: they fill an array with addresses, in any context.
 */
#ifndef KPROF_STACKS_H
#define KPROF_STACKS_H

#include "stacks/detour.h"
#include "stacks/room.h"
#include "stacks/start.h"
#include "stacks/unwind.h"

#endif /* KPROF_STACKS_H */
