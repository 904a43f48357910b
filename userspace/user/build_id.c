// SPDX-License-Identifier: GPL-2.0-only
/*
 * build_id.c - the build id of a file, read without a library: the file may be anybody's
 */
#include <elf.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/buf.h"
#include "user/build_id.h"

#define PROGRAM_HEADERS	64		/* those beyond are not looked at */
#define NOTES		4096		/* bytes of a segment of notes that are */
#define BUILD_ID	64		/* bytes, at most */

static size_t padded(uint32_t size)
{
	return ((size_t)size + 3) & ~(size_t)3;
}

/* Append the build id among @len bytes of notes, hexadecimal. Returns false if there is none. */
static bool find_id(const unsigned char *notes, size_t len, struct buf *id)
{
	Elf64_Nhdr note;
	size_t at = 0, i;

	while (len - at >= sizeof(note)) {
		const unsigned char *name = notes + at + sizeof(note), *desc;

		memcpy(&note, notes + at, sizeof(note));
		at += sizeof(note);
		if (padded(note.n_namesz) > len - at ||
		    padded(note.n_descsz) > len - at - padded(note.n_namesz))
			return false;
		desc = name + padded(note.n_namesz);
		at += padded(note.n_namesz) + padded(note.n_descsz);
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) || note.n_descsz > BUILD_ID)
			continue;
		for (i = 0; i < note.n_descsz; i++)
			buf_printf(id, "%02x", desc[i]);
		return note.n_descsz;
	}
	return false;
}

static bool read_build_id(int fd, struct buf *id)
{
	unsigned char notes[NOTES];
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	ssize_t len;
	int i;

	if (!user_file_is_64(fd) ||
	    pread(fd, &header, sizeof(header), 0) != sizeof(header) ||
	    header.e_phentsize != sizeof(segment))
		return false;
	for (i = 0; i < header.e_phnum && i < PROGRAM_HEADERS; i++) {
		if (pread(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)) !=
		    sizeof(segment))
			return false;
		if (segment.p_type != PT_NOTE)
			continue;
		len = pread(fd, notes, segment.p_filesz < NOTES ? segment.p_filesz : NOTES,
			    segment.p_offset);
		if (len > 0 && find_id(notes, len, id))
			return true;
	}
	return false;
}

bool user_file_is_64(int fd)
{
	unsigned char ident[EI_NIDENT];

	return pread(fd, ident, sizeof(ident), 0) == sizeof(ident) &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS64;
}

bool user_file_has_id(int fd, const char *build_id)
{
	struct buf id = { 0 };
	bool has = read_build_id(fd, &id) && !strcmp(id.data, build_id);

	buf_free(&id);
	return has;
}
