// SPDX-License-Identifier: GPL-2.0-only
/*
 * build_id.c - what a file's beginning tells: is it an ELF file, and which build id has it
 *
 * Anybody may have written the file, so nothing in it is trusted. Nor is its file system: what
 * a process maps may be a socket, or a file of a server that never answers. So the file is not
 * read: only what the page cache has of it is looked at. That is where exec() and the dynamic
 * linker have put its beginning.
 */
#include <linux/elf.h>
#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/kernel.h>
#include <linux/magic.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/xarray.h>

#include "base/notes.h"
#include "user/mapped.h"

#define MAX_SEGMENTS	64
#define MAX_NOTES	4096

/* An ELF file of 32 or 64 bits, in this machine's byte order. */
struct elf {
	struct file *file;
	bool is_64;
};

/* Copy what lies within one page. Return: whether the page is in memory, and valid. */
static bool read_page_at(struct file *file, u64 at, void *to, size_t size)
{
	/* Neither waits for the page nor starts to read it. */
	struct page *page = find_get_page(file->f_mapping, at >> PAGE_SHIFT);
	bool ok;
	void *from;

	if (!page)
		return false;
	ok = PageUptodate(page) && !PageHWPoison(page);
	if (ok) {
		from = kmap_local_page(page);
		memcpy(to, from + offset_in_page(at), size);
		kunmap_local(from);
	}
	put_page(page);
	return ok;
}

static bool read_at(struct file *file, u64 at, void *to, size_t size)
{
	size_t part;

	if (at > MAX_LFS_FILESIZE - size)
		return false;
	for (; size; size -= part) {
		part = min_t(size_t, size, PAGE_SIZE - offset_in_page(at));
		if (!read_page_at(file, at, to, part))
			return false;
		at += part;
		to += part;
	}
	return true;
}

/* Pages of a regular file without a read function may be mapped nowhere: memfd_secret(2). */
static bool has_pages(const struct file *file)
{
	return S_ISREG(file_inode(file)->i_mode) && (file->f_mode & FMODE_READ) &&
	       file->f_op->read_iter;
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
 * kprof_mapped_build_id() - read the build id of a file, if that is in the page cache
 * @file:	any file
 * @id:		where it goes; KPROF_BUILD_ID_MAX bytes
 *
 * Context: sleeps, but only for memory. Return: number of bytes; 0 if the file has none, or it is
 * not in memory.
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

	if (!has_pages(file) || !read_at(file, 0, &header, sizeof(header)) ||
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

/*
 * The page cache of these file systems is the file. So a page that it has never had is a hole, of
 * zeros; one that was swapped out has a value in the page's place.
 */
static bool is_hole(const struct file *file)
{
	return file_inode(file)->i_sb->s_magic == TMPFS_MAGIC &&
	       !xa_load(&file->f_mapping->i_pages, 0);
}

/**
 * kprof_mapped_is_program() - is a file an ELF file, as far as can be seen
 * @file:	any file
 *
 * Only what the page cache has is looked at, so a file whose beginning is not there counts as one.
 *
 * Context: does not sleep. Return: false if it is no ELF file.
 */
bool kprof_mapped_is_program(struct file *file)
{
	u8 magic[SELFMAG];

	/* Large pages are counted in another unit; what is mapped of them is no whole ELF file. */
	if (!has_pages(file) || file_inode(file)->i_sb->s_magic == HUGETLBFS_MAGIC || is_hole(file))
		return false;
	return !read_at(file, 0, magic, sizeof(magic)) || !memcmp(magic, ELFMAG, SELFMAG);
}
