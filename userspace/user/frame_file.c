// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame_file.c - a file, in such a way that libdw can read its .eh_frame, whoever wrote it
 *
 * libdw trusts a damaged description of frames for some bytes beyond the end of the section: one
 * for a number that should have been before it, and one for each letter of an augmentation string,
 * which is in the section. So as many zeros as the section has bytes follow what it reads.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/mem.h"
#include "lib/room.h"
#include "user/frame_file.h"
#include "user/segments.h"

#define MAX_SIZE	(256u << 20)	/* bytes that are read into memory, all together */
#define MAX_NAMES	(1u << 20)	/* bytes of the sections' names */
#define MAX_NAMES_WORK	(1ull << 32)	/* these, for each section */

static void *add_copy(struct frame_file *file, const void *data, size_t size)
{
	char *copy = mem_zalloc(2, size + 1);

	if (data)
		memcpy(copy, data, size);
	file->copy = mem_grow(file->copy, &file->room, file->nr + 1, sizeof(*file->copy));
	file->copy[file->nr++] = copy;
	return copy;
}

/*
 * Without names of sections libdw takes all from the segment of .eh_frame on, for which libelf
 * reads the whole file. Then libelf does not free what it has of sections already, such as their
 * names: linkers write none that has others only.
 */
static bool read_whole(struct frame_file *file, int fd)
{
	size_t done = 0, size;
	struct stat st;
	ssize_t nr;
	char *image;

	if (fstat(fd, &st) || st.st_size > MAX_SIZE)
		return false;
	size = st.st_size;
	image = add_copy(file, NULL, size);
	while (done < size && (nr = pread(fd, image + done, size - done, done)) > 0)
		done += nr;
	elf_end(file->elf);
	file->elf = elf_memory(image, size);
	return file->elf && elf_kind(file->elf) == ELF_K_ELF;
}

/* libelf gives libdw the same description of what it has read, each time. */
static bool read_section(struct frame_file *file, Elf_Scn *section, size_t *left)
{
	Elf_Data *data;
	GElf_Shdr header;

	if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
		return true;
	if (header.sh_size > *left)
		return false;
	*left -= header.sh_size;
	data = elf_rawdata(section, NULL);
	if (data && data->d_buf)
		data->d_buf = add_copy(file, data->d_buf, data->d_size);
	return true;
}

/*
 * For each section libdw looks for the end of its name from that of all names on, which it would
 * unpack if they were compressed.
 */
static bool is_long(Elf *elf, const GElf_Shdr *names)
{
	size_t nr;

	return elf_getshdrnum(elf, &nr) || names->sh_flags & SHF_COMPRESSED ||
	       names->sh_size > MAX_NAMES || nr * names->sh_size > MAX_NAMES_WORK;
}

/* Where none is there, libdw would take the whole file, as above. */
static bool read_sections(struct frame_file *file, size_t names)
{
	Elf_Scn *section = NULL;
	size_t left = MAX_SIZE;
	bool found = false;
	GElf_Shdr header;
	const char *name;

	while ((section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		name = segments_text(file->elf, names, header.sh_name, sizeof(".eh_frame_hdr"));
		if (!name || strncmp(name, ".eh_frame", 9))
			continue;
		if (!read_section(file, section, &left))
			return false;
		found |= !name[9];
	}
	return found;
}

void frame_file_open(struct frame_file *file, int fd)
{
	struct room room;

	/* Whoever writes the file may change the number of its sections while it is opened. */
	room_measure(&room, MAX_SIZE);
	room_enter(&room);
	file->elf = segments_open_unmapped(fd);
	room_leave(&room);
}

bool frame_file_read(struct frame_file *file, int fd)
{
	GElf_Shdr names;
	size_t nr;

	if (elf_getshdrstrndx(file->elf, &nr) || !nr ||
	    !gelf_getshdr(elf_getscn(file->elf, nr), &names))
		return read_whole(file, fd);
	return !is_long(file->elf, &names) && read_sections(file, nr);
}

void frame_file_close(struct frame_file *file)
{
	if (file->elf)
		elf_end(file->elf);
	while (file->nr)
		free(file->copy[--file->nr]);
	free(file->copy);
}
