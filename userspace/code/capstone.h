/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capstone.h - capstone, which decodes instructions, loaded when the first one is to be decoded
 *
 * Its tables have 77,000 addresses that the dynamic linker has to relocate. That took most of the
 * start of each command, and only few commands decode anything.
 */
#ifndef KPROF_CODE_CAPSTONE_H
#define KPROF_CODE_CAPSTONE_H

#include <capstone/capstone.h>

/* The functions of capstone.h that kprof calls. */
struct capstone {
	__typeof__(cs_open) *cs_open;
	__typeof__(cs_option) *cs_option;
	__typeof__(cs_malloc) *cs_malloc;
	__typeof__(cs_disasm_iter) *cs_disasm_iter;
	__typeof__(cs_free) *cs_free;
	__typeof__(cs_close) *cs_close;
};

/* NULL if the library is not there. It is loaded once, and stays. */
const struct capstone *capstone_load(void);

/* What to say then. */
const char *capstone_missing(void);

#endif /* KPROF_CODE_CAPSTONE_H */
