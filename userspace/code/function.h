/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.h - the instructions of a function of the running kernel
 */
#ifndef KPROF_CODE_FUNCTION_H
#define KPROF_CODE_FUNCTION_H

#include "code/decode.h"
#include "code/running.h"
#include "code/text.h"
#include "lib/buf.h"
#include "symbols/symtab.h"

#define CODE_PARTS	8

/* Consecutive instructions that a symbol names. */
struct code_part {
	const struct symbol *symbol;
	uint32_t first, nr;	/* in function->insn */
};

/*
 * A function with what the compiler has put elsewhere: NAME.cold. Zero-initialise. The parts, the
 * function itself being the first, have their instructions in order of addresses.
 */
struct code_function {
	const struct code_machine *machine;
	struct code_part part[CODE_PARTS];
	uint32_t nr_parts;
	struct code_insn *insn;
	uint32_t nr;
	struct buf bytes;	/* of all instructions, one after the other */
	uint32_t *byte;		/* where those of an instruction begin */
	/* Private from here on. */
	void *state;
	struct code_text *text;
	size_t room, byte_room;
};

/*
 * Read and decode a function. @symbols has its symbol. Returns 0, or -1 with @error set. Call
 * code_function_free() in any case.
 */
int code_function_read(struct code_function *f, struct code_running *kernel,
		       const struct symtab *symbols, const struct symbol *symbol,
		       char error[256]);
void code_function_free(struct code_function *f);

/* The instruction at an address, or CODE_NOWHERE. */
uint32_t code_function_find(const struct code_function *f, uint64_t addr);

/* The part that an instruction is in. */
const struct code_part *code_function_part(const struct code_function *f, uint32_t insn);

/* Append the instruction's text: "mov %rdi, %rax", with the name of what is called. */
void code_function_print(const struct code_function *f, const struct symtab *symbols,
			 uint32_t insn, struct buf *out);

#endif /* KPROF_CODE_FUNCTION_H */
