// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_symtab.c - symbols: sizes, aliases, modules, hidden addresses
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/symtab.h"
#include "unit.h"

static int load_by(int (*how)(struct symtab *, const char *), struct symtab *s, const char *text)
{
	char path[32];
	int fd = memfd_create("kallsyms", 0), ret;

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*s = (struct symtab){ 0 };
	ret = how(s, path);
	close(fd);
	return ret;
}

static int load(struct symtab *s, const char *text)
{
	return load_by(symtab_load_kallsyms, s, text);
}

static const char *name_at(const struct symtab *s, uint64_t addr)
{
	const struct symbol *sym = symtab_find(s, addr);

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
	struct symtab s;

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
	CHECK_STR(symtab_find(&s, 0xffffffffc0000000)->module, "mod");
	CHECK(!symtab_find(&s, 0xffffffff81000000)->module);
	symtab_free(&s);
}

static const char aliases[] =
	"ffffffff81000000 t __do_sys_getppid\n"
	"ffffffff81000000 T __ia32_sys_getppid\n"
	"ffffffff81000000 T __x64_sys_getppid\n"
	"ffffffff81000100 W memcpy\n"
	"ffffffff81000100 T __memcpy\n";

/* An entry before what is behind it; and what the user calls it before either. */
static void test_aliases(void)
{
	struct symtab s;

	CHECK(!load(&s, aliases));
	CHECK_STR(name_at(&s, 0xffffffff81000000), "__x64_sys_getppid");
	CHECK_STR(name_at(&s, 0xffffffff81000100), "memcpy");
	symtab_prefer(&s, "__x64_sys_getppi\n__memcpy_x\n");
	CHECK_STR(name_at(&s, 0xffffffff81000000), "__x64_sys_getppid");
	CHECK_STR(name_at(&s, 0xffffffff81000100), "memcpy");
	symtab_prefer(&s, "mod:__do_sys_getppid by=comm\t# calls\n__memcpy\t# calls\n");
	CHECK_STR(name_at(&s, 0xffffffff81000000), "__do_sys_getppid");
	CHECK_STR(name_at(&s, 0xffffffff81000104), "__memcpy");
	symtab_free(&s);
}

/* What lies far beyond the last function before a gap belongs to nobody. */
static void test_gaps(void)
{
	struct symtab s;

	CHECK(!load(&s, kallsyms));
	CHECK_STR(name_at(&s, 0xffffffff81000200), "weak");
	CHECK_STR(name_at(&s, 0xffffffff81100000), "none");
	CHECK_STR(name_at(&s, 0xffffffffc0000030), "mod_late");
	CHECK_STR(name_at(&s, 0xffffffffffffffff), "none");
	symtab_free(&s);
}

/* Text bounds variables, as these bound text. */
static void test_variables(void)
{
	static const char text[] =
		"ffffffff81000000 T before\n"
		"ffffffff81000080 D locks\n"
		"ffffffff810000c0 T code\n"
		"ffffffff81000100 b last\n"
		"ffffffffc0002000 d mod_lock\t[mod]\n";
	struct symtab s;

	CHECK(!load_by(symtab_load_kallsyms_data, &s, text));
	CHECK_STR(name_at(&s, 0xffffffff81000000), "none");
	CHECK_STR(name_at(&s, 0xffffffff810000bf), "locks");
	CHECK_STR(name_at(&s, 0xffffffff810000c0), "none");
	CHECK_STR(name_at(&s, 0xffffffff81000108), "last");
	CHECK_STR(name_at(&s, 0xffffffff81800000), "none");
	CHECK_STR(symtab_find(&s, 0xffffffffc0002008)->module, "mod");
	CHECK_STR(name_at(&s, 0xffff888100000010), "none");
	symtab_free(&s);
}

static void test_round_trip(void)
{
	struct symtab s, copy = { 0 };
	struct buf text = { 0 };
	size_t i;

	CHECK(!load(&s, kallsyms));
	for (i = s.nr; i-- > 0;)
		symtab_print(&text, &s.sym[i]);
	CHECK(!symtab_parse(&copy, &text));
	CHECK_INT(copy.nr, s.nr);
	for (i = 0; i < s.nr && i < copy.nr; i++) {
		CHECK_INT(copy.sym[i].start, s.sym[i].start);
		CHECK_INT(copy.sym[i].size, s.sym[i].size);
	}
	CHECK_STR(symtab_find(&copy, 0xffffffffc0000000)->module, "mod");
	symtab_free(&s);
	symtab_free(&copy);
}

static void test_refused(void)
{
	struct symtab s;

	CHECK(load(&s, "0000000000000000 T hidden\n0000000000000000 t too\n"));
	CHECK_INT(errno, EACCES);
	symtab_free(&s);
	CHECK(load(&s, "ffffffff81000000\n"));
	CHECK_INT(errno, EINVAL);
	symtab_free(&s);
	CHECK(load(&s, "xyz T name\n"));
	symtab_free(&s);
	CHECK(!load(&s, ""));
	CHECK_STR(name_at(&s, 1), "none");
	symtab_free(&s);
}

static const struct unit_test tests[] = {
	{ "an address finds its symbol, the first of aliases", test_find },
	{ "of the names of an address the entry's is taken, or the one given", test_aliases },
	{ "an address in a gap finds none", test_gaps },
	{ "variables are found if these are asked for", test_variables },
	{ "symbols survive printing and parsing", test_round_trip },
	{ "hidden addresses and malformed lines are refused", test_refused },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
