// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rules_limits.c - a file that describes frames at great length, or in places that cannot
 * be, takes little at a time, and no more than a limit
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "eh_frame.h"
#include "kprof_rules.h"
#include "unit.h"
#include "user/rules.h"

#define OFFSET	0x100000	/* of the code in the file */

/* What came of a file. */
static struct result {
	struct buf table;
	size_t steps;
	bool all;
	const struct kprof_rules_header *header;
	const uint32_t *from;
} result;

static void make(int fd)
{
	static const struct user_file no_file = { .fd = -1 };
	struct user_rules *r = user_rules_begin(fd);

	result.table.len = 0;
	for (result.steps = 1; user_rules_step(r); result.steps++)
		;
	result.all = user_rules_finish(r, 1, &no_file, &result.table);
	user_rules_free(r);
	close(fd);
	result.header = (const void *)result.table.data;
	result.from = (const void *)((const struct kprof_rule *)(result.header + 1) +
				     result.header->nr_rules);
}

static bool ascends(void)
{
	uint32_t i;

	for (i = 1; i < result.header->nr_rows; i++)
		if (result.from[i - 1] >= result.from[i])
			return false;
	return true;
}

/* Nothing is left out of what compilers may write. */
static void test_usual(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS }, { 16, 2000, EH_TURNS } };
	uint32_t i;

	make(eh_file(f, 2, 1, OFFSET, 0, 0));
	CHECK(result.all);
	CHECK_INT(result.header->nr_rows, 10 + 1 + 2000 + 1);
	for (i = 0; i < 2000 && result.header->nr_rows > 2000; i++)
		CHECK_INT(result.from[11 + i], OFFSET + 16 + i);
}

/* Each piece costs as much as all before it; as their rules are alike, they are one row. */
static void test_long_function(void)
{
	static const struct eh_function f[] = { { 0, 65000, EH_ALIKE }, { 70000, 1, EH_ALIKE } };

	make(eh_file(f, 2, 1, OFFSET, 0, 0));
	CHECK(result.steps > 4);
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 4);	/* and two gaps */
	CHECK_INT(result.from[0], OFFSET);
	CHECK(result.from[1] >= OFFSET + 2000 && result.from[1] < OFFSET + 10000);
	CHECK_INT(result.from[2], OFFSET + 70000);
}

/* The table has two functions in turn, so that every second entry is before the last. */
static void test_same_functions(void)
{
	static const struct eh_function f[] = { { 0, 1000, EH_ALIKE }, { 2000, 1000, EH_ALIKE } };

	make(eh_file(f, 2, 3000, OFFSET, 0, 0));
	CHECK(result.all);
	CHECK_INT(result.header->nr_rows, 4);
}

/* Many long functions: those that are made are kept. */
static void test_all_in_all(void)
{
	static struct eh_function f[400];
	int i;

	for (i = 0; i < 400; i++)
		f[i] = (struct eh_function) { 5000 * i, 4000, EH_ALIKE };
	make(eh_file(f, 400, 1, OFFSET, 0, 0));
	CHECK(!result.all);
	CHECK(result.header->nr_rows >= 2 && result.header->nr_rows < 800);
	CHECK(ascends());
}

/* More rules than a table has room for: the module would refuse it. The last ones are unknown. */
static void test_many_rules(void)
{
	enum { FUNCTIONS = 700, PIECES = 101, UNIQUE = KPROF_MAX_RULES - 3 };
	static struct eh_function f[FUNCTIONS];
	const struct kprof_rule *rule;
	const uint16_t *number;
	uint32_t nr, i, unknown = 0;

	for (i = 0; i < FUNCTIONS; i++)
		f[i] = (struct eh_function) { PIECES * i, PIECES, EH_UNIQUE };
	make(eh_file(f, FUNCTIONS, 1, OFFSET, 0, 0));
	CHECK(!result.all);
	CHECK(ascends());
	nr = result.header->nr_rows;
	CHECK_INT(result.header->nr_rules, KPROF_MAX_RULES);
	rule = (const void *)(result.header + 1);
	number = (const void *)(result.from + nr);
	for (i = 0; i < nr; i++) {
		CHECK(number[i] < result.header->nr_rules);
		unknown += rule[number[i]].kind == KPROF_RULE_UNKNOWN;
	}
	/*
	 * Beside those of no other piece there are the rule that all functions begin with, that of
	 * gaps and the one for the rest, which is a row between the beginnings of two functions.
	 */
	CHECK_INT(unknown, FUNCTIONS - UNIQUE / (PIECES - 1));
}

