// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_user_target.c - names of functions in programs become offsets in their files
 *
 * The program is this one; where its functions are in the file, its mappings tell.
 */
#include <stdlib.h>
#include <unistd.h>

#include "translated.h"

__attribute__((noinline, used)) int known_first(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

__attribute__((noinline, used)) int known_second(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

/* Names as compilers of C++ and Rust make them. */
__attribute__((noinline, used)) int known_template(int n) __asm__("_ZN5known5thirdIiEEiT_");
int known_template(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 2;
}

__attribute__((noinline, used)) int known_rust(int n)
	__asm__("_ZN5known6fourth17h0123456789abcdefE");
int known_rust(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 3;
}

static char *text(const char *format, unsigned long one, unsigned long other)
{
	static struct buf out;

	out.len = 0;
	buf_printf(&out, format, self, one, self, other);
	return out.data;
}

static void test_names(void)
{
	unsigned long first = offset_of(known_first), second = offset_of(known_second);

	CHECK(first && second && first != second);
	expect("%s:known_first", text("%s:0x%lx as=%s:known_first\n", first, 0));
	expect("%s:known_first by=$arg1:u32",
	       text("%s:0x%lx by=$arg1:u32 as=%s:known_first\n", first, 0));
	expect("%s:known_first as=it", text("%s:0x%lx as=it\n", first, 0));
	expect("/proc/self/exe:known_first()|../../../../../../../../..%s:known_second()",
	       text("%s:0x%lx()|%s:0x%lx()\n", first, second));
	expect("%s:known_first($arg1>2)|vfs_read", text("%s:0x%lx($arg1>2)|vfs_read\n", first, 0));
	expect("%s:known_first()..%s:known_second%%return(+0($arg1)==1)",
	       text("%s:0x%lx()..%s:0x%lx%%return(+0($arg1)==1)\n", first, second));
	expect("vfs_read()..%s:known_first()", text("vfs_read()..%s:0x%lx()\n", first, 0));
	expect("%s:known_first+1()", text("%s:0x%lx()\n", first + 1, 0));
	expect("%s:known_sec*d", text("match %s:0x%lx as=%s:known_second\n", second, 0));
	expect("%s:0x10()", text("%s:0x%lx()\n", 0x10, 0));
}

/* As one writes them: without types, parameters and hashes. */
static void test_readable(void)
{
	unsigned long third = offset_of(known_template), fourth = offset_of(known_rust);

	expect("%s:known::third()", text("%s:0x%lx()\n", third, 0));
	expect("%s:known::third<int>()", text("%s:0x%lx()\n", third, 0));
	expect("%s:known::fourth()", text("%s:0x%lx()\n", fourth, 0));
	expect("%s:known::thir()", "refused");
	expect("%s:third()", "refused");
	expect("%s:known::four()", "refused");
}

static void test_refused(void)
{
	expect("%s:known_third", "refused");
	expect("%s:known_third*", "refused");
	expect("%s:known_first+1", "refused");
	expect("%s:known_first+1%%return", "refused");
	expect("%s:known_first+x()", "refused");
	expect("%s:0x10", "refused");
	expect("/nowhere:main", "refused");
	expect("/dev/null:main", "refused");
}

static void copy_self(const char *path)
{
	FILE *from = fopen(self, "r"), *to = fopen(path, "w");
	char block[65536];
	size_t len;

	while (from && to && (len = fread(block, 1, sizeof(block), from)))
		fwrite(block, 1, len, to);
	if (!from || !to || fclose(from) || fclose(to))
		abort();
}

/* Any user can call a file so, and a link to it something else. */
static void test_paths(void)
{
	static const char *const odd[] = {
		"a b", "a\tb", "a\nvfs_read", "a;b", "a,b", "a#b", "a|b", "a(b", "a)b", "a%return",
		"a..b",
	};
	char dir[] = "/tmp/kprof-paths-XXXXXX", was[sizeof(self)], given[4200];
	size_t i;

	memcpy(was, self, sizeof(self));
	if (!mkdtemp(dir) || chdir(dir))
		abort();
	copy_self("a:b@c=d");
	snprintf(self, sizeof(self), "%s/a:b@c=d", dir);
	symlink("a:b@c=d", "link");
	snprintf(given, sizeof(given), "%s/link:known_first as=it", dir);
	expect(given, text("%s:0x%lx as=it\n", offset_of(known_first), 0));
	unlink("link");
	for (i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		CHECK(!link("a:b@c=d", odd[i]) && !symlink(odd[i], "link"));
		snprintf(self, sizeof(self), "%s/link", dir);
		expect("%s:known_first", "refused");
		expect("%s:known_f*", "refused");
		expect("%s:0x10()", "refused");
		expect("vfs_read()..%s:0x10()", "refused");
		unlink("link");
		unlink(odd[i]);
	}
	memcpy(self, was, sizeof(self));
	unlink("a:b@c=d");
	if (chdir("/") || rmdir(dir))
		abort();
}

static void test_others(void)
{
	static const char *const others[] = {
		"vfs_read", "tp:sched:sched_switch", "@offcpu", "no_library:function",
		"vfs_read by=+0($arg1):u8",
		"tp:a..tp:b", "", "..", "|", "(", ")", "a()(", ":", ":x", "x:", "/x", "..:", "a|", "../..",
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		CHECK(!user_target_is(others[i]));
}

static const struct unit_test tests[] = {
	{ "a name becomes an offset", test_names },
	{ "a name is as one writes it in C++ and Rust", test_readable },
	{ "what has no offset is refused", test_refused },
	{ "a path that would be more than one is refused", test_paths },
	{ "targets of the kernel are left alone", test_others },
	{ NULL, NULL }
};

int main(void)
{
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return unit_run(tests);
}
