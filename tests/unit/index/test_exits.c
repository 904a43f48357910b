// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_exits.c - where an inlined function is left, in control flow that is given here
 */
#if __has_include("elfutils/libdw.h")

#include "index/make_exits.c"
#include "unit.h"

/* --- a function that was read from nowhere --- */

#define BASE		0x1000
#define INSNS		64
#define AT(insn)	(BASE + 4 * (uint64_t)(insn))

static struct code_insn insn[INSNS];
static uint32_t before[3 * INSNS], first_before[INSNS + 1];
static size_t parts_read[2];	/* of the function with the first instance, and of others */
static struct make_code function = {
	.insn = insn, .before = before, .first_before = first_before,
};

struct make_code *make_code_open(const struct make *m, struct elf_input *elf)
{
	(void)m;
	(void)elf;
	return &function;
}

void make_code_close(struct make_code *code)
{
	(void)code;
}

bool make_code_read(struct make_code *code, const struct make_host *host, size_t nr)
{
	uint32_t i, k, to, at = 0;

	parts_read[host->first != 0] = nr;
	for (to = 0; to < code->nr; to++) {
		first_before[to] = at;
		for (i = 0; i < code->nr; i++)
			for (k = 0; k < insn[i].nr_to; k++)
				if (insn[i].to[k] == to)
					before[at++] = i;
	}
	first_before[to] = at;
	return true;
}

uint32_t make_code_find(const struct make_code *code, uint64_t addr)
{
	return addr < AT(code->nr) ? (addr - BASE) / 4 : CODE_NOWHERE;
}

/* @nr instructions, of which each continues with the next, and the last returns. */
static void straight(uint32_t nr)
{
	uint32_t i;

	function.nr = nr;
	function.start = 0;
	memset(insn, 0, sizeof(insn));
	for (i = 0; i < nr; i++)
		insn[i] = (struct code_insn){
			.addr = AT(i), .size = 4, .to = { i + 1 }, .nr_to = 1,
		};
	insn[nr - 1].flow = FLOW_RETURN;
	insn[nr - 1].nr_to = 0;
}

static void branch(uint32_t from, uint32_t to)
{
	insn[from].flow = FLOW_BRANCH;
	insn[from].to[insn[from].nr_to++] = to;
}

static void jump(uint32_t from, uint32_t to)
{
	insn[from].flow = FLOW_JUMP;
	insn[from].to[0] = to;
	insn[from].nr_to = 1;
}

/* --- what is made of it --- */

