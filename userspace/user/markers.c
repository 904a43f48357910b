// SPDX-License-Identifier: GPL-2.0-only
/*
 * markers.c - the markers (USDT) of a program or a library, from its section .note.stapsdt
 *
 * A note has three addresses (the marker, the section .stapsdt.base, the semaphore), and three
 * strings: provider, name, arguments. If the file was prelinked, the section has moved, and all
 * addresses with it.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/mem.h"
#include "user/markers.h"
#include "user/segments.h"

#define NOTE_NAME	"stapsdt"
#define NOTE_TYPE	3

/* Longer ones are of no marker. */
#define NAME_LENGTH	255
#define ARGUMENTS_LENGTH 1024

/* What is known of the file while its notes are read. */
struct file {
	struct segments segments;
	enum user_machine machine;
	size_t word;		/* bytes of an address */
	GElf_Addr base;		/* of .stapsdt.base; 0: there is none */
	size_t nr_notes;	/* that were looked at */
	uint64_t left;		/* bytes; sections over each other have more than the file */
};

static enum user_machine machine_of(const GElf_Ehdr *header)
{
	switch (header->e_machine) {
	case EM_X86_64:
		return USER_X86_64;
	case EM_386:
		return USER_X86;
	case EM_AARCH64:
		return USER_ARM64;
	default:
		return USER_OTHER;
	}
}

static GElf_Addr take_address(const struct file *file, const char **at)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;

	if (file->word == sizeof(wide))
		memcpy(&wide, *at, sizeof(wide));
	else
		memcpy(&narrow, *at, sizeof(narrow));
	*at += file->word;
	return file->word == sizeof(wide) ? wide : narrow;
}

/* Returns NULL if there is no end, or too late. */
static const char *take_string(const char **at, const char *end, size_t max)
{
	size_t left = end - *at;
	const char *start = *at, *zero = memchr(start, '\0', left > max ? max + 1 : left);

	if (zero)
		*at = zero + 1;
	return zero ? start : NULL;
}

static const char *keep(struct user_markers *m, const char *text)
{
	return arena_copy(&m->texts, text, strlen(text));
}

static void add_note(struct user_markers *m, const struct file *file, const char *at, size_t len)
{
	struct user_marker marker = { .machine = file->machine };
	GElf_Addr place, base, counter, moved;
	const char *end = at + len;

	if (len < 3 * file->word)
		return;
	place = take_address(file, &at);
	base = take_address(file, &at);
	counter = take_address(file, &at);
	moved = file->base && base ? file->base - base : 0;
	marker.provider = take_string(&at, end, NAME_LENGTH);
	marker.name = marker.provider ? take_string(&at, end, NAME_LENGTH) : NULL;
	marker.arguments = marker.name ? take_string(&at, end, ARGUMENTS_LENGTH) : NULL;
	if (!marker.arguments ||
	    !segments_offset(&file->segments, place + moved, &marker.offset) ||
	    (counter && !segments_offset(&file->segments, counter + moved, &marker.counter)))
		return;
	marker.provider = keep(m, marker.provider);
	marker.name = keep(m, marker.name);
	marker.arguments = keep(m, marker.arguments);
	m->item = mem_grow(m->item, &m->room, m->nr + 1, sizeof(*m->item));
	m->item[m->nr++] = marker;
}

static void add_notes(struct user_markers *m, struct file *file, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t at = 0, next, name, text;
	GElf_Nhdr note;

	while (data && file->nr_notes++ < USER_MARKERS_MAX &&
	       (next = gelf_getnote(data, at, &note, &name, &text)) > 0) {
		const char *bytes = data->d_buf;

		if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof(NOTE_NAME) &&
		    !memcmp(bytes + name, NOTE_NAME, sizeof(NOTE_NAME)))
			add_note(m, file, bytes + text, note.n_descsz);
		at = next;
	}
}

static int by_name(const void *va, const void *vb)
{
	const struct user_marker *a = va, *b = vb;
	int order = strcmp(a->provider, b->provider);

	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static bool is_named(Elf *elf, size_t names, const GElf_Shdr *header, const char *name)
{
	const char *own = segments_text(elf, names, header->sh_name, NAME_LENGTH);

	return own && !strcmp(own, name);
}

static void read_sections(struct user_markers *m, struct file *file, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) &&
		    is_named(elf, names, &header, ".stapsdt.base"))
			file->base = header.sh_addr;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_NOTE ||
		    !is_named(elf, names, &header, ".note.stapsdt"))
			continue;
		if (header.sh_size > file->left)
			break;
		file->left -= header.sh_size;
		add_notes(m, file, section);
	}
}

void user_markers_read(struct user_markers *m, int fd)
{
	struct file file = { .base = 0 };
	GElf_Ehdr header;
	struct stat st;
	Elf *elf;

	elf = segments_open(fd);
	if (!fstat(fd, &st))
		file.left = st.st_size;
	if (elf && gelf_getehdr(elf, &header) &&
	    header.e_ident[EI_DATA] == ELFDATA2LSB) {
		file.machine = machine_of(&header);
		file.word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
		segments_read(&file.segments, elf);
		read_sections(m, &file, elf);
		if (m->nr)
			qsort(m->item, m->nr, sizeof(*m->item), by_name);
	}
	elf_end(elf);
}

void user_markers_free(struct user_markers *m)
{
	free(m->item);
	arena_free(&m->texts);
	*m = (struct user_markers){ 0 };
}
