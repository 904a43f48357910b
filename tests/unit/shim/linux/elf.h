/* SPDX-License-Identifier: GPL-2.0-only */
/* elf.h - ELF's notes, for the host */
#ifndef KPROF_SHIM_ELF_H
#define KPROF_SHIM_ELF_H

#include_next <linux/elf.h>

#endif /* KPROF_SHIM_ELF_H */
