// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - the text of instructions, by capstone
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code/capstone.h"
#include "code/text.h"
#include "lib/mem.h"
#include "lib/number.h"

struct code_text {
	const struct capstone *capstone;
	csh handle;
	cs_insn *insn;
	uint64_t base;
};

static bool open_handle(const struct capstone *c, const char *machine, csh *handle)
{
	if (!strcmp(machine, "aarch64"))
		return !c->cs_open(CS_ARCH_ARM64, CS_MODE_ARM, handle);
	return !strcmp(machine, "x86_64") && !c->cs_open(CS_ARCH_X86, CS_MODE_64, handle) &&
	       !c->cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
}

struct code_text *code_text_open(const char *machine)
{
	struct code_text *t = mem_zalloc(1, sizeof(*t));

	t->capstone = capstone_load();
	if (!t->capstone || !open_handle(t->capstone, machine, &t->handle)) {
		free(t);
		return NULL;
	}
	t->insn = t->capstone->cs_malloc(t->handle);
	if (!t->insn)
		mem_exhausted(1, sizeof(*t->insn));
	return t;
}

void code_text_close(struct code_text *t)
{
	if (!t)
		return;
	t->capstone->cs_free(t->insn, 1);
	t->capstone->cs_close(&t->handle);
	free(t);
}

const char *code_text_missing(void)
{
	return capstone_missing();
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
	if (!t->capstone->cs_disasm_iter(t->handle, &bytes, &left, &addr, t->insn))
		return 0;
	print(t, symbols, out);
	return t->insn->size;
}
