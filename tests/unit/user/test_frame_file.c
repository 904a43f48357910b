// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_frame_file.c - what libdw reads of a file's frames is what the file has, and zeros follow
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eh_frame.h"
#include "unit.h"
#include "user/frame_file.h"

static bool are_zeros(const char *at, size_t size)
{
	while (size && !*at) {
		at++;
		size--;
	}
	return !size;
}

static bool is_as_in(int fd, const void *data, uint64_t offset, size_t size)
{
	char *there = malloc(size);
	bool is = pread(fd, there, size, offset) == (ssize_t)size && !memcmp(there, data, size);

	free(there);
	return is;
}

/* This program has both sections. */
static void test_sections(void)
{
	struct frame_file file = { .elf = NULL };
	int fd = open("/proc/self/exe", O_RDONLY), nr = 0;
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	size_t names;

	frame_file_open(&file, fd);
	CHECK(file.elf && frame_file_read(&file, fd));
	if (elf_getshdrstrndx(file.elf, &names))
		return;
	while ((section = elf_nextscn(file.elf, section))) {
		if (!gelf_getshdr(section, &header) ||
		    strncmp(elf_strptr(file.elf, names, header.sh_name), ".eh_frame", 9))
			continue;
		data = elf_rawdata(section, NULL);
		nr++;
		CHECK_INT(data->d_size, header.sh_size);
		CHECK(is_as_in(fd, data->d_buf, header.sh_offset, data->d_size));
		CHECK(are_zeros((char *)data->d_buf + data->d_size, data->d_size));
	}
	CHECK_INT(nr, 2);
	frame_file_close(&file);
	close(fd);
}

static void test_no_sections(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS } };
	int fd = eh_file(f, 1, 1, 0x100000, 0, 0);
	struct frame_file file = { .elf = NULL };
	struct stat st;
	size_t size;
	char *image;

	fstat(fd, &st);
	frame_file_open(&file, fd);
	CHECK(file.elf && frame_file_read(&file, fd));
	image = file.elf ? elf_rawfile(file.elf, &size) : NULL;
	CHECK(image && size == (size_t)st.st_size && is_as_in(fd, image, 0, size));
	CHECK(image && are_zeros(image + size, size));
	frame_file_close(&file);
	close(fd);
}

static void test_large(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS } };
	struct frame_file file = { .elf = NULL };
	int fd = eh_file(f, 1, 1, 0x100000, 0, 1ull << 30);

	frame_file_open(&file, fd);
	CHECK(file.elf && !frame_file_read(&file, fd));
	frame_file_close(&file);
	close(fd);
}

static void test_no_elf(void)
{
	struct frame_file file = { .elf = NULL };
	int fd = memfd_create("text", 0);

	CHECK(write(fd, "text", 4) == 4);
	frame_file_open(&file, fd);
	CHECK(!file.elf);
	frame_file_close(&file);
	close(fd);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "sections", test_sections },
		{ "a file without sections is read whole", test_no_sections },
		{ "but not a large one", test_large },
		{ "what is no program", test_no_elf },
		{ NULL, NULL },
	};

	return unit_run(tests);
}
