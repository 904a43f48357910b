/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_code.h - the instructions of a function and their control flow
 */
#ifndef KPROF_INDEX_MAKE_CODE_H
#define KPROF_INDEX_MAKE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "index/make_elf.h"
#include "code/decode.h"

/* A function with all of its parts. */
struct make_code {
	struct code_insn *insn;		/* sorted by address */
	uint32_t nr, start;		/* start: the first instruction of the function */
	uint32_t *before, *first_before;	/* predecessors; index of each one's in @before */
};

/* Returns NULL if the instructions of this machine cannot be decoded. */
struct make_code *make_code_open(const struct make *m, struct elf_input *elf);
void make_code_close(struct make_code *code);

/* Read all parts of one function. Returns false if not all of it can be read. */
bool make_code_read(struct make_code *code, const struct make_host *host, size_t nr);

/* The instruction at an address, or CODE_NOWHERE. */
uint32_t make_code_find(const struct make_code *code, uint64_t addr);

#endif /* KPROF_INDEX_MAKE_CODE_H */
