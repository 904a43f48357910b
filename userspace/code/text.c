// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - the text of an instruction, by capstone
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <string.h>

#include "code/function.h"
#include "lib/number.h"

static bool open_capstone(csh *capstone)
{
#ifdef __aarch64__
	return !cs_open(CS_ARCH_ARM64, CS_MODE_ARM, capstone);
#else
	return !cs_open(CS_ARCH_X86, CS_MODE_64, capstone);
#endif
}

/* The address that is all of an operand, as of a call: "0xffffffff81234567", on arm64 "#0x...". */
static bool take_address(const char *operand, uint64_t *addr)
{
	operand += *operand == '#';
	return !strncmp(operand, "0x", 2) && number_parse(operand + 2, NUMBER_HEX, addr);
}

static void print(const struct symtab *symbols, const cs_insn *insn, struct buf *out)
{
	const struct symbol *symbol = NULL;
	uint64_t addr;

	buf_printf(out, "%s", insn->mnemonic);
	if (*insn->op_str)
		buf_printf(out, " %s", insn->op_str);
	if (take_address(insn->op_str, &addr))
		symbol = symtab_find(symbols, addr);
	if (symbol && symbol->start == addr)
		buf_printf(out, " <%s>", symbol->name);
	else if (symbol)
		buf_printf(out, " <%s+0x%" PRIx64 ">", symbol->name, addr - symbol->start);
}

void code_function_print(const struct code_function *f, const struct symtab *symbols,
			 uint32_t insn, struct buf *out)
{
	const struct code_insn *i = &f->insn[insn];
	const uint8_t *bytes = (uint8_t *)f->bytes.data + f->byte[insn];
	cs_insn *text = NULL;
	size_t nr = 0;
	csh capstone;

	if (!open_capstone(&capstone))
		return;
	nr = cs_disasm(capstone, bytes, i->size, i->addr, 1, &text);
	if (nr)
		print(symbols, text, out);
	cs_free(text, nr);
	cs_close(&capstone);
}
