// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_keep_inlined.c - what a recording keeps of the debug information of programs, and says of it
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/mem.h"
#include "record/keep_inlined.h"
#include "unit.h"
#include "user/inlined.h"

/* The code of this program, as offsets in its file. */
struct code {
	uint64_t start, size;
};

static int find_code(struct dl_phdr_info *info, size_t size, void *arg)
{
	const Elf64_Phdr *p = info->dlpi_phdr;
	struct code *code = arg;

	(void)size;
	for (; p < info->dlpi_phdr + info->dlpi_phnum; p++)
		if (p->p_type == PT_LOAD && p->p_flags & PF_X)
			*code = (struct code){ p->p_offset, p->p_filesz };
	return 1;
}

/* What is written of files, into @d; the messages are in @said. */
static void keep(struct user_file *file, size_t nr, struct data *d, struct buf *said)
{
	const struct user_files files = { .file = file, .nr = nr };
	int fd = memfd_create("data", 0), out = memfd_create("said", 0), before = dup(2);
	struct buf text = { 0 };
	struct data_writer w;

	dup2(out, 2);
	data_write_header(&w, fd);
	keep_inlined_write(&files, &w);
	data_write(&w, DATA_END, 0, NULL, 0, false);
	dup2(before, 2);
	lseek(fd, 0, SEEK_SET);
	lseek(out, 0, SEEK_SET);
	CHECK(!buf_read_fd(&text, fd));
	CHECK(!buf_read_fd(said, out));
	CHECK(!data_parse(d, &text));
	buf_add(said, "", 0);
	close(fd);
	close(out);
	close(before);
}

/* Each @step bytes of the code. */
static struct user_file own_file(size_t step)
{
	struct user_file file = { .path = "program", .fd = open("/proc/self/exe", O_RDONLY) };
	struct code code = { 0 };
	size_t i;

	dl_iterate_phdr(find_code, &code);
	file.nr = code.size / step;
	file.offset = mem_zalloc(file.nr + 1, sizeof(*file.offset));
	for (i = 0; i < file.nr; i++)
		file.offset[i] = code.start + i * step;
	return file;
}

static void free_file(struct user_file *file)
{
	free(file->offset);
	close(file->fd);
}

static size_t places_in(const struct inlined *in)
{
	size_t nr = 0, i;

	for (i = 0; i < in->nr; i++)
		nr += !i || in->frame[i].place != in->frame[i - 1].place;
	return nr;
}

static void test_files(void)
{
	struct user_file file[] = {
		{ .fd = -1 }, { .fd = -1, .nr = 1 }, own_file(4096), own_file(8192),
	};
	struct buf said = { 0 };
	struct data d;
	size_t i;

	keep(file, 4, &d, &said);
	CHECK_STR(said.data, "");
	CHECK(places_in(&d.inlined) > file[2].nr / 2);
	for (i = 0; i < d.inlined.nr; i++)
		CHECK(KPROF_USER_FILE(d.inlined.frame[i].place) == 2 ||
		      KPROF_USER_FILE(d.inlined.frame[i].place) == 3);
	data_close(&d);
	buf_free(&said);
	free_file(&file[2]);
	free_file(&file[3]);
}

/* More text than is kept: what is left out is counted. */
static void test_too_much(void)
{
	struct user_file file[] = { { .fd = -1 }, own_file(1), own_file(1) };
	const char *at;
	unsigned long left_out, places;
	struct buf said = { 0 };
	struct data d;

	keep(file, 3, &d, &said);
	at = strstr(said.data, "lines of ");
	CHECK(at && sscanf(at, "lines of %lu of %lu places", &left_out, &places) == 2);
	CHECK(at && places == file[1].nr + file[2].nr);
	CHECK(at && left_out && left_out + places_in(&d.inlined) <= places);
	data_close(&d);
	buf_free(&said);
	free_file(&file[1]);
	free_file(&file[2]);
}

static const struct unit_test tests[] = {
	{ "the places of each file, and nothing is said", test_files },
	{ "what there is no room for is counted", test_too_much },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
