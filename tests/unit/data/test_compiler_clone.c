// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_compiler_clone.c - which names are copies of a function that a compiler has made
 */
#include <string.h>

#include "data/compiler_clone.h"
#include "unit.h"

/* @function: NULL: it is no copy */
static void check(const char *name, const char *function)
{
	struct buf out = { 0 };
	bool is_clone = compiler_clone_of(name, strlen(name), &out);

	CHECK_INT(is_clone, !!function);
	if (is_clone && function)
		CHECK_STR(out.data, function);
	buf_free(&out);
}

static void test_copies(void)
{
	check("crunch::h0123456789abcdef", "crunch");
	check("crunch.constprop.0", "crunch");
	check("crunch.isra.12", "crunch");
	check("crunch.isra.0.constprop.1", "crunch");
	check("crunch.llvm.1234567890", "crunch");
	check("crunch::h0123456789abcdef.llvm.12", "crunch");
	check("crunch.part.0", "crunch.part");
	check("crunch.constprop.0.part.3", "crunch.constprop.0.part");
}

static void test_behind(void)
{
	check("crunch.constprop.0 [ext4]", "crunch [ext4]");
	check("crunch.isra.0_[k]", "crunch_[k]");
	check("crunch.isra.0+0x1f", "crunch+0x1f");
	check("crunch.isra.0 [ext4]_[k]", "crunch [ext4]_[k]");
}

static void test_others(void)
{
	check("crunch", NULL);
	check("crunch.cold", NULL);
	check("crunch.isra.", NULL);
	check("crunch.constprop.a", NULL);
	check("crunch::h0123456789abcde", NULL);
	check("crunch::h0123456789abcdeg", NULL);
	check(".isra.0", NULL);
	check("::h0123456789abcdef", NULL);
	check("", NULL);
	check("1.5", NULL);
}

static const struct unit_test tests[] = {
	{ "copies", test_copies },
	{ "modules, offsets and annotations stay", test_behind },
	{ "other names", test_others },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
