// SPDX-License-Identifier: GPL-2.0-only
/*
 * segments.c - opens an ELF file; what it loads where; texts in its sections
 */
#include <string.h>
#include <unistd.h>

#include "user/segments.h"

#define SECTIONS_MAX	(1u << 20)

/* libelf has some 200 bytes for each section; a file with holes is large, and takes no disk. */
static bool has_few_sections(int fd)
{
	union { Elf64_Ehdr wide; Elf32_Ehdr narrow; } header = { .wide = { .e_shnum = 0 } };
	union { Elf64_Shdr wide; Elf32_Shdr narrow; } first = { .wide = { .sh_size = 0 } };
	const unsigned char *ident = header.wide.e_ident;
	uint64_t nr, at;
	bool is_wide;

	if (pread(fd, &header, sizeof(header), 0) < (ssize_t)sizeof(header.narrow) ||
	    memcmp(ident, ELFMAG, SELFMAG) || ident[EI_DATA] != ELFDATA2LSB)
		return false;
	is_wide = ident[EI_CLASS] == ELFCLASS64;
	nr = is_wide ? header.wide.e_shnum : header.narrow.e_shnum;
	at = is_wide ? header.wide.e_shoff : header.narrow.e_shoff;
	/* Where the header has no room for the number, the first section has it. */
	if (!nr && at && pread(fd, &first, sizeof(first), at) > 0)
		nr = is_wide ? first.wide.sh_size : first.narrow.sh_size;
	return nr <= SECTIONS_MAX;
}

static Elf *open_by(int fd, Elf_Cmd how)
{
	Elf *elf;

	if (!has_few_sections(fd))
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, how, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

Elf *segments_open(int fd)
{
	return open_by(fd, ELF_C_READ_MMAP);
}

Elf *segments_open_unmapped(int fd)
{
	return open_by(fd, ELF_C_READ);
}

void segments_read(struct segments *segments, Elf *elf)
{
	size_t nr, i;
	GElf_Phdr segment;

	segments->nr = 0;
	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && segments->nr < SEGMENTS_MAX; i++)
		if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_LOAD)
			segments->segment[segments->nr++] = segment;
}

bool segments_offset(const struct segments *segments, GElf_Addr addr, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < segments->nr; i++) {
		const GElf_Phdr *segment = &segments->segment[i];

		if (addr < segment->p_vaddr || addr - segment->p_vaddr >= segment->p_filesz)
			continue;
		*offset = addr - segment->p_vaddr + segment->p_offset;
		return true;
	}
	return false;
}

bool segments_address(const struct segments *segments, uint64_t offset, GElf_Addr *addr)
{
	size_t i;

	for (i = 0; i < segments->nr; i++) {
		const GElf_Phdr *segment = &segments->segment[i];

		if (offset < segment->p_offset || offset - segment->p_offset >= segment->p_filesz)
			continue;
		*addr = offset - segment->p_offset + segment->p_vaddr;
		return true;
	}
	return false;
}

const char *segments_text(Elf *elf, size_t section, uint64_t at, size_t max)
{
	Elf_Scn *strings = elf_getscn(elf, section);
	GElf_Shdr header;
	Elf_Data *data;
	size_t left;

	if (!strings || !gelf_getshdr(strings, &header) || header.sh_type != SHT_STRTAB)
		return NULL;
	data = elf_getdata(strings, NULL);
	if (!data || !data->d_buf || at >= data->d_size)
		return NULL;
	left = data->d_size - at;
	if (left > max + 1)
		left = max + 1;
	return memchr((const char *)data->d_buf + at, '\0', left) ?
	       (const char *)data->d_buf + at : NULL;
}
