/* SPDX-License-Identifier: GPL-2.0-only */
/* ptrace.h - registers, for the host: a test has those that it needs */
#ifndef KPROF_SHIM_PTRACE_H
#define KPROF_SHIM_PTRACE_H

struct pt_regs;

#endif /* KPROF_SHIM_PTRACE_H */
