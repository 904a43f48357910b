// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_jitdump.c - functions of code that a process has generated, from its jit-PID.dump
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/buf.h"
#include "unit.h"
#include "user/code.h"
#include "user/files.h"
#include "user/jitdump.h"

enum { LOAD, MOVE, DEBUG_INFO };

static void add_u32(struct buf *b, uint32_t value)
{
	buf_add(b, &value, sizeof(value));
}

static void add_u64(struct buf *b, uint64_t value)
{
	buf_add(b, &value, sizeof(value));
}

static void add_header(struct buf *b, uint32_t magic, uint32_t version)
{
	const uint32_t words[] = { magic, version, 48, 62, 0, 1 };

	buf_add(b, words, sizeof(words));
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, 0);		/* a header of a later version is longer */
}

static void add_load(struct buf *b, uint64_t addr, uint64_t size, uint64_t index, const char *name)
{
	add_u32(b, LOAD);
	add_u32(b, 56 + strlen(name) + 1 + 8);
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, addr);
	add_u64(b, addr);
	add_u64(b, size);
	add_u64(b, index);
	buf_add(b, name, strlen(name) + 1);
	buf_add(b, "machine!", 8);
}

static void add_move(struct buf *b, uint64_t addr, uint64_t size, uint64_t index)
{
	add_u32(b, MOVE);
	add_u32(b, 64);
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, 0x1000);
	add_u64(b, addr);
	add_u64(b, size);
	add_u64(b, index);
}

static void read_all(struct user_functions *f, const struct buf *b, size_t len)
{
	FILE *in = fmemopen(b->data, len, "r");

	*f = (struct user_functions) { 0 };
	user_jitdump_read(f, in);
	fclose(in);
	user_functions_sort(f);
}

static const char *name_at(const struct user_functions *f, uint64_t addr)
{
	const struct user_function *one = user_functions_find(f, addr);

	return one ? one->name : "none";
}

static void test_records(void)
{
	struct user_functions f;
	struct buf b = { 0 };

	add_header(&b, 0x4a695444, 1);
	add_load(&b, 0x1000, 0x100, 1, "first");
	add_u32(&b, DEBUG_INFO);
	add_u32(&b, 24);
	add_u64(&b, 0);
	add_u64(&b, 0x9999);
	add_load(&b, 0x1100, 0x100, 2, "second");
	add_move(&b, 0x5000, 0x100, 1);
	add_move(&b, 0x6000, 0x100, 77);	/* of what was never loaded */
	read_all(&f, &b, b.len);
	CHECK_STR(name_at(&f, 0xfff), "none");
	CHECK_STR(name_at(&f, 0x10ff), "first");
	CHECK_STR(name_at(&f, 0x1100), "second");
	CHECK_STR(name_at(&f, 0x1200), "none");
	CHECK_STR(name_at(&f, 0x50ff), "first");
	CHECK_STR(name_at(&f, 0x6000), "none");
	user_functions_free(&f);
	buf_free(&b);
}

/* Code is replaced, in whole or in part; what is on top is what was written last. */
static void test_replaced(void)
{
	struct user_functions f;
	struct buf b = { 0 };

	add_header(&b, 0x4a695444, 1);
	add_load(&b, 0x1000, 0x1000, 1, "large");
	add_load(&b, 0x1400, 0x100, 2, "old");
	add_load(&b, 0x1400, 0x80, 3, "inside");
	add_load(&b, 0x1f00, 0x200, 4, "behind");
	add_load(&b, 0x3000, 0x10, 5, "gone");
	add_load(&b, 0x2ff0, 0x100, 6, "over");
	read_all(&f, &b, b.len);
	CHECK_STR(name_at(&f, 0x13ff), "large");
	CHECK_STR(name_at(&f, 0x1400), "inside");
	CHECK_STR(name_at(&f, 0x147f), "inside");
	CHECK_STR(name_at(&f, 0x1480), "old");
	CHECK_STR(name_at(&f, 0x1500), "large");
	CHECK_STR(name_at(&f, 0x1eff), "large");
	CHECK_STR(name_at(&f, 0x1f00), "behind");
	CHECK_STR(name_at(&f, 0x20ff), "behind");
	CHECK_STR(name_at(&f, 0x2100), "none");
	CHECK_STR(name_at(&f, 0x3005), "over");
	CHECK_STR(name_at(&f, 0x3010), "over");
	user_functions_free(&f);
	buf_free(&b);
}

/* Whatever the order, each address has the function that was written last among those over it. */
static void test_layers(void)
{
	struct user_functions f;
	struct buf b = { 0 };
	char name[16], expected[256][16];
	int i, start, size;

	srand(1);
	for (i = 0; i < 256; i++)
		strcpy(expected[i], "none");
	add_header(&b, 0x4a695444, 1);
	for (i = 0; i < 100; i++) {
		start = rand() % 240;
		size = 1 + rand() % 16;
		snprintf(name, sizeof(name), "f%d", i);
		add_load(&b, start, size, rand() % 4, name);
		for (; size--; start++)
			strcpy(expected[start], name);
	}
	read_all(&f, &b, b.len);
	for (i = 0; i < 256; i++)
		CHECK_STR(name_at(&f, i), expected[i]);
	user_functions_free(&f);
	buf_free(&b);
}

