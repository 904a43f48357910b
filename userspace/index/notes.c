// SPDX-License-Identifier: GPL-2.0-only
/*
 * notes.c - find the build id in ELF notes
 */
#include <elf.h>
#include <string.h>

#include "index/notes.h"

const unsigned char *notes_build_id(const struct buf *notes, size_t *size)
{
	size_t at = 0;
	Elf64_Nhdr note;

	*size = 0;
	while (notes->len - at >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, notes->data + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + (((size_t)note.n_namesz + 3) & ~3ull);
		if (desc > notes->len || note.n_descsz > notes->len - desc)
			return NULL;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    note.n_descsz <= NOTES_BUILD_ID_MAX &&
		    !memcmp(notes->data + name, "GNU", 4)) {
			*size = note.n_descsz;
			return (const unsigned char *)notes->data + desc;
		}
		at = desc + (((size_t)note.n_descsz + 3) & ~3ull);
		if (at > notes->len)
			return NULL;
	}
	return NULL;
}
