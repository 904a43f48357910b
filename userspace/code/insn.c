// SPDX-License-Identifier: GPL-2.0-only
/*
 * insn.c - what decoded instructions have in common on all machines
 */
#include <string.h>

#include "code/decode.h"

uint32_t code_insn_find(const struct code_insn *insn, uint32_t nr, uint64_t addr)
{
	uint32_t low = 0, high = nr;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (insn[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < nr && insn[low].addr == addr ? low : CODE_NOWHERE;
}

/*
 * Where the kernel's mitigations replace return instructions by jumps, they go to a thunk of one
 * of several names: __x86_return_thunk, srso_alias_return_thunk, and of old zen_untrain_ret.
 */
bool code_is_return_thunk(const char *name)
{
	return name && (strstr(name, "_return_thunk") || !strcmp(name, "zen_untrain_ret"));
}

size_t code_size(const struct code_machine *machine, const uint8_t *bytes, size_t size,
		 uint64_t start)
{
	return machine->code_size ? machine->code_size(bytes, size, start) : size;
}

const struct code_machine *code_machine_of(const char *machine)
{
	return !strcmp(machine, "x86_64") ? &code_x86 : !strcmp(machine, "aarch64") ? &code_arm64 :
	       NULL;
}
