/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * registers.h - the registers of user mode that can be keys, by number
 */
#ifndef KPROF_REGISTERS_H
#define KPROF_REGISTERS_H

#include <linux/types.h>

struct pt_regs;

int kprof_register_find(const char *name, size_t length);
u64 kprof_register_read(const struct pt_regs *regs, u32 number);

#endif /* KPROF_REGISTERS_H */
