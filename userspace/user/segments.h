/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * segments.h - opens an ELF file; what it loads where; texts in its sections
 */
#ifndef KPROF_USER_SEGMENTS_H
#define KPROF_USER_SEGMENTS_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

#define SEGMENTS_MAX	64	/* those beyond are left out */

/* The loadable segments; addresses are those in the file. */
struct segments {
	GElf_Phdr segment[SEGMENTS_MAX];
	size_t nr;
};

/*
 * Begin an ELF file; NULL if it is none, or has no end of sections. It is mapped, so that a section
 * of any size takes no memory; as with libdwfl, whoever shortens the file now ends this program.
 */
Elf *segments_open(int fd);

/* The same, but nobody can end this program; what is looked at is read into memory. */
Elf *segments_open_unmapped(int fd);
void segments_read(struct segments *segments, Elf *elf);

/* The file offset of an address. Returns false if the address is not loaded from the file. */
bool segments_offset(const struct segments *segments, GElf_Addr addr, uint64_t *offset);

/* The address of what is at a file offset. Returns false if that is not loaded. */
bool segments_address(const struct segments *segments, uint64_t offset, GElf_Addr *addr);

/*
 * A text of a section of strings; NULL if it does not end there, or has more than @max bytes.
 * elf_strptr() looks for its end from that of the section on, in a crafted file through all of it.
 */
const char *segments_text(Elf *elf, size_t section, uint64_t at, size_t max);

#endif /* KPROF_USER_SEGMENTS_H */
