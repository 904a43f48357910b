// SPDX-License-Identifier: GPL-2.0-only
/*
 * notes.c - reads ELF notes, without trusting them
 */
#include <linux/elf.h>
#include <linux/string.h>

#include "base/notes.h"

#define BUILD_ID	3	/* type of the note */

/**
 * kprof_build_id() - find the build id in ELF notes
 * @notes:	the notes
 * @size:	their size in bytes
 * @length:	set to the size of the build id in bytes
 *
 * Context: any. Return: the build id; NULL if there is none.
 */
const u8 *kprof_build_id(const void *notes, size_t size, u32 *length)
{
	const u8 *at = notes;
	struct elf64_note note;

	while (size >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		size -= sizeof(note);
		name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		if (name > size || note.n_descsz > size - name)
			return NULL;
		if (note.n_type == BUILD_ID && note.n_namesz == 4 && !memcmp(at, "GNU", 4)) {
			*length = note.n_descsz;
			return at + name;
		}
		if (desc > size - name)
			return NULL;
		at += name + desc;
		size -= name + desc;
	}
	return NULL;
}
