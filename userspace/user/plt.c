// SPDX-License-Identifier: GPL-2.0-only
/*
 * plt.c - the entries of procedure linkage tables, by which programs call their libraries
 *
 * No symbol has them, yet programs that call much spend per cents of their time there. An entry
 * jumps to the address in a slot, and a relocation says which function's address the slot gets.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "user/plt.h"
#include "user/segments.h"

/* A crafted file may name anything, as often as it likes. */
#define SLOTS_MAX	(1u << 20)

struct slot {
	uint64_t addr;
	const char *name;
};

struct slots {
	struct slot *slot;
	size_t nr, room;
};

static uint32_t word_at(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

/* "jmp *slot(%rip)", after endbr64 and with the prefix bnd in files that are built so */
static uint64_t decode_x86(const uint8_t *code, uint64_t left, uint64_t addr, uint64_t *slot)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint64_t at = 0;

	if (left >= sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr)))
		at = sizeof(endbr);
	if (left > at && code[at] == 0xf2)
		at++;
	if (left < at + 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return 0;
	at += 6;
	*slot = addr + at + (uint64_t)(int64_t)(int32_t)word_at(code + at - 4);
	return at;
}

/* "adrp x16, slot; ldr x17, [x16, slot]; add x16, x16, slot; br x17", perhaps after "bti c" */
static uint64_t decode_arm64(const uint8_t *code, uint64_t left, uint64_t addr, uint64_t *slot)
{
	uint64_t at = left >= 4 && word_at(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	uint64_t pages;

	if (left < at + 16)
		return 0;
	adrp = word_at(code + at);
	ldr = word_at(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return 0;
	/* A signed number of 21 bits: those at bit 5, and below them the two at bit 29. */
	pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 45 | (uint64_t)(adrp >> 29 & 3) << 43;
	pages = (uint64_t)((int64_t)pages >> 43);
	*slot = ((addr + at) & ~0xfffull) + (pages << 12) + (ldr >> 10 & 0xfff) * 8;
	return at + 16;
}

uint64_t plt_decode(int machine, const uint8_t *code, uint64_t left, uint64_t addr,
		    uint64_t *slot)
{
	switch (machine) {
	case EM_X86_64:
		return decode_x86(code, left, addr, slot);
	case EM_AARCH64:
		return decode_arm64(code, left, addr, slot);
	default:
		return 0;
	}
}

/* --- slots --- */

static const char *symbol_name(Elf *elf, const GElf_Shdr *relocations, uint64_t symbol)
{
	Elf_Scn *section = elf_getscn(elf, relocations->sh_link);
	GElf_Shdr header;
	const char *name;
	GElf_Sym sym;

	if (!section || !gelf_getshdr(section, &header) ||
	    symbol > SLOTS_MAX || !gelf_getsym(elf_getdata(section, NULL), symbol, &sym))
		return NULL;
	name = segments_text(elf, header.sh_link, sym.st_name, PLT_NAME_LENGTH);
	return name && *name ? name : NULL;
}

static void add_slots(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, struct slots *slots)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const char *name;
	GElf_Rela rela;
	int i;

	for (i = 0; slots->nr < SLOTS_MAX && gelf_getrela(data, i, &rela); i++) {
		/* Without a symbol it is a number that is known when the file is linked. */
		if (!GELF_R_SYM(rela.r_info) || rela.r_addend)
			continue;
		name = symbol_name(elf, header, GELF_R_SYM(rela.r_info));
		if (!name)
			continue;
		slots->slot = mem_grow(slots->slot, &slots->room, slots->nr + 1,
				       sizeof(*slots->slot));
		slots->slot[slots->nr++] = (struct slot){ rela.r_offset, name };
	}
}

static int by_address(const void *va, const void *vb)
{
	const struct slot *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static const char *find_slot(const struct slots *slots, uint64_t addr)
{
	const struct slot key = { .addr = addr }, *found = NULL;

	if (slots->nr)
		found = bsearch(&key, slots->slot, slots->nr, sizeof(key), by_address);
	return found ? found->name : NULL;
}

/* --- tables --- */

static bool is_table(Elf *elf, const GElf_Shdr *header)
{
	static const char *const tables[] = { ".plt", ".plt.got", ".plt.sec" };
	const char *name;
	size_t names, i;

	if (header->sh_type != SHT_PROGBITS || !(header->sh_flags & SHF_EXECINSTR) ||
	    elf_getshdrstrndx(elf, &names))
		return false;
	name = segments_text(elf, names, header->sh_name, PLT_NAME_LENGTH);
	for (i = 0; name && i < sizeof(tables) / sizeof(*tables); i++)
		if (!strcmp(name, tables[i]))
			return true;
	return false;
}

/* Entries begin at multiples of 8 on x86-64, and anywhere on arm64. */
static void read_table(int machine, Elf_Scn *section, const GElf_Shdr *header,
		       const struct slots *slots, plt_entry_fn *entry, void *arg)
{
	const uint64_t step = machine == EM_X86_64 ? 8 : 4;
	Elf_Data *data = elf_getdata(section, NULL);
	const uint8_t *code = data ? data->d_buf : NULL;
	uint64_t at = 0, size, slot;
	const char *name;

	while (code && at < data->d_size) {
		size = plt_decode(machine, code + at, data->d_size - at, header->sh_addr + at,
				  &slot);
		name = size ? find_slot(slots, slot) : NULL;
		size = (size + step - 1) / step * step;
		if (name)
			entry(header->sh_addr + at, size, name, arg);
		at += size ? size : step;
	}
}

void plt_each(Elf *elf, plt_entry_fn *entry, void *arg)
{
	struct slots slots = { 0 };
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Ehdr file;

	if (!gelf_getehdr(elf, &file) || gelf_getclass(elf) != ELFCLASS64)
		return;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    (header.sh_flags & SHF_ALLOC))
			add_slots(elf, section, &header, &slots);
	if (slots.nr)
		qsort(slots.slot, slots.nr, sizeof(*slots.slot), by_address);
	while (slots.nr && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && is_table(elf, &header))
			read_table(file.e_machine, section, &header, &slots, entry, arg);
	free(slots.slot);
}