/* What would be read into memory whole. */
static void test_large(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS } };

	make(eh_file(f, 1, 1, OFFSET, 65 << 20, 66 << 20));
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
	make(eh_file(f, 1, 1, OFFSET, 0, 257 << 20));
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
	make(eh_file(f, 1, 1, OFFSET, 1 << 20, 2 << 20));
	CHECK(result.all);
	CHECK_INT(result.header->nr_rows, 11);
}

/* Sections at the end of a file; the second one has the names of all. */
static int add_sections(int fd, uint64_t at, Elf64_Shdr first, Elf64_Shdr names)
{
	const Elf64_Ehdr header = {
		.e_shoff = at, .e_ehsize = sizeof(header), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 3, .e_shentsize = sizeof(first), .e_shstrndx = 1,
	};
	const size_t from = offsetof(Elf64_Ehdr, e_shoff), len = sizeof(header) - from;

	if (pwrite(fd, (const char *)&header + from, len, from) != (ssize_t)len ||
	    pwrite(fd, &first, sizeof(first), at) != sizeof(first) ||
	    pwrite(fd, &names, sizeof(names), at + sizeof(first)) != sizeof(names))
		abort();
	return fd;
}

/* A file with a hole, in which there would be room for them. */
static void test_sections(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS } };
	const uint64_t nr = (1u << 20) + 1, at = 1 << 20;
	int fd = eh_file(f, 1, 1, OFFSET, 0, at + nr * sizeof(Elf64_Shdr));

	make(add_sections(fd, at, (Elf64_Shdr) { .sh_size = nr }, (Elf64_Shdr) { .sh_type = 0 }));
	CHECK_INT(result.header->nr_rows, 0);
}

/* Names of sections, without an end or compressed, in a hole behind @nr sections. */
static void make_with_names(uint64_t nr, uint64_t size, uint64_t flags)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS } };
	const uint64_t at = 1 << 20, names = at + nr * sizeof(Elf64_Shdr);
	int fd = eh_file(f, 1, 1, OFFSET, 0, names + size);

	make(add_sections(fd, at, (Elf64_Shdr) { .sh_size = nr }, (Elf64_Shdr) {
		.sh_type = SHT_STRTAB, .sh_offset = names, .sh_size = size, .sh_flags = flags,
	}));
}

static void test_names(void)
{
	make_with_names(5000, 1 << 20, 0);
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
	make_with_names(10, 2 << 20, 0);
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
	make_with_names(10, 100, SHF_COMPRESSED);
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
	/* None is that of .eh_frame: they are memory that libelf would not free. */
	make_with_names(10, 100, 0);
	CHECK(!result.all);
	CHECK_INT(result.header->nr_rows, 0);
}

/* The module's offsets have 32 bits. */
static void test_offsets(void)
{
	static const struct eh_function f[] = { { 0, 10, EH_TURNS }, { 16, 100, EH_ALIKE },
						{ 200, 10, EH_TURNS } };

	make(eh_file(f, 3, 1, UINT64_MAX - 49, 0, 0));	/* the second begins before, ends after 0 */
	CHECK(ascends());
	make(eh_file(f, 3, 1, UINT32_MAX - 49, 0, 0));
	CHECK(ascends());
	CHECK_INT(result.header->nr_rows, 13);	/* a part of the second is there */
	CHECK_INT(result.from[0], UINT32_MAX - 49);
	CHECK_INT(result.from[12], UINT32_MAX);
}

static const struct unit_test tests[] = {
	{ "what is usual is all there", test_usual },
	{ "a function with a great many pieces", test_long_function },
	{ "the same functions again and again", test_same_functions },
	{ "more work than is reasonable", test_all_in_all },
	{ "more rules than a table has room for", test_many_rules },
	{ "more memory than is reasonable", test_large },
	{ "more sections than any program has", test_sections },
	{ "names of sections through which one looks for long", test_names },
	{ "offsets beyond 32 and 64 bits", test_offsets },
	{ NULL, NULL }
};

int main(void)
{
	int ret;

	if (!user_rules_are_possible()) {
		puts("KTAP version 1\n1..0 # SKIP built without libdw");
		return 0;
	}
#ifdef __x86_64__
	ret = unit_run(tests);
	buf_free(&result.table);
#else
	(void)tests;
	puts("KTAP version 1\n1..0 # SKIP rules are for x86-64");
	ret = 0;
#endif
	return ret;
}
