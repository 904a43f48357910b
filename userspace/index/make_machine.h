/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_machine.h - the machine-dependent part of decoding instructions
 */
#ifndef KPROF_INDEX_MAKE_MACHINE_H
#define KPROF_INDEX_MAKE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum make_flow {
	FLOW_ON,	/* continues with the next instruction */
	FLOW_BRANCH,	/* jumps to the target, or continues */
	FLOW_JUMP,	/* jumps to the target */
	FLOW_RETURN,
	FLOW_TAIL,	/* jumps to another function or to an unknown address */
	FLOW_TABLE,	/* jumps to one of several places in the function; not known which */
	FLOW_STOP,	/* does not continue */
};

struct make_insn {
	uint64_t addr, target;
	uint32_t size;
	enum make_flow flow;
	uint32_t to[3], nr_to;	/* successors, including those from the kernel's tables */
};

struct make_machine {
	/* Returns the state for @decode, or NULL on failure. */
	void *(*open)(void);
	void (*close)(void *state);
	/*
	 * Decode an instruction from its bytes alone: address, size, flow, and the target if the
	 * instruction has one; if a jump has none, FLOW_TAIL. Returns false if the bytes are not
	 * an instruction.
	 */
	bool (*decode)(void *state, const uint8_t *bytes, size_t left, uint64_t addr,
		       struct make_insn *insn);
	/* Is this a PC-relative relocation? */
	bool (*is_distance)(uint32_t relocation);
	/* For jumps: target of the jump - (symbol + addend) of such a relocation. */
	int past;
};

extern const struct make_machine make_x86, make_arm64;

#endif /* KPROF_INDEX_MAKE_MACHINE_H */
