// SPDX-License-Identifier: GPL-2.0-only
/*
 * running.c - the code of the running kernel, from /proc/kcore
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/running.h"
#include "lib/mem.h"

/* Addresses from @start on, for @size bytes, are in the file at @offset. */
struct code_segment {
	uint64_t start, size, offset;
};

static int fail(char error[256], const char *path, const char *why)
{
	snprintf(error, 256, "cannot read the kernel's code from %s: %s", path, why);
	return -1;
}

/* Read exactly @size bytes. Returns false with errno set on failure; 0: the file has no more. */
static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	char *at = to;

	while (size) {
		ssize_t got = pread(fd, at, size, offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			if (!got)
				errno = 0;
			return false;
		}
		at += got;
		offset += got;
		size -= got;
	}
	return true;
}

/* An ELF file of 64 bits in the byte order of this machine, as a kernel's core of itself is. */
static bool is_core(const Elf64_Ehdr *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_type == ET_CORE &&
	       header->e_phentsize == sizeof(Elf64_Phdr);
}

static int read_segments(struct code_running *r, const Elf64_Ehdr *header)
{
	size_t nr = header->e_phnum, i;
	Elf64_Phdr *program = mem_zalloc(nr + 1, sizeof(*program));
	bool is_read = read_at(r->fd, program, nr * sizeof(*program), header->e_phoff);

	r->segment = mem_zalloc(nr + 1, sizeof(*r->segment));
	for (i = 0; is_read && i < nr; i++)
		if (program[i].p_type == PT_LOAD)
			r->segment[r->nr++] = (struct code_segment) {
				program[i].p_vaddr, program[i].p_memsz, program[i].p_offset,
			};
	free(program);
	return is_read ? 0 : -1;
}

static int open_core(struct code_running *r, const char *path, char error[256])
{
	Elf64_Ehdr header;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fail(error, path, errno == EPERM ?
			    "the kernel is locked down, or this is not root" : strerror(errno));
	r->fd = fd;
	if (!read_at(fd, &header, sizeof(header), 0))
		return fail(error, path, errno ? strerror(errno) : "it is empty");
	if (!is_core(&header))
		return fail(error, path, "this is no 64-bit core of a kernel");
	if (read_segments(r, &header))
		return fail(error, path, errno ? strerror(errno) : "it is truncated");
	return 0;
}

static const struct code_segment *find(const struct code_running *r, uint64_t addr, size_t size)
{
	size_t i;

	for (i = 0; i < r->nr; i++) {
		const struct code_segment *s = &r->segment[i];

		if (addr >= s->start && addr - s->start < s->size &&
		    size <= s->size - (addr - s->start))
			return s;
	}
	return NULL;
}

int code_running_read(struct code_running *r, uint64_t addr, void *to, size_t size,
		      char error[256])
{
	const char *path = r->path ? r->path : CODE_KCORE;
	const struct code_segment *s;

	if (!r->segment && open_core(r, path, error))
		return -1;
	s = find(r, addr, size);
	if (!s)
		return fail(error, path, "it does not have that address");
	if (!read_at(r->fd, to, size, s->offset + (addr - s->start)))
		return fail(error, path, errno ? strerror(errno) : "it is truncated");
	return 0;
}

void code_running_close(struct code_running *r)
{
	if (r->fd > 0)
		close(r->fd);
	free(r->segment);
	*r = (struct code_running){ .path = r->path };
}