static int by_addr(const void *va, const void *vb)
{
	const struct make_exit *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

static void print_exits(char text[256], const struct make *m, const struct make_inline *in)
{
	size_t i, len = strlen(text);

	if (!in->is_looked_at)
		strcpy(text + len, "not looked at");
	else if (in->is_doubtful)
		strcpy(text + len, "doubtful");
	else if (!in->nr_exits)
		strcpy(text + len, "not known");
	for (i = 0; i < in->nr_exits; i++) {
		const struct make_exit *e = &m->exit[in->exit + i];

		len += snprintf(text + len, 256 - len, "%s%u%s", i ? " " : "",
				(unsigned int)(e->addr - BASE) / 4, e->is_shared ? "*" : "");
	}
}

/*
 * The exits of what is entered at @entry and in the ranges @first to @last, and @other to
 * @other_last (0: none), inclusive, as "4 7*": numbers of instructions, with a star if shared.
 * Those of calls that begin at another entry follow, as ", 9: 12"; then whether it is bypassed.
 */
static const char *exits(uint32_t entry, uint32_t first, uint32_t last, uint32_t other,
			 uint32_t other_last)
{
	static char text[256];
	struct make_range range[] = {
		{ AT(first), AT(last + 1) }, { AT(other), AT(other_last + 1) },
	};
	struct make_inline inlined = { .entry = AT(entry), .nr_ranges = other ? 2 : 1 };
	struct make_host host = { .start = BASE, .end = AT(function.nr), .nr = 1 };
	struct make m = {
		.range = range, .nr_ranges = 2, .inlines = &inlined, .nr_inlines = 1,
		.host = &host, .nr_hosts = 1,
	};
	size_t i, nr;

	make_exits(&m, NULL);
	*text = '\0';
	for (i = 0, nr = 0; i <= inlined.nr_more; i++) {
		const struct make_inline *in = i ? &m.more[inlined.more + i - 1] : &inlined;

		if (in->nr_exits)
			qsort(m.exit + in->exit, in->nr_exits, sizeof(*m.exit), by_addr);
		if (i)
			sprintf(text + strlen(text), ", %u: ",
				(unsigned int)(in->entry - BASE) / 4);
		print_exits(text, &m, in);
		nr += in->nr_exits;
	}
	if (inlined.is_bypassed)
		strcat(text, ", bypassed");
	if (nr != m.nr_exits)
		strcpy(text, "some are nobody's");
	free(m.exit);
	free(m.more);
	return text;
}

static void test_straight(void)
{
	straight(8);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5");
	CHECK_STR(exits(2, 2, 7, 0, 0), "7");		/* the return itself */
	branch(0, 5);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5*");
	branch(3, 6);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5* 6*");	/* 6 is reached by way of 5, too */
	straight(8);
	CHECK_STR(exits(0, 0, 3, 0, 0), "4");		/* where the function begins with it */
	branch(3, 0);
	CHECK_STR(exits(1, 1, 3, 0, 0), "0* 4");	/* its start is reached by each call */
}

static void test_own(void)
{
	straight(8);
	/* What was moved before the entry has nothing to say. */
	CHECK_STR(exits(3, 1, 4, 0, 0), "5");
	branch(0, 4);
	CHECK_STR(exits(3, 3, 4, 0, 0), "4*");
	/* Instructions of the host between those of the instance. */
	straight(10);
	CHECK_STR(exits(2, 2, 3, 6, 7), "8");
	branch(4, 9);
	CHECK_STR(exits(2, 2, 3, 6, 7), "8 9*");
	/* A rare path behind everything else, which comes back or does not. */
	straight(10);
	branch(3, 8);
	insn[7].flow = FLOW_RETURN;
	insn[7].nr_to = 0;
	jump(9, 5);
	CHECK_STR(exits(2, 2, 4, 8, 9), "5");
	CHECK_STR(exits(2, 2, 4, 0, 0), "5* 8");
}

/* Blocks in another order than they run in, as compilers leave them. */
static void test_order(void)
{
	/* The entry is behind the rest, and between them is what the host has moved there. */
	straight(9);
	jump(0, 6);
	jump(6, 1);
	CHECK_STR(exits(6, 2, 3, 6, 6), "4");
	/* An exit before the entry, which leads to another one. */
	straight(9);
	jump(0, 2);
	branch(3, 1);
	jump(1, 4);
	CHECK_STR(exits(2, 2, 3, 0, 0), "1 4*");
	/* Code of the host's before the entry, in the middle of the instance. */
	straight(9);
	jump(0, 2);
	jump(3, 1);
	jump(1, 4);
	CHECK_STR(exits(2, 2, 3, 5, 5), "6");
	/* Twice through code of the host's behind it, and never back. */
	straight(10);
	jump(2, 7);
	jump(7, 3);
	jump(3, 8);
	jump(8, 4);
	insn[6].flow = FLOW_RETURN;
	insn[6].nr_to = 0;
	CHECK_STR(exits(2, 2, 4, 0, 0), "5");
}

static void test_loops(void)
{
	/* A loop of the host, all turns of which pass the entry. */
	straight(9);
	branch(6, 1);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5");
	branch(5, 2);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5");
	/* A loop within the instance, behind its entry; and with the entry. */
	straight(9);
	branch(4, 3);
	CHECK_STR(exits(2, 2, 4, 0, 0), "5");
	straight(9);
	branch(4, 2);
	CHECK_STR(exits(2, 2, 4, 0, 0), "doubtful");
	/* A loop of the host that comes back behind the entry. */
	straight(9);
	branch(6, 3);
	CHECK_STR(exits(2, 2, 4, 0, 0), "doubtful");
	/* One of the instance that only passes through code of the host's is the same. */
	straight(9);
	branch(6, 3);
	CHECK_STR(exits(2, 2, 3, 6, 6), "doubtful");
	/* But a loop of the host's alone, between parts of the instance, is none of it. */
	straight(9);
	branch(5, 4);
	CHECK_STR(exits(2, 2, 3, 6, 6), "7");
}

/* Two ways from 1: one by way of 2 to 5, the other by way of 6 to 9, and both go on at 10. */
static void parting(void)
{
	straight(14);
	branch(1, 6);
	jump(5, 10);
}

static void test_copies(void)
{
	parting();
	CHECK_STR(exits(3, 3, 4, 7, 8), "5");		/* it may have been moved there */
	insn[8].acts = true;
	CHECK_STR(exits(3, 3, 4, 7, 8), "5, 7: 9");
	CHECK_STR(exits(7, 3, 4, 7, 8), "9");		/* of the other one it is the same */
	insn[4].acts = true;
	CHECK_STR(exits(7, 3, 4, 7, 8), "9, 3: 5");
	/* Instructions of the host's before what acts. */
	CHECK_STR(exits(3, 3, 4, 8, 8), "5, 8: 9");
	CHECK_STR(exits(3, 3, 4, 6, 8), "5, 6: 9");
	/* What is before the ways part is nobody's beginning. */
	insn[1].acts = true;
	CHECK_STR(exits(3, 1, 4, 7, 8), "5, 7: 9");
	/* In a loop of the host's the one can be reached from the other, by the next turn. */
	branch(11, 1);
	CHECK_STR(exits(3, 3, 4, 7, 8), "5, 7: 9");
	/* Where the ways meet again, in the instance. */
	parting();
	insn[8].acts = true;
	insn[11].acts = true;
	CHECK_STR(exits(3, 3, 4, 7, 11), "12, 7: 12");
	CHECK_STR(exits(3, 3, 4, 10, 11), "5, bypassed");	/* is it the end of a call? */
	/* Three of them. */
	parting();
	branch(6, 12);
	insn[8].acts = true;
	insn[12].acts = true;
	insn[11].flow = FLOW_RETURN;
	insn[11].nr_to = 0;
	CHECK_STR(exits(3, 3, 4, 7, 13), "11, 7: 11, 12: 13");
	/* A copy in a loop of its own. */
	parting();
	insn[8].acts = true;
	branch(8, 7);
	CHECK_STR(exits(3, 3, 4, 7, 8), "5, 7: doubtful");
	/* A way on which nobody comes to the end, as of what dies there. */
	parting();
	insn[8].acts = true;
	insn[8].nr_to = 0;
	CHECK_STR(exits(3, 3, 4, 7, 8), "5, 7: not known");
}

static void test_unknown(void)
{
	uint32_t i;

	straight(8);
	insn[3].flow = FLOW_TAIL;
	CHECK_STR(exits(2, 2, 4, 0, 0), "not known");
	branch(2, 6);			/* nor are the others then of any use */
	CHECK_STR(exits(2, 2, 4, 0, 0), "not known");
	straight(8);
	CHECK_STR(exits(1, 2, 4, 0, 0), "not looked at");	/* entered elsewhere */
	CHECK_STR(exits(8, 2, 8, 0, 0), "not looked at");
	insn[2].flow = FLOW_STOP;
	insn[2].nr_to = 0;
	CHECK_STR(exits(2, 2, 4, 0, 0), "not looked at");	/* nothing leads to 3 */
	/* As many exits as there may be, and one more. */
	straight(INSNS);
	for (i = 0; i < MAKE_EXITS; i++)
		branch(i / 2, 20 + i);
	jump(18, 20);
	CHECK(strstr(exits(0, 0, 18, 0, 0), " 51"));
	branch(17, 20 + MAKE_EXITS);
	CHECK_STR(exits(0, 0, 18, 0, 0), "not known");
}

/* Three functions, of which the first has nothing inlined, and the second has two parts. */
static void test_several(void)
{
	struct make_range range[] = { { AT(2), AT(4) }, { AT(3), AT(6) }, { AT(1), AT(5) } };
	struct make_inline inlined[] = {
		{ .entry = AT(2), .range = 0, .nr_ranges = 1 },
		{ .entry = AT(3), .range = 1, .nr_ranges = 1 },
		{ .entry = AT(1), .range = 2, .nr_ranges = 1 },
	};
	struct make_host host[] = {
		{ .nr = 0 }, { .first = 0, .nr = 2 }, { .first = 0, .nr = 2 },
		{ .first = 2, .nr = 1 },
	};
	struct make m = {
		.range = range, .nr_ranges = 3, .inlines = inlined, .nr_inlines = 3,
		.host = host, .nr_hosts = 4,
	};
	static const uint32_t left_at[] = { 4, 6, 5 };
	size_t i;

	straight(8);
	make_exits(&m, NULL);
	CHECK(parts_read[0] == 2 && parts_read[1] == 1);
	CHECK_INT(m.nr_exits, 3);
	for (i = 0; i < 3; i++) {
		CHECK_INT(inlined[i].nr_exits, 1);
		CHECK_INT(m.exit[inlined[i].exit].addr, AT(left_at[i]));
	}
	free(m.exit);
}

static const struct unit_test tests[] = {
	{ "in a straight line", test_straight },
	{ "which instructions are its own", test_own },
	{ "blocks in any order", test_order },
	{ "loops", test_loops },
	{ "copies with another entry", test_copies },
	{ "what cannot be known", test_unknown },
	{ "several functions", test_several },
	{ NULL, NULL },
};

int main(void)
{
	return unit_run(tests);
}

#else

#include "unit.h"

int main(void)
{
	return unit_skip("libdw is not here");
}

#endif
