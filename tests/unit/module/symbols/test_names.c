// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_names.c - names of frames: what folded text cannot carry, equal
 * names, addresses and return addresses, and their order
 */
#include "unit.h"
#include "symbols/names.c"

static struct kprof_names names;
static u32 nr_lookups;

/* Here is no function. */
#define NOTHING	(1UL << 19)

/* A function every 16 bytes: f0 below 16, f1, ...; those from 4096 on in a module. */
int sprint_symbol_no_offset(char *text, unsigned long addr)
{
	nr_lookups++;
	if (addr == NOTHING)
		return sprintf(text, "0x%lx", addr);
	return sprintf(text, addr < 4096 ? "f%lu" : "f%lu [module]", addr / 16);
}

static void start(void)
{
	memset(&names, 0, sizeof(names));
	nr_lookups = 0;
	CHECK_INT(kprof_names_init(&names), 0);
}

static void end(void)
{
	kprof_names_free(&names);
}

/* Before names have ranks they are in the order of their ids. */
static const char *text_of(u32 id)
{
	u32 length;
	const char *text = kprof_names_get(&names, id, &length);

	CHECK_INT(length, strlen(text));
	return text;
}

static void test_sanitize(void)
{
	static const struct {
		const char *from, *to;
	} pair[] = {
		{ "kworker/0:1-events", "kworker/0:1-events" },
		{ "", "" },
		{ ";", ":" },
		{ "a;b;c", "a:b:c" },
		{ "two words", "two words" },
		{ "line\nend\r\t", "line?end??" },
		{ "\x7f\x1b[31m", "??[31m" },
		{ "na\xc3\xafve", "na\xc3\xafve" },
		{ "Chrome 12", "Chrome 12" },
		{ "a 1 2", "a 1 2" },
		{ " 7", " 7" },
		{ "12", "12" },
		{ "a12", "a12" },
		{ "a 12b", "a 12b" },
		{ "a 12 ", "a 12 " },
	};
	u32 i;
	int id;

	start();
	for (i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		id = kprof_names_text(&names, pair[i].from);
		CHECK(id >= 0);
		CHECK_STR(text_of(id), pair[i].to);
		CHECK_INT(kprof_names_text(&names, pair[i].to), id);
	}
	end();
}

/* More names than the first table has room for, many of the same hash. */
static void test_many_texts(void)
{
	char text[32];
	u32 i;

	start();
	for (i = 0; i < 10000; i++) {
		sprintf(text, "name%u", i);
		CHECK_INT(kprof_names_text(&names, text), i);
	}
	for (i = 0; i < 10000; i++) {
		sprintf(text, "name%u", i);
		CHECK_INT(kprof_names_text(&names, text), i);
		CHECK_STR(text_of(i), text);
	}
	CHECK_INT(names.nr, 10000);
	end();
}

/* A call as the last instruction of a function returns into the next one. */
static void test_addresses(void)
{
	start();
	CHECK_STR(text_of(kprof_names_addr(&names, 32, true)), "f2");
	CHECK_STR(text_of(kprof_names_addr(&names, 32, false)), "f1");
	CHECK_STR(text_of(kprof_names_addr(&names, 33, false)), "f2");
	CHECK_STR(text_of(kprof_names_addr(&names, 4096, true)), "f256");
	CHECK_INT(kprof_names_addr(&names, 32, true), kprof_names_addr(&names, 47, true));
	CHECK_STR(text_of(kprof_names_addr(&names, NOTHING, true)), "[no symbol]");
	CHECK_INT(names.nr, 4);
	end();
}

/* Each address is looked up once, also after the table has grown. */
static void test_many_addresses(void)
{
	char text[32];
	u32 i, round;

	start();
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 20000; i++) {
			sprintf(text, "f%u", i / 16);
			CHECK_STR(text_of(kprof_names_addr(&names, i, true)), text);
		}
		CHECK_INT(nr_lookups, 20000);
	}
	CHECK_INT(names.nr, 1250);
	end();
}

static void test_rank(void)
{
	static const char * const text[] = { "b", "a", "ab", "B", "" };
	static const u32 expected[] = { 4, 2, 3, 1, 0 };
	u32 *rank, i, length;

	start();
	for (i = 0; i < 5; i++)
		CHECK_INT(kprof_names_text(&names, text[i]), i);
	rank = kprof_names_rank(&names);
	for (i = 0; i < 5; i++) {
		CHECK_INT(rank[i], expected[i]);
		CHECK_STR(kprof_names_get(&names, rank[i], &length), text[i]);
		CHECK_INT(length, strlen(text[i]));
	}
	kvfree(rank);
	end();
}

/* Memory runs out after @left pieces: an error, and what was there is there still. */
static void run_out_after(int left)
{
	char text[32];
	int id, err;
	u32 i;

	memset(&names, 0, sizeof(names));
	shim_vmallocs_left = left;
	err = kprof_names_init(&names);
	for (i = 0; !err && i < 5000; i++) {
		id = kprof_names_addr(&names, 16 * i, true);
		err = id < 0 ? id : 0;
	}
	CHECK_INT(err, -ENOMEM);
	CHECK(!kprof_names_rank(&names));
	shim_vmallocs_left = -1;
	for (i = 0; i < names.nr; i++) {
		sprintf(text, "f%u", i);
		CHECK_STR(text_of(kprof_names_addr(&names, 16 * i, true)), text);
	}
	end();
}

static void test_no_memory(void)
{
	int left;

	for (left = 0; left < 10; left++)
		run_out_after(left);
	/* Where the tables grow: when they have half as many names as slots. */
	for (left = FIRST_SLOTS / 2; left < FIRST_SLOTS / 2 + 10; left++)
		run_out_after(left);
}

static const struct unit_test tests[] = {
	{ "what folded text cannot carry is replaced", test_sanitize },
	{ "many names", test_many_texts },
	{ "addresses and return addresses", test_addresses },
	{ "many addresses", test_many_addresses },
	{ "alphabetical order", test_rank },
	{ "no memory", test_no_memory },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
