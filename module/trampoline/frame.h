/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - the trampoline's stack frame, which each architecture defines
 */
#ifndef KPROF_FRAME_H
#define KPROF_FRAME_H

#include "stacks/stacks.h"

#if KPROF_HAS_DIRECT
#ifdef CONFIG_X86_64
#include "trampoline/frame_x86.h"
#else
#include "trampoline/frame_arm64.h"
#endif
#endif

#endif /* KPROF_FRAME_H */
