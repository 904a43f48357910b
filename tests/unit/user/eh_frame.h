/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * eh_frame.h - write small ELF files that describe frames as a test wants them
 *
 * A file has no sections, no code, and a table of functions as linkers write it.
 */
#ifndef KPROF_UNIT_EH_FRAME_H
#define KPROF_UNIT_EH_FRAME_H

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/buf.h"

#define EH_TABLE	0x200		/* where .eh_frame_hdr begins: offset and address */
#define EH_CODE		0x10000000	/* the address of the code */
#define EH_CODE_SIZE	0x1000000

/* The rules of a function's pieces: two take turns, all are alike, or no other piece has them. */
enum eh_rules { EH_TURNS, EH_ALIKE, EH_UNIQUE };

/* A function: it has @pieces of a byte each. */
struct eh_function {
	uint32_t at;			/* from EH_CODE on */
	uint32_t pieces;
	enum eh_rules rules;
};

static inline void eh_put(struct buf *out, uint32_t word)
{
	buf_add(out, &word, sizeof(word));
}

static inline void eh_pad(struct buf *out, size_t until)
{
	while (out->len < until)
		buf_add(out, "", 1);
}

static inline void eh_add_function(struct buf *out, const struct eh_function *f, uint32_t cie)
{
	size_t start = out->len;
	uint32_t i, len;

	eh_put(out, 0);
	eh_put(out, out->len - cie);
	eh_put(out, EH_CODE + f->at - out->len);
	eh_put(out, f->pieces);
	buf_add(out, "", 1);
	/* Each piece: advance by 1; do nothing, or set the CFA's offset. */
	for (i = 1; i < f->pieces; i++) {
		uint32_t offset = EH_CODE + f->at + i;
		const char unique[] = { 0x41, 0x0e, offset | 0x80, offset >> 7 | 0x80,
					offset >> 14 | 0x80, offset >> 21 | 0x80, offset >> 28 };

		if (f->rules == EH_UNIQUE)
			buf_add(out, unique, sizeof(unique));
		else
			buf_add(out, f->rules == EH_ALIKE ? "\x41\0\0" :
				     i % 2 ? "\x41\x0e\x10" : "\x41\x0e\x08", 3);
	}
	eh_pad(out, (out->len + 7) & ~7ul);
	len = out->len - start - 4;
	memcpy(out->data + start, &len, sizeof(len));
}

/*
 * The table has the functions @nr_rounds times. @code_offset: where the file is said to have the
 * code; @table_size: how large .eh_frame_hdr is said to be, 0: as it is; @size: of the file, with
 * a hole, 0: without. Returns its descriptor.
 */
static inline int eh_file(const struct eh_function *f, int nr, int nr_rounds,
			  uint64_t code_offset, uint64_t table_size, uint64_t size)
{
	static const char cie[] = "\x14\0\0\0\0\0\0\0\x01zR\0\x01\x78\x10\x01\x1b"
				  "\x0c\x07\x08\x90\x01";
	const uint32_t frames = EH_TABLE + 12 + 8 * nr * nr_rounds;
	uint32_t where[nr];
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(header), .e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
	};
	Elf64_Phdr segment[3] = {
		{ .p_type = PT_LOAD }, { .p_type = PT_GNU_EH_FRAME },
		{ .p_type = PT_LOAD, .p_vaddr = EH_CODE, .p_offset = code_offset,
		  .p_filesz = EH_CODE_SIZE },
	};
	struct buf out = { 0 }, table = { 0 };
	int i, fd = memfd_create("eh_frame", 0);

	eh_pad(&out, frames);
	buf_add(&out, cie, sizeof(cie) - 1);
	eh_pad(&out, frames + 24);
	for (i = 0; i < nr; i++) {
		where[i] = out.len;
		eh_add_function(&out, &f[i], frames);
	}
	eh_put(&out, 0);
	segment[0].p_filesz = out.len;
	segment[1].p_offset = EH_TABLE;
	segment[1].p_vaddr = EH_TABLE;
	segment[1].p_filesz = table_size ? table_size : frames - EH_TABLE;
	eh_put(&table, 0x3b031b01);
	eh_put(&table, frames - EH_TABLE - 4);
	eh_put(&table, nr * nr_rounds);
	for (i = 0; i < nr * nr_rounds; i++) {
		eh_put(&table, EH_CODE + f[i % nr].at - EH_TABLE);
		eh_put(&table, where[i % nr] - EH_TABLE);
	}
	memcpy(out.data, &header, sizeof(header));
	memcpy(out.data + sizeof(header), segment, sizeof(segment));
	memcpy(out.data + EH_TABLE, table.data, table.len);
	if (write(fd, out.data, out.len) != (ssize_t)out.len || (size && ftruncate(fd, size)))
		abort();
	buf_free(&out);
	buf_free(&table);
	return fd;
}

#endif /* KPROF_UNIT_EH_FRAME_H */
