/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plt.h - the entries of procedure linkage tables, by which programs call their libraries
 */
#ifndef KPROF_USER_PLT_H
#define KPROF_USER_PLT_H

#include <gelf.h>
#include <stdint.h>

#define PLT_NAME_LENGTH	512	/* entries with longer names are left out */

/* Called with an entry's address and size in the file, and the name of the function it leads to. */
typedef void plt_entry_fn(GElf_Addr addr, uint64_t size, const char *name, void *arg);

/* Of a file for x86-64 or arm64; others have none that are known. */
void plt_each(Elf *elf, plt_entry_fn *entry, void *arg);

/*
 * If the code at @addr, of which @left bytes are at @code, is an entry: its size, and in *slot
 * where it reads the address that it jumps to. Otherwise 0.
 */
uint64_t plt_decode(int machine, const uint8_t *code, uint64_t left, uint64_t addr,
		    uint64_t *slot);

#endif /* KPROF_USER_PLT_H */
