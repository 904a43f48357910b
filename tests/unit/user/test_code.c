// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_code.c - functions of a file by offset, files of a table, names as their authors wrote them
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "kprof.h"
#include "symbols/symtab.h"
#include "unit.h"
#include "user/code.h"
#include "user/demangle.h"
#include "user/files.h"

static const char *name_at(const struct user_functions *f, uint64_t offset)
{
	const struct user_function *one = user_functions_find(f, offset);

	return one ? one->name : "none";
}

static void test_functions(void)
{
	struct user_functions f = { 0 };

	CHECK_STR(name_at(&f, 0), "none");
	user_functions_add(&f, 0x200, 0x10, "second", 0);
	user_functions_add(&f, 0x100, 0, "first", 5);
	user_functions_add(&f, 0x100, 0, "alias", 1);
	user_functions_add(&f, 0x300, 0, "last", 0);
	user_functions_sort(&f);
	CHECK_STR(name_at(&f, 0xff), "none");
	CHECK_STR(name_at(&f, 0x100), "first");
	CHECK_STR(name_at(&f, 0x1ff), "first");
	CHECK_STR(name_at(&f, 0x20f), "second");
	CHECK_STR(name_at(&f, 0x210), "none");
	CHECK_STR(name_at(&f, 0x300), "last");
	CHECK_STR(name_at(&f, UINT64_MAX), "none");
	user_functions_free(&f);
}

static void expect_name(const char *mangled, const char *readable)
{
	struct buf out = { 0 };

	user_demangle(&out, mangled);
	CHECK_STR(out.data, readable);
	buf_free(&out);
}

static void test_names(void)
{
	char *endless = malloc(5001);

	expect_name("main", "main");
	expect_name("_Z", "_Z");
	expect_name("_not_mangled", "_not_mangled");
#ifdef KPROF_DEMANGLE
	expect_name("_ZN6WorkerImE4spinEm", "Worker<unsigned long>::spin(unsigned long)");
	expect_name("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	expect_name("_RNvCs1234_7mycrate3foo", "mycrate::foo");
	expect_name("_D3foo3barFZv", "foo.bar()");
#endif
	memset(endless, 'S', 5000);
	memcpy(endless, "_Z", 2);
	endless[5000] = '\0';
	endless[1024] = '\0';
	expect_name(endless, endless);
	free(endless);
}

static int update(struct user_files *files, const char *text)
{
	struct buf buf = { 0 };
	int ret;

	buf_add(&buf, text, strlen(text));
	ret = user_files_update(files, &buf);
	buf_free(&buf);
	return ret;
}

static void test_table(void)
{
	static const char *const bad[] = {
		"x", "1", "1 file 0:0 5", "1 file 00 1 2 3 4 - /a", "1 file 0:0 1 2 x 4 - /a",
		"99999999999 file 0:0 1 2 3 4 - /a",
	};
	struct user_files files = { 0 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_INT(update(&files, bad[i]), -1);
	CHECK_INT(update(&files, "1 file 0:0 1 2 -3 4 - /no\\040w\\012here\n"
				 "3 anon 0:0 0 0 0 77 - [anon]\n"), 0);
	CHECK_INT(files.nr, 4);
	CHECK_STR(files.file[1].path, "/no w\nhere");
	CHECK_INT(files.file[1].mtime_ns, -3);
	CHECK_INT(files.file[1].fd, -1);
	CHECK(!files.file[2].path);
	CHECK_INT(files.file[3].tgid, 77);
	CHECK(user_files_want(&files, 0x1234));
	CHECK(!user_files_want(&files, 4ull << KPROF_USER_SHIFT));
	user_files_free(&files);
}

/* What is known of a file of ours, as the module has it. */
static void describe(struct buf *out, const char *path, off_t more)
{
	struct stat st;

	if (stat(path, &st))
		abort();
	buf_printf(out, "1 file %u:%u %llu %lld %lld 1 - %s\n", major(st.st_dev), minor(st.st_dev),
		   (unsigned long long)st.st_ino, (long long)(st.st_size + more),
		   st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec, path);
}

/* A file that is not the one that was mapped names nothing; nothing ends a line but its end. */
static void test_naming(void)
{
	struct user_files files = { 0 };
	struct buf line = { 0 }, out = { 0 };
	int other;

	for (other = 0; other < 2; other++) {
		line.len = 0;
		describe(&line, "/proc/self/exe", other);
		CHECK_INT(update(&files, line.data), 0);
		CHECK_INT(files.file[1].fd >= 0, !other);
		CHECK(user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10));
		user_files_free(&files);
		files = (struct user_files) { 0 };
	}
	update(&files, "1 file 0:0 1 2 3 4 - /no/b\\012c\\011\n");
	user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10);
	user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10);
	user_files_name(&files, &out);
	CHECK_STR(out.data, "1000000000010 1\tb?c?\t[b?c?]\n");
	user_files_free(&files);
	buf_free(&line);
	buf_free(&out);
}

static void test_lines(void)
{
	static const char *const bad[] = {
		"1 2", "1 2\tx", "1\t2\tx\ty", "x 1\tx\ty", "1 0\tx\ty", "1 ffffffffffffffff\tx\ty",
	};
	struct symtab s = { 0 };
	struct buf text = { 0 };
	size_t i;

	buf_printf(&text, "1000000000010 20\tlib.so\toperator new(unsigned long)\n"
			  "2000000000000 1\t[anon]\t\n");
	CHECK_INT(symtab_parse_code(&s, &text), 0);
	CHECK_STR(symtab_find(&s, 0x100000000002full)->name, "operator new(unsigned long)");
	CHECK_STR(symtab_find(&s, 0x1000000000010ull)->module, "lib.so");
	CHECK(!symtab_find(&s, 0x1000000000030ull));
	symtab_free(&s);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		buf_printf(&text, "%s\n", bad[i]);
		CHECK_INT(symtab_parse_code(&s, &text), -1);
		symtab_free(&s);
	}
}

static const struct unit_test tests[] = {
	{ "an offset finds its function, the best of aliases", test_functions },
	{ "names as their authors wrote them", test_names },
	{ "the table of files, and lines that are none", test_table },
	{ "only the file that was mapped is opened", test_naming },
	{ "functions of user code in a recording", test_lines },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
