/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the program and its truth
 */
#ifndef BAD_ELF_PARAMS_H
#define BAD_ELF_PARAMS_H

#include "lib/derive.h"

enum bad_elf_defect {
	BAD_ELF_FILESZ,		/* a segment has more bytes in the file than in memory */
	BAD_ELF_ALIGN,		/* its address and its place in the file differ within the page */
	BAD_ELF_MEMSZ,		/* it is larger than any memory */
	BAD_ELF_VADDR,		/* it lies where the kernel is */
	BAD_ELF_OFFSET,		/* it begins at the very end of all that a file can have */
	BAD_ELF_NR
};

struct bad_elf_params {
	enum bad_elf_defect defect;
	u32 guilty;	/* 0: the first of the two files; the other one dies in user mode */
};

static inline void bad_elf_params(struct bad_elf_params *p, u64 token)
{
	/* One that no vm_mmap() fails for comes as often as two that it does. */
	static const enum bad_elf_defect defects[] = {
		BAD_ELF_FILESZ, BAD_ELF_ALIGN, BAD_ELF_MEMSZ, BAD_ELF_MEMSZ, BAD_ELF_VADDR,
		BAD_ELF_OFFSET
	};

	p->defect = defects[derive_pick(token, "damage", sizeof(defects) / sizeof(*defects))];
	p->guilty = derive_pick(token, "guilty", 2);
}

#endif /* BAD_ELF_PARAMS_H */
