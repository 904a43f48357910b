// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_code.c - what two kernels have in common that have the same code at other addresses
 */
#include <ctype.h>
#include <string.h>

#include "blocks/blocks.h"

#define DIGITS	4	/* a hexadecimal number with more is an address, or a distance */

/* FNV-1a */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3u;
	return hash;
}

/* The text of an instruction without addresses, and without offsets of names: "ja <vfs_read>". */
static uint64_t add_text(uint64_t hash, const char *text)
{
	size_t len;

	while (*text) {
		bool is_offset = !strncmp(text, "+0x", 3);

		if (!is_offset && strncmp(text, "0x", 2)) {
			hash = add_bytes(hash, text++, 1);
			continue;
		}
		text += 2 + is_offset;
		for (len = 0; isxdigit((unsigned char)text[len]); len++)
			;
		if (!is_offset && len <= DIGITS)
			hash = add_bytes(hash, text, len);
		text += len;
	}
	return hash;
}

/* Without text: the bytes of what does not jump. */
static uint64_t add_insn(uint64_t hash, const struct blocks *b, uint32_t i)
{
	const struct code_insn *insn = &b->function.insn[i];

	hash = add_bytes(hash, &insn->size, sizeof(insn->size));
	if (insn->target || insn->flow != FLOW_ON)
		return add_bytes(hash, &insn->flow, sizeof(insn->flow));
	return add_bytes(hash, b->function.bytes.data + b->function.byte[i], insn->size);
}

uint64_t blocks_code(const struct blocks *b, uint32_t block)
{
	const struct graph_block *at = &b->graph.block[block];
	uint64_t hash = 0xcbf29ce484222325u;
	struct buf text = { 0 };
	uint32_t i;

	for (i = at->first; i < at->first + at->nr; i++) {
		text.len = 0;
		code_function_print(&b->function, &b->names.symbols, i, &text);
		/* A nop is what the kernel may patch, and what the compiler aligns with. */
		if (!b->function.insn[i].is_idle)
			hash = text.len ? add_text(hash, text.data) : add_insn(hash, b, i);
	}
	buf_free(&text);
	return hash;
}