static void test_hostile(void)
{
	struct user_functions f;
	struct buf b = { 0 }, endless = { 0 };
	size_t len, i;

	add_header(&b, 0x4454694a, 1);		/* of a machine of the other byte order */
	add_load(&b, 0x1000, 0x100, 1, "name");
	read_all(&f, &b, b.len);
	CHECK_INT(f.nr, 0);
	user_functions_free(&f);
	b.len = 0;
	add_header(&b, 0x4a695444, 2);
	add_load(&b, 0x1000, 0x100, 1, "name");
	read_all(&f, &b, b.len);
	CHECK_INT(f.nr, 0);
	user_functions_free(&f);

	b.len = 0;
	add_header(&b, 0x4a695444, 1);
	add_load(&b, UINT64_MAX - 1, 0x100, 1, "around the end");
	add_load(&b, KPROF_USER_MASK, 0x100, 1, "beyond what there is");
	add_load(&b, 0x1000, UINT64_MAX, 1, "everything");
	add_load(&b, 0x1000, 0, 1, "nothing");
	add_load(&b, 0x1000, 0x100, 1, "");
	for (i = 0; i < 5000; i++)
		buf_add(&endless, "n", 1);
	add_load(&b, 0x2000, 0x100, 2, endless.data);
	add_load(&b, 0x3000, 0x100, 3, "behind it");
	for (len = 1; len < b.len; len += 7) {	/* cut off anywhere */
		read_all(&f, &b, len);
		user_functions_free(&f);
	}
	read_all(&f, &b, b.len);
	CHECK_STR(name_at(&f, 0x1000), "none");
	CHECK_STR(name_at(&f, KPROF_USER_MASK), "none");
	CHECK_INT(strlen(name_at(&f, 0x2000)), JITDUMP_NAME_MAX);
	CHECK_STR(name_at(&f, 0x3000), "behind it");
	user_functions_free(&f);

	add_u32(&b, LOAD);
	add_u32(&b, 3);				/* less than a record */
	add_u64(&b, 0);
	add_load(&b, 0x4000, 0x100, 4, "never read");
	read_all(&f, &b, b.len);
	CHECK_STR(name_at(&f, 0x3000), "behind it");
	CHECK_STR(name_at(&f, 0x4000), "none");
	user_functions_free(&f);
	buf_free(&b);
	buf_free(&endless);
}

/* Else a file of a few megabytes would take a thousand times that. */
static void test_moved_often(void)
{
	struct user_functions f;
	struct buf b = { 0 };
	size_t i, others = 0;

	add_header(&b, 0x4a695444, 1);
	add_load(&b, 0x1000, 0x100, 1, "one that moves");
	for (i = 1; i < 1000; i++)
		add_move(&b, 0x1000 * (i + 1), 0x100, 1);
	read_all(&f, &b, b.len);
	CHECK_INT(f.nr, 1000);
	CHECK_STR(name_at(&f, 0x1000 * 1000), "one that moves");
	for (i = 0; i < f.nr; i++)
		others += f.item[i].name != f.item[0].name;
	CHECK_INT(others, 0);
	user_functions_free(&f);
	buf_free(&b);
}

/* What is named at an address of this process, by the file that has been written. */
static void check_file(const char *expected)
{
	struct user_files files = { 0 };
	struct buf line = { 0 }, out = { 0 };

	buf_printf(&line, "1 anon 0:0 0 0 0 %d - [anon]\n", getpid());
	CHECK_INT(user_files_update(&files, &line), 0);
	CHECK(user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x1010));
	user_files_name(&files, &out);
	CHECK(out.data && strstr(out.data, expected));
	user_files_free(&files);
	buf_free(&line);
	buf_free(&out);
}

static void test_file(void)
{
	char path[64], link[80];
	struct buf b = { 0 };
	int fd;

	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", getpid());
	snprintf(link, sizeof(link), "/tmp/jit-%d.real", getpid());
	add_header(&b, 0x4a695444, 1);
	add_load(&b, 0x1000, 0x100, 1, "generated");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0 && write(fd, b.data, b.len) == (ssize_t)b.len);
	close(fd);
	check_file("\tgenerated\n");
	CHECK(!rename(path, link) && !symlink(link, path));
	check_file("\t[anon]\n");		/* a link is not followed */
	unlink(path);
	unlink(link);
	buf_free(&b);
}

static const struct unit_test tests[] = {
	{ "functions that are loaded, and moved", test_records },
	{ "functions that others replace", test_replaced },
	{ "many in layers", test_layers },
	{ "a name is kept once, however often its code moves", test_moved_often },
	{ "what makes no sense", test_hostile },
	{ "the file of a process, which is no link", test_file },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
