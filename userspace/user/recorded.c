// SPDX-License-Identifier: GPL-2.0-only
/*
 * recorded.c - a file of user code that a recording names, if it is still here
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/input.h"
#include "user/files.h"
#include "user/recorded.h"

#define PROGRAM_HEADERS	64		/* those beyond are not looked at */
#define NOTES		4096		/* bytes of a segment of notes that are */
#define BUILD_ID	64		/* bytes, at most */

/* --- the build id of a file --- */

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

/* --- the file --- */

/* Find the line of a file; @line has the texts of @file. */
static bool find_line(const struct buf *table, uint32_t id, struct buf *line,
		      struct user_file *file)
{
	const char *at = table->data, *from;
	uint64_t number;
	size_t len;

	while (buf_next_line(&at, &from, &len)) {
		line->len = 0;
		buf_add(line, from, len);
		if (user_file_parse(file, line->data, &number) && number == id)
			return true;
	}
	return false;
}

bool user_file_has_id(int fd, const char *build_id)
{
	struct buf id = { 0 };
	bool has = read_build_id(fd, &id) && !strcmp(id.data, build_id);

	buf_free(&id);
	return has;
}

/* A file without a build id, or whose header has changed, may still be the one that was mapped. */
static bool is_recorded(int fd, const struct user_file *file)
{
	return user_file_has_id(fd, file->build_id) || user_file_is(fd, file);
}

int user_recorded_open(struct user_recorded *r, const struct buf *table, uint32_t id,
		       char why[256])
{
	struct buf line = { 0 };
	struct user_file file;
	const char *reason;
	struct stat st;
	int ret = -1;

	*r = (struct user_recorded){ .fd = -1 };
	if (!find_line(table, id, &line, &file) || strcmp(file.kind, "file")) {
		snprintf(why, 256, "it is in no file");
		goto out;
	}
	r->fd = input_regular_fd(file.path, &reason);
	if (r->fd < 0) {
		snprintf(why, 256, "%.200s: %s", file.path, reason);
	} else if (!is_recorded(r->fd, &file) || fstat(r->fd, &st)) {
		snprintf(why, 256, "%.200s is another file than the one that ran", file.path);
	} else {
		buf_printf(&r->path, "%s", file.path);
		r->owner = st.st_uid;
		ret = 0;
	}
	if (ret)
		user_recorded_close(r);
out:
	buf_free(&line);
	return ret;
}

void user_recorded_close(struct user_recorded *r)
{
	if (r->fd >= 0)
		close(r->fd);
	buf_free(&r->path);
	r->fd = -1;
}
