/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_machine.h - what of instructions differs between machines
 */
#ifndef KPROF_INDEX_MAKE_MACHINE_H
#define KPROF_INDEX_MAKE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "index/make_code.h"

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
