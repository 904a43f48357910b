/* SPDX-License-Identifier: GPL-2.0-only */
/* kallsyms.h - symbols, for the host: the test has them */
#ifndef KPROF_SHIM_KALLSYMS_H
#define KPROF_SHIM_KALLSYMS_H

#define KSYM_SYMBOL_LEN	512

int sprint_symbol_no_offset(char *text, unsigned long addr);

#endif /* KPROF_SHIM_KALLSYMS_H */
