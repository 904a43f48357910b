/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_machine.h - what of instructions differs between machines
 */
#ifndef KPROF_INDEX_MAKE_MACHINE_H
#define KPROF_INDEX_MAKE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum make_flow {
	FLOW_ON,	/* to the next one */
	FLOW_BRANCH,	/* there, or on */
	FLOW_JUMP,	/* there */
	FLOW_RETURN,
	FLOW_TAIL,	/* to another function, or nobody knows where */
	FLOW_TABLE,	/* to one of several places in the function, nobody knows which */
	FLOW_STOP,	/* nowhere */
};

struct make_insn {
	uint64_t addr, target;
	uint32_t size;
	enum make_flow flow;
	uint32_t to[3], nr_to;	/* what may follow, also by the kernel's tables */
};

struct make_machine {
	/* What @decode wants to be given, or NULL: it cannot be had. */
	void *(*open)(void);
	void (*close)(void *state);
	/*
	 * The next instruction from its bytes alone: address, size, how it goes on, and where to
	 * if it says so by itself; FLOW_TAIL if it does not. false: these bytes are none.
	 */
	bool (*decode)(void *state, const uint8_t *bytes, size_t left, uint64_t addr,
		       struct make_insn *insn);
	/* A relocation that leads from a field to a symbol. */
	bool (*is_distance)(uint32_t relocation);
	/* What such a one leads a jump to less than where the jump goes. */
	int past;
};

extern const struct make_machine make_x86, make_arm64;

#endif /* KPROF_INDEX_MAKE_MACHINE_H */
