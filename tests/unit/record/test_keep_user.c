// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_keep_user.c - which code of programs a recording keeps
 */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/kept_code.h"
#include "kprof.h"
#include "record/keep_code.h"
#include "record/keep_user.h"
#include "unit.h"

#define FILE_SIZE	(8u << 20)

/* A file that begins like one of ELF, and has the low byte of each offset there. */
static int make_file(int class)
{
	unsigned char *bytes = malloc(FILE_SIZE);
	int fd = memfd_create("program", 0);
	size_t i;

	for (i = 0; i < FILE_SIZE; i++)
		bytes[i] = i;
	memcpy(bytes, ELFMAG, SELFMAG);
	bytes[EI_CLASS] = class;
	CHECK(write(fd, bytes, FILE_SIZE) == FILE_SIZE);
	free(bytes);
	return fd;
}

static uint64_t place(uint64_t file, uint64_t offset)
{
	return file << KPROF_USER_SHIFT | offset;
}

static void add_function(struct buf *names, uint64_t file, uint64_t offset, uint64_t size)
{
	buf_printf(names, "%" PRIx64 " %" PRIx64 "\tprogram\tf\n", place(file, offset), size);
}

/* The text that is kept, of files that are: none, of 64 bits, not open, of 32 and of 64 bits. */
static void keep(const uint64_t *addr, size_t nr, const struct buf *names, struct buf *kept)
{
	struct user_file file[] = {
		{ .fd = -1 }, { .fd = make_file(ELFCLASS64) }, { .fd = -1 },
		{ .fd = make_file(ELFCLASS32) }, { .fd = make_file(ELFCLASS64) },
	};
	const struct user_files files = { .file = file, .nr = 5 };
	struct buf addresses = { 0 };
	struct data_writer w;
	struct data d = { .whole = false };
	char path[] = "/tmp/kprof-keep.XXXXXX";
	int fd = mkstemp(path);

	buf_add(&addresses, addr, nr * sizeof(*addr));
	data_write_header(&w, fd);
	keep_user_write(&files, &addresses, names, &w);
	/* As the kernel's functions, behind them. */
	data_write(&w, DATA_BYTES, 0, "ffffffff81000000 90\n", 20, false);
	data_write(&w, DATA_END, 0, NULL, 0, false);
	CHECK(!data_open(&d, path));
	CHECK_INT(kept_code_load(&d, "test"), 0);
	buf_add(kept, d.text[DATA_BYTES].data, d.text[DATA_BYTES].len);
	data_close(&d);
	buf_free(&addresses);
	close(fd);
	unlink(path);
	close(file[1].fd);
	close(file[3].fd);
	close(file[4].fd);
}

static void test_which(void)
{
	const uint64_t addr[] = {
		place(1, 0x1012), place(1, 0x1013), place(1, 0x3000), place(2, 0x1000),
		place(3, 0x1000), place(9, 0x1000), 0, 0xffffffff81000000, place(1, FILE_SIZE - 1),
	};
	struct buf names = { 0 }, kept = { 0 };
	char expected[256];

	add_function(&names, 1, 0x1010, 4);
	add_function(&names, 1, 0x2000, 4);	/* not sampled */
	add_function(&names, 1, 0x3000, 1);	/* no function is known there */
	add_function(&names, 2, 0x1000, 4);
	add_function(&names, 3, 0x1000, 4);
	add_function(&names, 9, 0x1000, 4);
	add_function(&names, 1, FILE_SIZE - 2, 4);	/* beyond the end */
	keep(addr, sizeof(addr) / sizeof(*addr), &names, &kept);
	snprintf(expected, sizeof(expected), "%" PRIx64 " 10111213\nffffffff81000000 90\n",
		 place(1, 0x1010));
	CHECK_STR(kept.data, expected);
	buf_free(&names);
	buf_free(&kept);
}

static void test_limits(void)
{
	struct buf names = { 0 }, kept = { 0 };
	uint64_t addr[101], i;

	add_function(&names, 1, 0x1000, KEEP_CODE_FUNCTION + 1);
	addr[0] = place(1, 0x1000);
	for (i = 1; i <= 100; i++) {
		addr[i] = place(1, i * KEEP_CODE_FUNCTION + 0x4000);
		add_function(&names, 1, i * KEEP_CODE_FUNCTION + 0x4000, KEEP_CODE_FUNCTION);
	}
	keep(addr, 101, &names, &kept);
	/* 14 characters in front of each, and a line end; the last line is the kernel's. */
	CHECK_INT(kept.len - 20,
		  KEEP_CODE_MAX / KEEP_CODE_FUNCTION * (14 + 2 * KEEP_CODE_FUNCTION + 1));
	buf_free(&names);
	buf_free(&kept);
}

/* A program with many large functions does not take all the room. */
static void test_share(void)
{
	struct buf names = { 0 }, kept = { 0 };
	uint64_t addr[102], i;
	char line[32];

	for (i = 0; i < 100; i++) {
		addr[i] = place(1, (i + 1) * KEEP_CODE_FUNCTION);
		add_function(&names, 1, (i + 1) * KEEP_CODE_FUNCTION, KEEP_CODE_FUNCTION);
	}
	for (; i < 102; i++) {
		addr[i] = place(4, 0x10 * i);
		add_function(&names, 4, 0x10 * i, 4);
	}
	keep(addr, 102, &names, &kept);
	for (i = 100; i < 102; i++) {
		snprintf(line, sizeof(line), "%" PRIx64 " ", place(4, 0x10 * i));
		CHECK(strstr(kept.data, line));
	}
	/* The room for one large function less, and the small ones. */
	CHECK_INT(kept.len - 20, (KEEP_CODE_MAX / KEEP_CODE_FUNCTION - 1) *
		  (14 + 2 * KEEP_CODE_FUNCTION + 1) + 2 * (14 + 2 * 4 + 1));
	buf_free(&names);
	buf_free(&kept);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "the functions that were sampled, of files of 64 bits", test_which },
		{ "up to a size of each, and of all", test_limits },
		{ "a share of each file", test_share },
		{ NULL, NULL },
	};

	return unit_run(tests);
}
