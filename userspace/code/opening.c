// SPDX-License-Identifier: GPL-2.0-only
/*
 * opening.c - where in a function interrupts are taken that were held back until then
 */
#include "code/decode.h"

static bool goes_on(const struct code_insn *insn)
{
	return insn->flow == FLOW_ON || insn->flow == FLOW_BRANCH;
}

/*
 * On x86-64, the instruction after sti is executed first: so it is behind that one, which may be a
 * jump.
 */
void code_each_opening(const struct code_machine *machine, void *state, const uint8_t *bytes,
		       size_t size, uint64_t start, code_opening_fn found, void *arg)
{
	struct code_insn last = { 0 }, insn;
	bool was_opened = false;	/* by the one before the last */
	size_t at;

	for (at = 0; at < size; at += insn.size) {
		if (!machine->decode(state, bytes + at, size - at, start + at, &insn))
			return;
		if (last.opens || (was_opened && goes_on(&last)))
			found(insn.addr, arg);
		if (last.opens && (insn.flow == FLOW_JUMP || insn.flow == FLOW_BRANCH))
			found(insn.target, arg);
		was_opened = last.opens;
		last = insn;
	}
}
