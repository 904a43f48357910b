// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - the text of instructions, by capstone
 */
#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/text.h"
#include "lib/mem.h"
#include "lib/number.h"

struct code_text {
	csh capstone;
	cs_insn *insn;
	uint64_t base;
};

static bool open_capstone(const char *machine, csh *capstone)
{
	if (!strcmp(machine, "aarch64"))
		return !cs_open(CS_ARCH_ARM64, CS_MODE_ARM, capstone);
	return !strcmp(machine, "x86_64") && !cs_open(CS_ARCH_X86, CS_MODE_64, capstone) &&
	       !cs_option(*capstone, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
}

struct code_text *code_text_open(const char *machine)
{
	struct code_text *t = mem_zalloc(1, sizeof(*t));

	if (!open_capstone(machine, &t->capstone)) {
		free(t);
		return NULL;
	}
	t->insn = cs_malloc(t->capstone);
	return t;
}

void code_text_close(struct code_text *t)
{
	if (!t)
		return;
	cs_free(t->insn, 1);
	cs_close(&t->capstone);
	free(t);
}

/*
 * The address that is all of an operand, or its last one: "0xffffffff81234567", "x0, #0x...".
 * Offsets in a file are small numbers, so those of arm64 must be in a branch.
 */
static bool take_address(const struct code_text *t, uint64_t *addr)
{
	const char *last = strrchr(t->insn->op_str, ' '), *mnemonic = t->insn->mnemonic;

	last = last ? last + 1 : t->insn->op_str;
	if (*last == '#' && t->base && *mnemonic != 'b' && strncmp(mnemonic, "cb", 2) &&
	    strncmp(mnemonic, "tb", 2))
		return false;
	last += *last == '#';
	return !strncmp(last, "0x", 2) && number_parse(last + 2, NUMBER_HEX, addr);
}

void code_text_base(struct code_text *t, uint64_t base)
{
	t->base = base;
}

static void print(const struct code_text *t, const struct symtab *symbols, struct buf *out)
{
	const struct symbol *symbol = NULL;
	const cs_insn *insn = t->insn;
	uint64_t addr;

	buf_printf(out, "%s", insn->mnemonic);
	if (*insn->op_str)
		buf_printf(out, " %s", insn->op_str);
	if (take_address(t, &addr)) {
		addr += t->base;
		symbol = symtab_find(symbols, addr);
	}
	if (symbol && symbol->start == addr)
		buf_printf(out, " <%s>", symbol->name);
	else if (symbol)
		buf_printf(out, " <%s+0x%" PRIx64 ">", symbol->name, addr - symbol->start);
}

size_t code_text_add(struct code_text *t, const uint8_t *bytes, size_t left, uint64_t addr,
		     const struct symtab *symbols, struct buf *out)
{
	addr -= t->base;
	if (!cs_disasm_iter(t->capstone, &bytes, &left, &addr, t->insn))
		return 0;
	print(t, symbols, out);
	return t->insn->size;
}
