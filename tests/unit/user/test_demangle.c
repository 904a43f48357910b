// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_demangle.c - readable names of functions, also of such that have no end
 */
#include <string.h>
#include <time.h>

#include "unit.h"
#include "user/demangle.h"

static const char *readable(const char *name)
{
	static struct buf text;

	text.len = 0;
	user_demangle(&text, name);
	return text.data;
}

static void test_usual(void)
{
	CHECK_STR(readable("main"), "main");
	CHECK_STR(readable("_start"), "_start");
	CHECK_STR(readable("_Zodd"), "_Zodd");
#ifdef KPROF_DEMANGLE
	CHECK_STR(readable("_ZN3foo3barEi"), "foo::bar(int)");
	CHECK_STR(readable("_RNvC3foo3bar"), "foo::bar");
	CHECK_STR(readable("_ZN4core3fmt3pad17h0123456789abcdefE"), "core::fmt::pad");
	CHECK_STR(readable("_D3foo3barFZv"), "foo.bar()");
	CHECK_STR(readable("_D3std5stdio4FileQlFZv"), "std.stdio.File.stdio()");
#endif
}

/* Two names that differ in the last character only stay two, however long they are. */
static void test_long(void)
{
	static const size_t lengths[] = { 1100, 5000, 17000, 70000 };
	struct buf name = { 0 }, first = { 0 };
	size_t i;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		name.len = 0;
		buf_printf(&name, "L%0*da", (int)lengths[i], 0);
		first.len = 0;
		buf_printf(&first, "%s", readable(name.data));
		if (lengths[i] < 65536)
			CHECK_STR(first.data, name.data);
		name.data[name.len - 1] = 'b';
		CHECK(strcmp(readable(name.data), first.data));
	}
	buf_free(&name);
	buf_free(&first);
}

/* A pair of two pairs, which are each of two pairs, and so on. */
static void test_endless(void)
{
	struct buf name = { 0 };
	clock_t begin = clock();
	int i;

	buf_printf(&name, "_Z1fSt4pairIiiES_IS0_S0_E");
	for (i = 1; i < 24; i++)
		buf_printf(&name, "S_IS%c_S%c_E", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i],
			   "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i]);
	CHECK(strlen(readable(name.data)) <= 1024);
	CHECK(clock() - begin < CLOCKS_PER_SEC);
	buf_free(&name);
}

#ifdef KPROF_DEMANGLE
static void check_as_written(const char *begin, const char *piece, int nr, const char *end)
{
	struct buf name = { 0 };
	int i;

	buf_printf(&name, "%s", begin);
	for (i = 0; i < nr; i++)
		buf_printf(&name, "%s", piece);
	buf_printf(&name, "%s", end);
	CHECK_STR(readable(name.data), name.data);
	buf_free(&name);
}

/* They make no text, but keep the demangler busy: as many as are tried, and then no name is. */
static void test_busy(void)
{
	int i;

	check_as_written("_D1a", "FS1a", 42, "");
	check_as_written("_RNvMIC1aFG", "z", 8, "_EuEu1b");
	CHECK_STR(readable("_ZN3foo3barEi"), "foo::bar(int)");
	for (i = 2; i < DEMANGLE_FAILURES; i++)
		check_as_written("_D1a", "FS1a", 42 + i, "");
	CHECK_STR(readable("_ZN3foo3barEi"), "_ZN3foo3barEi");
}
#endif

/* One that refers to itself: after some text it is no name. */
static void test_none(void)
{
	CHECK_STR(readable("_RYSSCu8gdel_5qaB_"), "_RYSSCu8gdel_5qaB_");
}

static const struct unit_test tests[] = {
	{ "names of C, C++, Rust and D", test_usual },
	{ "long names are not cut where they tell two functions apart", test_long },
	{ "a short name that is without end when it is readable", test_endless },
	{ "what is a name of Rust only in its beginning", test_none },
#ifdef KPROF_DEMANGLE
	{ "names that keep the demangler busy without an end", test_busy },
#endif
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
