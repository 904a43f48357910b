/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * segments.h - what an ELF file loads where
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

void segments_read(struct segments *segments, Elf *elf);

/* The file offset of an address. Returns false if the address is not loaded from the file. */
bool segments_offset(const struct segments *segments, GElf_Addr addr, uint64_t *offset);

#endif /* KPROF_USER_SEGMENTS_H */
