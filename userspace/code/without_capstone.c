// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_capstone.c - what is left of code/ in a reader that was built without capstone
 *
 * Instructions of arm64 are decoded from their bits, so only their text is missing.
 */
#include <inttypes.h>
#include <string.h>

#include "code/function.h"

static void *open_x86(void) { return NULL; }

const struct code_machine code_x86 = { .open = open_x86 };

void code_function_print(const struct code_function *f, const struct symtab *symbols,
			 uint32_t insn, struct buf *out)
{
	uint32_t word;

	(void)symbols;
	memcpy(&word, f->bytes.data + f->byte[insn], sizeof(word));
	buf_printf(out, ".inst 0x%08" PRIx32, word);
}
