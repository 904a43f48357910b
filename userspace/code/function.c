// SPDX-License-Identifier: GPL-2.0-only
/*
 * function.c - the instructions of a function of the running kernel
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/function.h"
#include "lib/mem.h"

#define BYTES_MAX	(1u << 20)	/* of a part; no function of the kernel comes near it */

/* The machine that this program runs on is the kernel's. */
#ifdef __x86_64__
#define MACHINE		"x86_64"
static const struct code_machine *const this_machine = &code_x86;
#elif defined(__aarch64__)
#define MACHINE		"aarch64"
static const struct code_machine *const this_machine = &code_arm64;
#else
#define MACHINE		""
static const struct code_machine *const this_machine;
#endif

static void settle(struct code_insn *insn, const struct symtab *symbols)
{
	const struct symbol *to = insn->flow == FLOW_JUMP ?
		symtab_find(symbols, insn->target) : NULL;

	if (to && to->start == insn->target && code_is_return_thunk(to->name))
		insn->flow = FLOW_RETURN;
}

static void add_insn(struct code_function *f, const struct code_insn *insn, size_t byte)
{
	f->insn = mem_grow(f->insn, &f->room, f->nr + 1, sizeof(*f->insn));
	f->byte = mem_grow(f->byte, &f->byte_room, f->nr + 1, sizeof(*f->byte));
	f->byte[f->nr] = byte;
	f->insn[f->nr++] = *insn;
}

static int decode(struct code_function *f, const struct symtab *symbols,
		  struct code_part *part, size_t byte, char error[256])
{
	const uint8_t *bytes = (uint8_t *)f->bytes.data + byte;
	const struct symbol *symbol = part->symbol;
	const size_t size = code_size(f->machine, bytes, symbol->size, symbol->start);
	struct code_insn insn;
	size_t at;

	for (at = 0; at < size; at += insn.size) {
		if (!f->machine->decode(f->state, bytes + at, size - at, symbol->start + at,
					&insn)) {
			snprintf(error, 256, "%s+0x%zx: this is no instruction", symbol->name, at);
			return -1;
		}
		settle(&insn, symbols);
		add_insn(f, &insn, byte + at);
	}
	part->nr = f->nr - part->first;
	return 0;
}

static int read_part(struct code_function *f, struct code_running *kernel,
		     const struct symtab *symbols, const struct symbol *symbol,
		     char error[256])
{
	struct code_part *part = &f->part[f->nr_parts++];
	size_t byte = f->bytes.len;

	*part = (struct code_part){ .symbol = symbol, .first = f->nr };
	if (!symbol->size || symbol->size > BYTES_MAX) {
		snprintf(error, 256, "%s has %" PRIu64 " bytes, not 1 to %u", symbol->name,
			 symbol->size, BYTES_MAX);
		return -1;
	}
	buf_reserve(&f->bytes, symbol->size);
	if (code_running_read(kernel, symbol->start, f->bytes.data + byte, symbol->size, error))
		return -1;
	f->bytes.len += symbol->size;
	return decode(f, symbols, part, byte, error);
}

/* Is it what the compiler has moved out of the function, such as NAME.cold? */
static bool is_of(const struct symbol *symbol, const struct symbol *function)
{
	size_t len = strlen(function->name);

	return !strncmp(symbol->name, function->name, len) &&
	       !strncmp(symbol->name + len, ".cold", 5) &&
	       !symbol->module == !function->module &&
	       (!symbol->module || !strcmp(symbol->module, function->module));
}

static bool has_part(const struct code_function *f, const struct symbol *symbol)
{
	uint32_t i;

	for (i = 0; i < f->nr_parts; i++)
		if (f->part[i].symbol->start == symbol->start)
			return true;
	return false;
}

/* Only what the function jumps to is its own: other functions may have parts of that name. */
static int read_cold(struct code_function *f, struct code_running *kernel,
		     const struct symtab *symbols, char error[256])
{
	uint32_t i;

	for (i = 0; i < f->nr; i++) {
		const struct code_insn *insn = &f->insn[i];
		const struct symbol *to;

		if ((insn->flow != FLOW_JUMP && insn->flow != FLOW_BRANCH) ||
		    f->nr_parts == CODE_PARTS)
			continue;
		to = symtab_find(symbols, insn->target);
		if (to && is_of(to, f->part[0].symbol) && !has_part(f, to) &&
		    read_part(f, kernel, symbols, to, error))
			return -1;
	}
	return 0;
}

int code_function_read(struct code_function *f, struct code_running *kernel,
		       const struct symtab *symbols, const struct symbol *symbol,
		       char error[256])
{
	f->machine = this_machine;
	f->state = f->machine ? f->machine->open() : NULL;
	if (!f->state) {
		snprintf(error, 256, "its instructions cannot be decoded: %s", f->machine ?
			 code_text_missing() :
			 "they are of another machine than x86-64 and arm64");
		return -1;
	}
	f->text = code_text_open(MACHINE);
	if (read_part(f, kernel, symbols, symbol, error))
		return -1;
	return read_cold(f, kernel, symbols, error);
}

void code_function_free(struct code_function *f)
{
	if (f->state)
		f->machine->close(f->state);
	code_text_close(f->text);
	free(f->insn);
	free(f->byte);
	buf_free(&f->bytes);
	*f = (struct code_function){ 0 };
}

const struct code_part *code_function_part(const struct code_function *f, uint32_t insn)
{
	uint32_t i;

	for (i = 0; i + 1 < f->nr_parts; i++)
		if (insn - f->part[i].first < f->part[i].nr)
			break;
	return &f->part[i];
}

/* In a part, addresses ascend. */
static uint32_t find_in(const struct code_function *f, const struct code_part *part, uint64_t addr)
{
	uint32_t at = code_insn_find(f->insn + part->first, part->nr, addr);

	return at == CODE_NOWHERE ? CODE_NOWHERE : part->first + at;
}

uint32_t code_function_find(const struct code_function *f, uint64_t addr)
{
	uint32_t i;

	for (i = 0; i < f->nr_parts; i++)
		if (addr - f->part[i].symbol->start < f->part[i].symbol->size)
			return find_in(f, &f->part[i], addr);
	return CODE_NOWHERE;
}

void code_function_print(const struct code_function *f, const struct symtab *symbols,
			 uint32_t insn, struct buf *out)
{
	const uint8_t *bytes = (uint8_t *)f->bytes.data + f->byte[insn];

	if (f->text)
		code_text_add(f->text, bytes, f->insn[insn].size, f->insn[insn].addr, symbols, out);
}
