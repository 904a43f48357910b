// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_named.c - the names that a user gives to functions
 */
#include "symbols/named.h"
#include "unit.h"

static bool is(const char *full, const char *name)
{
	const struct symbol sym = { .name = full, .module = "prog" };

	return named_is_bare(&sym, name);
}

static void test_is(void)
{
	const struct symbol sym = { .name = "ns::f(int)", .module = "prog" };

	CHECK(named_is(&sym, "ns::f(int)"));
	CHECK(named_is(&sym, "prog:ns::f(int)"));
	CHECK(!named_is(&sym, "other:ns::f(int)"));
	CHECK(!named_is(&sym, "ns::f"));
	CHECK(!named_is(&sym, "prog:"));
}

static void test_parameters(void)
{
	CHECK(is("has_inlined(int)", "has_inlined"));
	CHECK(is("has_inlined(int)", "prog:has_inlined"));
	CHECK(!is("has_inlined(int)", "other:has_inlined"));
	CHECK(!is("has_inlined(int)", "has"));
	CHECK(!is("has_inlined(int)", "inlined"));
	CHECK(!is("has_inlined(int)", "int"));
	CHECK(!is("has_inlined(int)", ""));
	CHECK(!is("has_inlined(int)", "prog:"));
	CHECK(is("ns::f(void (*)(int), long) const", "ns::f"));
	CHECK(is("ns::f(void (*)(int), long) const", "prog:ns::f"));
	CHECK(!is("ns::f(void (*)(int), long) const", "f"));
	CHECK(!is("ns::f(std::vector<int> const&)", "const&"));
	CHECK(is("f(int) [clone .isra.0]", "f"));
	CHECK(is("(anonymous namespace)::f(int)", "(anonymous namespace)::f"));
	CHECK(!is("(anonymous namespace)::f(int)", "(anonymous namespace)"));
	CHECK(is("A::operator()(int)", "A::operator()"));
	CHECK(!is("A::operator()(int)", "A::operator"));
	/* What they are followed by is of another function. */
	CHECK(!is("f(int)::{lambda()#1}::operator()() const", "f"));
	/* A name of C is one as a whole. */
	CHECK(!is("has_inlined", "has_inlined"));
	CHECK(!is("has_inlined.cold", "has_inlined"));
}

static void test_templates(void)
{
	CHECK(is("void fill<int>(int)", "fill"));
	CHECK(is("void fill<int>(int)", "fill<int>"));
	CHECK(is("std::pair<int, int> ns::fill<(kind)1>(int)", "prog:ns::fill"));
	CHECK(!is("void fill<int>(int)", "void"));
	CHECK(!is("std::pair<int, int> ns::fill<int>(int)", "std::pair"));
	CHECK(!is("fill<int>::inner(int)", "fill"));
	CHECK(is("core::ptr::drop_in_place<alloc::string::String>", "core::ptr::drop_in_place"));
	CHECK(is("core::ptr::drop_in_place::<[u8; 4]>", "core::ptr::drop_in_place"));
	CHECK(is("call::<fn() -> u8>", "call"));
}

/* Names come from files, which anyone may have made. */
static void test_broken(void)
{
	CHECK(is("f(", "f"));
	CHECK(is("f<", "f"));
	CHECK(!is(")f", "f"));
	CHECK(!is("> > ) f", "g"));
	CHECK(!is("", "f"));
	CHECK(!is("<", "f"));
}

static const struct unit_test tests[] = {
	{ "a name is one with and without its module", test_is },
	{ "parameters of a function need not be given", test_parameters },
	{ "nor those of a template, and what it returns", test_templates },
	{ "brackets that do not match end somewhere", test_broken },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
