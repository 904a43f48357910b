// SPDX-License-Identifier: GPL-2.0-only
/*
 * segments.c - what an ELF file loads where
 */
#include "user/segments.h"

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
