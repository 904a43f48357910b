// SPDX-License-Identifier: GPL-2.0-only
/*
 * build_id.c - reads the build id of an ELF file, by which its debug information is found
 *
 * Anybody may have written the file, so nothing in it is trusted.
 */
#include <linux/elf.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/notes.h"
#include "user/mapped.h"

#define MAX_SEGMENTS	64
#define MAX_NOTES	4096

/* An ELF file of 32 or 64 bits, in this machine's byte order. */
struct elf {
	struct file *file;
	bool is_64;
};

static bool read_at(struct file *file, u64 at, void *to, size_t size)
{
	loff_t pos = at;

	return at <= S64_MAX - size && kernel_read(file, to, size, &pos) == (ssize_t)size;
}

static u32 read_notes(struct file *file, u64 offset, u64 size, u8 *id)
{
	const u8 *found = NULL;
	u32 length = 0;
	void *notes;

	size = min_t(u64, size, MAX_NOTES);
	notes = kmalloc(size, GFP_KERNEL);
	if (!ZERO_OR_NULL_PTR(notes) && read_at(file, offset, notes, size))
		found = kprof_build_id(notes, size, &length);
	if (found) {
		length = min_t(u32, length, KPROF_BUILD_ID_MAX);
		memcpy(id, found, length);
	}
	kfree(notes);
	return length;
}

/* Read a program header, and convert it to the 64-bit form. */
static bool read_segment(const struct elf *elf, u64 at, u32 nr, struct elf64_phdr *segment)
{
	struct elf32_phdr narrow;

	if (elf->is_64)
		return read_at(elf->file, at + nr * sizeof(*segment), segment, sizeof(*segment));
	if (!read_at(elf->file, at + nr * sizeof(narrow), &narrow, sizeof(narrow)))
		return false;
	*segment = (struct elf64_phdr) {
		.p_type = narrow.p_type,
		.p_offset = narrow.p_offset,
		.p_filesz = narrow.p_filesz,
	};
	return true;
}

/**
 * kprof_mapped_build_id() - read the build id of a file
 * @file:	the file
 * @id:		where it goes; KPROF_BUILD_ID_MAX bytes
 *
 * Context: sleeps, without a lock of mm. Return: number of bytes; 0 if the file has none.
 */
u32 kprof_mapped_build_id(struct file *file, u8 *id)
{
	struct elf elf = { .file = file };
	union {
		u8 ident[EI_NIDENT];
		struct elf64_hdr wide;
		struct elf32_hdr narrow;
	} header;
	struct elf64_phdr segment;
	u32 nr, i, length = 0;
	u64 at;

	if (!(file->f_mode & FMODE_READ) || !read_at(file, 0, &header, sizeof(header)) ||
	    memcmp(header.ident, ELFMAG, SELFMAG))
		return 0;
	elf.is_64 = header.ident[EI_CLASS] == ELFCLASS64;
	at = elf.is_64 ? header.wide.e_phoff : header.narrow.e_phoff;
	nr = elf.is_64 ? header.wide.e_phnum : header.narrow.e_phnum;
	for (i = 0; i < min_t(u32, nr, MAX_SEGMENTS) && !length; i++) {
		if (at > S64_MAX / 2 || !read_segment(&elf, at, i, &segment))
			break;
		if (segment.p_type == PT_NOTE)
			length = read_notes(file, segment.p_offset, segment.p_filesz, id);
	}
	return length;
}
