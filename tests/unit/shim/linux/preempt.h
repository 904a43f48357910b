/* SPDX-License-Identifier: GPL-2.0-only */
/* preempt.h - what the CPU is doing, for the host: a test says so where it matters */
#ifndef KPROF_SHIM_PREEMPT_H
#define KPROF_SHIM_PREEMPT_H
#endif /* KPROF_SHIM_PREEMPT_H */
