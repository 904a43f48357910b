/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decode.h - the machine-dependent part of decoding instructions
 */
#ifndef KPROF_CODE_DECODE_H
#define KPROF_CODE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_flow {
	FLOW_ON,	/* continues with the next instruction */
	FLOW_BRANCH,	/* jumps to the target, or continues */
	FLOW_JUMP,	/* jumps to the target */
	FLOW_RETURN,
	FLOW_TAIL,	/* jumps to another function or to an unknown address */
	FLOW_TABLE,	/* jumps to one of several places in the function; not known which */
	FLOW_STOP,	/* does not continue */
};

struct code_insn {
	uint64_t addr, target;
	uint32_t size;
	enum code_flow flow;
	bool is_idle;	/* a nop */
	bool acts;	/* stores (not on the stack), calls, or controls the machine */
	bool opens;	/* turns interrupts on, or may */
	uint32_t to[3], nr_to;	/* successors, including those from the kernel's tables */
};

#define CODE_NOWHERE	UINT32_MAX

/* The instruction at an address, of @nr in order of addresses; or CODE_NOWHERE. */
uint32_t code_insn_find(const struct code_insn *insn, uint32_t nr, uint64_t addr);

/* Does a jump to this function, NULL if unknown, stand for a return? */
bool code_is_return_thunk(const char *name);

struct code_machine {
	/* Returns the state for @decode, or NULL on failure. */
	void *(*open)(void);
	void (*close)(void *state);
	/*
	 * Decode an instruction from its bytes alone: address, size, flow, what it does, and the
	 * target if the instruction has one; if a jump has none, FLOW_TAIL. Returns false if the
	 * bytes are not an instruction.
	 */
	bool (*decode)(void *state, const uint8_t *bytes, size_t left, uint64_t addr,
		       struct code_insn *insn);
	/* Is this a PC-relative relocation? */
	bool (*is_distance)(uint32_t relocation);
	/*
	 * How many of @size bytes, which begin at the address @start and end where the next symbol
	 * begins, can be code; the rest is the kernel's data about the next function. NULL: all.
	 */
	size_t (*code_size)(const uint8_t *bytes, size_t size, uint64_t start);
	/* For jumps: target of the jump - (symbol + addend) of such a relocation. */
	int past;
};

extern const struct code_machine code_x86, code_arm64;

/* What code_size() of the machine says. */
size_t code_size(const struct code_machine *machine, const uint8_t *bytes, size_t size,
		 uint64_t start);

/* That of a machine as uname(2) names it; NULL if there is none. */
const struct code_machine *code_machine_of(const char *machine);

typedef void (*code_opening_fn)(uint64_t addr, void *arg);

/*
 * Call @found for each address in the code at @start where interrupts are taken that were held
 * back, up to what cannot be decoded. @state: that of the machine.
 */
void code_each_opening(const struct code_machine *machine, void *state, const uint8_t *bytes,
		       size_t size, uint64_t start, code_opening_fn found, void *arg);

#endif /* KPROF_CODE_DECODE_H */
