// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame_table.c - the functions of a file whose frames .eh_frame describes
 *
 * They are found as the C library does when it throws an exception: by the sorted table in
 * .eh_frame_hdr. Static programs need none, and gcc gives them none; then .eh_frame is read.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "user/frame_table.h"
#include "user/segments.h"

/* --- the linker's table --- */

/* What all known linkers write: 32-bit offsets from the start of .eh_frame_hdr. */
#define HEADER_SIZE	12
#define HEADER_VERSION	1
#define HEADER_POINTER	(DW_EH_PE_pcrel | DW_EH_PE_sdata4)
#define HEADER_COUNT	DW_EH_PE_udata4
#define HEADER_TABLE	(DW_EH_PE_datarel | DW_EH_PE_sdata4)

static void take_header(struct frame_table *table, Elf *elf, const GElf_Phdr *segment)
{
	const unsigned char *byte;
	Elf_Data *data;
	uint32_t nr;

	if (segment->p_filesz > FRAME_TABLE_MAX) {
		table->is_cut = true;
		return;
	}
	data = elf_getdata_rawchunk(elf, segment->p_offset, segment->p_filesz, ELF_T_BYTE);
	byte = data ? data->d_buf : NULL;
	if (!byte || data->d_size < HEADER_SIZE || byte[0] != HEADER_VERSION ||
	    byte[1] != HEADER_POINTER || byte[2] != HEADER_COUNT || byte[3] != HEADER_TABLE)
		return;
	memcpy(&nr, byte + 8, sizeof(nr));
	if (nr > (data->d_size - HEADER_SIZE) / 8)
		return;
	table->header = byte;
	table->header_address = segment->p_vaddr;
	table->nr = nr;
}

static bool find_header(struct frame_table *table, Elf *elf)
{
	GElf_Phdr segment;
	size_t nr, i;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (i = 0; i < nr; i++) {
		if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_GNU_EH_FRAME)
			continue;
		take_header(table, elf, &segment);
		return table->nr || table->is_cut;
	}
	return false;
}

/* --- .eh_frame itself --- */

#define MAX_NAMES	(1u << 20)	/* bytes of the sections' names */
#define UNWIND		0x70000001	/* SHT_X86_64_UNWIND, which some linkers give it */

struct frames {
	const unsigned char *ident;
	Elf_Data *data;
	uint64_t address;		/* of the section */
	/* how the functions of the last CIE have their addresses; DW_EH_PE_omit: not known */
	uint64_t cie;
	unsigned char encoding;
};

static bool find_frames(struct frame_table *table, struct frames *frames, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(elf_getscn(elf, names), &header) ||
	    header.sh_size > MAX_NAMES)
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    (header.sh_type != SHT_PROGBITS && header.sh_type != UNWIND))
			continue;
		name = segments_text(elf, names, header.sh_name, sizeof(".eh_frame"));
		if (!name || strcmp(name, ".eh_frame"))
			continue;
		*frames = (struct frames) {
			.ident = (const void *)elf_getident(elf, NULL),
			.address = header.sh_addr, .cie = UINT64_MAX,
		};
		table->is_cut = header.sh_size > FRAME_TABLE_MAX;
		if (!table->is_cut)
			frames->data = elf_rawdata(section, NULL);
		return frames->data && frames->data->d_buf;
	}
	return false;
}

/* The size of an address; 0: not known, or not the same everywhere. */
static size_t size_of(unsigned char encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return encoding == DW_EH_PE_aligned ? 0 : 8;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		return 4;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		return 2;
	default:
		return 0;
	}
}

/* How the functions of a CIE have their addresses: the letter R of its augmentation. */
static unsigned char encoding_of(const Dwarf_CIE *cie)
{
	const char *letter = cie->augmentation;
	const unsigned char *at, *end;
	size_t size;

	if (!*letter)
		return DW_EH_PE_absptr;
	if (*letter != 'z')
		return DW_EH_PE_omit;
	at = cie->augmentation_data;
	end = at + cie->augmentation_data_size;
	while (*++letter) {
		/* A signal handler's; signed with the other key: these have no data. */
		if (*letter == 'S' || *letter == 'B')
			continue;
		if (at == end)
			return DW_EH_PE_omit;
		switch (*letter) {
		case 'R':
			return *at;
		case 'L':
			at++;
			break;
		case 'P':
			size = size_of(*at++);
			if (!size || (size_t)(end - at) < size)
				return DW_EH_PE_omit;
			at += size;
			break;
		default:
			return DW_EH_PE_omit;
		}
	}
	return DW_EH_PE_absptr;
}

static void learn_cie(struct frames *frames, uint64_t at)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (frames->cie == at)
		return;
	frames->cie = at;
	frames->encoding = DW_EH_PE_omit;
	if (!dwarf_next_cfi(frames->ident, frames->data, true, at, &next, &entry) &&
	    dwarf_cfi_cie_p(&entry))
		frames->encoding = encoding_of(&entry.cie);
}

/* Where the function of an FDE begins. Return: false if that cannot be told. */
static bool start_of(struct frames *frames, const Dwarf_FDE *fde, uint64_t *start)
{
	uint64_t from = 0;
	int64_t value;
	int32_t narrow;
	size_t size;

	learn_cie(frames, fde->CIE_pointer);
	size = size_of(frames->encoding);
	if (size < 4 || (size_t)(fde->end - fde->start) < size)
		return false;
	memcpy(&value, fde->start, size == 8 ? 8 : 4);
	if (size == 4) {
		memcpy(&narrow, fde->start, sizeof(narrow));
		value = (frames->encoding & 0x0f) == DW_EH_PE_sdata4 ? narrow :
								       (int64_t)(uint32_t)narrow;
	}
	switch (frames->encoding & 0xf0) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		from = frames->address + (fde->start - (unsigned char *)frames->data->d_buf);
		break;
	default:
		return false;
	}
	*start = from + value;
	return true;
}

static int by_address(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static void scan(struct frame_table *table, struct frames *frames)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off at, next;
	size_t room = 0;
	uint64_t start;
	int ret;

	for (at = 0;; at = next) {
		ret = dwarf_next_cfi(frames->ident, frames->data, true, at, &next, &entry);
		if (ret > 0 || next == (Dwarf_Off)-1 || next <= at)
			break;
		/* One that is not understood is left out. */
		if (ret || dwarf_cfi_cie_p(&entry) || !start_of(frames, &entry.fde, &start))
			continue;
		table->start = mem_grow(table->start, &room, table->nr + 1, sizeof(*table->start));
		table->start[table->nr++] = start;
	}
	if (table->nr)
		qsort(table->start, table->nr, sizeof(*table->start), by_address);
}

void frame_table_read(struct frame_table *table, Elf *elf, bool is_readable)
{
	struct frames frames;

	*table = (struct frame_table) { 0 };
	if (find_header(table, elf) || !find_frames(table, &frames, elf))
		return;
	if (is_readable)
		scan(table, &frames);
	else
		table->is_cut = true;
}

void frame_table_free(struct frame_table *table)
{
	free(table->start);
}

uint64_t frame_table_at(const struct frame_table *table, size_t i)
{
	int32_t offset;

	if (table->start)
		return table->start[i];
	memcpy(&offset, table->header + HEADER_SIZE + 8 * i, sizeof(offset));
	return table->header_address + offset;
}
