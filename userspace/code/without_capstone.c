// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_capstone.c - what is left of code/ in a reader that was built without capstone
 *
 * Instructions of arm64 are decoded from their bits, so only their text is missing.
 */
#include <inttypes.h>
#include <string.h>

#include "code/decode.h"
#include "code/text.h"

struct code_text {
	uint32_t word;
};

static void *open_x86(void) { return NULL; }

const struct code_machine code_x86 = { .open = open_x86 };

struct code_text *code_text_open(const char *machine)
{
	static struct code_text text;

	return strcmp(machine, "aarch64") ? NULL : &text;
}

void code_text_close(struct code_text *t) { (void)t; }

const char *code_text_missing(void)
{
	return "this kprof was built without capstone, which decodes instructions";
}

void code_text_base(struct code_text *t, uint64_t base)
{
	(void)t;
	(void)base;
}

size_t code_text_add(struct code_text *t, const uint8_t *bytes, size_t left, uint64_t addr,
		     const struct symtab *symbols, struct buf *out)
{
	(void)addr;
	(void)symbols;
	if (left < sizeof(t->word))
		return 0;
	memcpy(&t->word, bytes, sizeof(t->word));
	buf_printf(out, ".inst 0x%08" PRIx32, t->word);
	return sizeof(t->word);
}
