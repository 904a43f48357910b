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

/* The functions of capstone.h that kprof calls, under their names. */
#define CAPSTONE_FUNCTIONS(X) X(cs_open) X(cs_option) X(cs_malloc) X(cs_disasm_iter) X(cs_free) \
	X(cs_close)

struct capstone {
#define CAPSTONE_MEMBER(name) __typeof__(name) *name;
	CAPSTONE_FUNCTIONS(CAPSTONE_MEMBER)
#undef CAPSTONE_MEMBER
};

/* NULL if the library is not there. It is loaded once, and stays. */
const struct capstone *capstone_load(void);

/* What to say then. */
const char *capstone_missing(void);

#endif /* KPROF_CODE_CAPSTONE_H */
