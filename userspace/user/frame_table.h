/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_table.h - the functions of a file whose frames .eh_frame describes
 */
#ifndef KPROF_USER_FRAME_TABLE_H
#define KPROF_USER_FRAME_TABLE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is read into memory whole. */
#define FRAME_TABLE_MAX		(64u << 20)

struct frame_table {
	/* The table of the linker, which is sorted, or what was found in .eh_frame itself. */
	const unsigned char *header;
	uint64_t header_address;
	uint64_t *start;
	size_t nr;
	bool is_cut;		/* there is more than is read */
};

/*
 * Find them; @nr is 0 if there are none, or they are written as nobody writes them.
 * @is_readable: may .eh_frame be read? See frame_file.h.
 */
void frame_table_read(struct frame_table *table, Elf *elf, bool is_readable);
void frame_table_free(struct frame_table *table);

/* Where function @i begins. Only a damaged file's are not sorted. */
uint64_t frame_table_at(const struct frame_table *table, size_t i);

#endif /* KPROF_USER_FRAME_TABLE_H */
