// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_symbols.c - symbols: sizes, aliases, modules, hidden addresses
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/symtab.h"
#include "unit.h"

static int load(struct symbols *s, const char *text)
{
	char path[32];
	int fd = memfd_create("kallsyms", 0), ret;

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*s = (struct symbols){ 0 };
	ret = symbols_load_kallsyms(s, path);
	close(fd);
	return ret;
}

static const char *name_at(const struct symbols *s, uint64_t addr)
{
	const struct symbol *sym = symbols_find(s, addr);

	return sym ? sym->name : "none";
}

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T first\n"
	"ffffffff81000000 t alias\n"
	"ffffffff81000040 t second\n"
	"ffffffff81000080 D data\n"
	"ffffffff81000100 W weak\n"
	"ffffffffc0000020 t mod_late\t[mod]\n"
	"ffffffffc0000000 t mod_early\t[mod]\n"
	"ffffffffc0000010 t $x\t[mod]\n";

static void test_find(void)
{
	struct symbols s;

	CHECK(!load(&s, kallsyms));
	CHECK_STR(name_at(&s, 0), "none");
	CHECK_STR(name_at(&s, 0xffffffff80ffffff), "none");
	CHECK_STR(name_at(&s, 0xffffffff81000000), "first");
	CHECK_STR(name_at(&s, 0xffffffff8100003f), "first");
	CHECK_STR(name_at(&s, 0xffffffff81000040), "second");
	CHECK_STR(name_at(&s, 0xffffffff8100007f), "second");
	CHECK_STR(name_at(&s, 0xffffffff81000080), "none");
	CHECK_STR(name_at(&s, 0xffffffff81000100), "weak");
	CHECK_STR(name_at(&s, 0xffffffffc000001f), "mod_early");
	CHECK_STR(name_at(&s, 0xffffffffc0000020), "mod_late");
	CHECK_STR(symbols_find(&s, 0xffffffffc0000000)->module, "mod");
	CHECK(!symbols_find(&s, 0xffffffff81000000)->module);
	symbols_free(&s);
}

/* What lies far beyond the last function before a gap belongs to nobody. */
static void test_gaps(void)
{
	struct symbols s;

	CHECK(!load(&s, kallsyms));
	CHECK_STR(name_at(&s, 0xffffffff81000200), "weak");
	CHECK_STR(name_at(&s, 0xffffffff81100000), "none");
	CHECK_STR(name_at(&s, 0xffffffffc0000030), "mod_late");
	CHECK_STR(name_at(&s, 0xffffffffffffffff), "none");
	symbols_free(&s);
}

static void test_round_trip(void)
{
	struct symbols s, copy = { 0 };
	struct buf text = { 0 };
	size_t i;

	CHECK(!load(&s, kallsyms));
	for (i = s.nr; i-- > 0;)
		symbols_print(&text, &s.sym[i]);
	CHECK(!symbols_parse(&copy, &text));
	CHECK_INT(copy.nr, s.nr);
	for (i = 0; i < s.nr && i < copy.nr; i++) {
		CHECK_INT(copy.sym[i].start, s.sym[i].start);
		CHECK_INT(copy.sym[i].size, s.sym[i].size);
	}
	CHECK_STR(symbols_find(&copy, 0xffffffffc0000000)->module, "mod");
	symbols_free(&s);
	symbols_free(&copy);
}

static void test_refused(void)
{
	struct symbols s;

	CHECK(load(&s, "0000000000000000 T hidden\n0000000000000000 t too\n"));
	CHECK_INT(errno, EACCES);
	symbols_free(&s);
	CHECK(load(&s, "ffffffff81000000\n"));
	CHECK_INT(errno, EINVAL);
	symbols_free(&s);
	CHECK(load(&s, "xyz T name\n"));
	symbols_free(&s);
	CHECK(!load(&s, ""));
	CHECK_STR(name_at(&s, 1), "none");
	symbols_free(&s);
}

static const struct unit_test tests[] = {
	{ "an address finds its symbol, the first of aliases", test_find },
	{ "an address in a gap finds none", test_gaps },
	{ "symbols survive printing and parsing", test_round_trip },
	{ "hidden addresses and malformed lines are refused", test_refused },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
