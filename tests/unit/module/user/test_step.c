// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_step.c - rules of places in a file, and what each kind of rule does; whatever rules and
 * stacks are damaged or make no sense break nothing
 */
#include <limits.h>
#include <linux/types.h>
#include <stdlib.h>

#include "unit.h"
#include "user_stack.h"
#include "user/rules.c"
#include "user/step.c"

#define DAMAGES		200000
#define RULES		8
#define ROWS		50

struct table {
	struct kprof_rules_header header;
	struct kprof_rule rule[RULES];
	u32 from[ROWS];
	u16 number[ROWS];
};

static const size_t table_size = offsetof(struct table, number) + sizeof(u16) * ROWS;

static void make_table(struct table *table)
{
	int i;

	memset(table, 0, sizeof(*table));
	table->header = (struct kprof_rules_header) {
		.magic = KPROF_RULES_MAGIC, .file = 1, .nr_rules = RULES, .nr_rows = ROWS,
	};
	for (i = 0; i < RULES; i++)
		table->rule[i].kind = i;
	for (i = 0; i < ROWS; i++) {
		table->from[i] = 100 * (i + 1);
		table->number[i] = i % RULES;
	}
}

static void test_find(void)
{
	struct table table;
	u64 at;

	make_table(&table);
	CHECK(kprof_rules_accept(&table.header, table_size));
	CHECK(!kprof_rules_find(&table.header, 0));
	CHECK(!kprof_rules_find(&table.header, 99));
	for (at = 100; at < 100 * ROWS + 300; at++) {
		u64 row = at / 100 > ROWS ? ROWS : at / 100;

		CHECK(kprof_rules_find(&table.header, at) == &table.rule[(row - 1) % RULES]);
		CHECK(kprof_rules_find(&table.header, at) == &table.rule[(row - 1) % RULES]);
	}
	CHECK(!kprof_rules_find(&table.header, 1ull << 32));
	CHECK(!kprof_rules_find(&table.header, ~0ull));
	/* The same place in another file, and in this one when its number has been given anew. */
	CHECK(kprof_rules_find(&table.header, 500) == &table.rule[4]);
	table.header.file = 2;
	table.number[4] = 7;
	CHECK(kprof_rules_find(&table.header, 500) == &table.rule[7]);
	table.header.file = 1;
	CHECK(kprof_rules_find(&table.header, 500) == &table.rule[4]);
	kprof_rules_forget();
	CHECK(kprof_rules_find(&table.header, 500) == &table.rule[7]);
	make_table(&table);
	table.header.nr_rows = 0;
	kprof_rules_forget();
	CHECK(kprof_rules_accept(&table.header, offsetof(struct table, from)));
	CHECK(!kprof_rules_find(&table.header, 500));
}

/* Each kind of damage by itself. */
static void test_check(void)
{
	struct table table;

#define REFUSED(change) do {						\
	make_table(&table);						\
	change;								\
	CHECK(!kprof_rules_accept(&table.header, table_size));		\
} while (0)
	REFUSED(table.header.magic++);
	REFUSED(table.header.zero = 1);
	REFUSED(table.header.file = U16_MAX + 1);
	REFUSED(table.header.nr_rules--);
	REFUSED(table.header.nr_rows++);
	REFUSED(table.header.nr_rows = ~0u);
	REFUSED(table.header.nr_rules = ~0u);
	REFUSED(table.rule[3].kind = KPROF_NR_RULES);
	REFUSED(table.rule[3].zero = 1);
	REFUSED(table.from[7] = table.from[6]);
	REFUSED(table.from[7] = 0);
	REFUSED(table.number[ROWS - 1] = RULES);
	make_table(&table);
	CHECK(!kprof_rules_accept(&table.header, table_size - 1));
	CHECK(!kprof_rules_accept(&table.header, table_size + 1));
	CHECK(!kprof_rules_accept(&table.header, sizeof(table.header) - 1));
	CHECK(!kprof_rules_accept(&table.header, 0));
}

static enum kprof_rule_class class_of(u32 kind, s32 cfa, s16 fp, s16 ra)
{
	struct table table;

	make_table(&table);
	table.rule[0] = (struct kprof_rule){ .kind = kind, .cfa = cfa, .fp = fp, .ra = ra };
	CHECK(kprof_rules_accept(&table.header, table_size));
	return kprof_rule_class(&table.rule[0]);
}

/* What is usual is followed without a look at what else it might be. */
static void test_usual(void)
{
	const u32 sp = KPROF_RULE_SP, fp = KPROF_RULE_FP;
	u32 kind;

	for (kind = 0; kind < KPROF_NR_RULES; kind++)
		CHECK(class_of(kind, 16, -16, -8) ==
		      (kind == sp || kind == fp ? KPROF_RULE_USUAL : KPROF_RULE_UNUSUAL));
	CHECK(class_of(sp, 16, KPROF_RULE_SAME, -8) == KPROF_RULE_PLAIN);
	CHECK(class_of(sp, 0, KPROF_RULE_SAME, 0) == KPROF_RULE_PLAIN);
	CHECK(class_of(fp, 16, KPROF_RULE_SAME, -8) == KPROF_RULE_USUAL);
	/* A frame pointer may be anything, so this is looked at in each step. */
	CHECK(class_of(fp, 12, -16, -8) == KPROF_RULE_USUAL);
	CHECK(class_of(fp, -16, -16, -8) == KPROF_RULE_USUAL);
	/* A stack pointer is a multiple of 8, and must stay one, and never go down. */
	CHECK(class_of(sp, 12, -16, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, -16, -16, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, INT_MIN, KPROF_RULE_SAME, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, 16, KPROF_RULE_LOST, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, 16, KPROF_RULE_AT_FP, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, 16, -12, -8) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, 16, -16, KPROF_RULE_SAME) == KPROF_RULE_UNUSUAL);
	CHECK(class_of(sp, 16, -16, -7) == KPROF_RULE_UNUSUAL);
}

static u32 any(void)
{
	return (u32)random() << 16 ^ random();
}

/* In memory of its exact size, so that the sanitizer sees what is read behind it. */
static void test_damages(void)
{
	struct table *table = malloc(table_size);
	u32 accepted = 0, i, j;
	struct table good;

	make_table(&good);
	for (i = 0; i < DAMAGES; i++) {
		memcpy(table, &good, table_size);
		for (j = random() % 3 + 1; j; j--)
			((u8 *)table)[random() % table_size] = random();
		if (!kprof_rules_accept(&table->header, table_size))
			continue;
		accepted++;
		kprof_rules_forget();
		for (j = 0; j < 4; j++) {
			const struct kprof_rule *rule;

			rule = kprof_rules_find(&table->header, any() % 8192);

			CHECK(!rule || (rule >= table->rule && rule < table->rule + RULES));
		}
	}
	CHECK(accepted > DAMAGES / 100 && accepted < DAMAGES);
	free(table);
}

static struct kprof_user_state start(void)
{
	return (struct kprof_user_state) {
		.pc = 0x40001f, .sp = BASE + 32, .fp = BASE + 128, .link = 0x400777, .word = 8,
		.is_exact = true,
	};
}

static enum kprof_step go(struct kprof_user_state *at, enum kprof_rule_kind kind, s32 cfa,
			  s16 fp, s16 ra)
{
	const struct kprof_rule rule = { .kind = kind, .cfa = cfa, .fp = fp, .ra = ra };

	*at = start();
	return kprof_step_by_rule(&rule, at);
}

static void test_kinds(void)
{
	struct kprof_user_state at;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(stack); i++)
		stack[i] = 0x500000 + i;
	CHECK(go(&at, KPROF_RULE_SP, 40, -16, -8) == KPROF_STEP_UP);
	CHECK(at.sp == BASE + 72 && at.pc == 0x500008 && at.fp == 0x500007 && !at.link &&
	      !at.is_exact);
	CHECK(go(&at, KPROF_RULE_SP, 40, KPROF_RULE_SAME, KPROF_RULE_SAME) == KPROF_STEP_UP);
	CHECK(at.pc == 0x400777 && at.fp == BASE + 128 && !at.link);
	CHECK(go(&at, KPROF_RULE_FP, 16, -16, -8) == KPROF_STEP_UP);
	CHECK(at.sp == BASE + 144 && at.pc == 0x500011 && at.fp == 0x500010);
	CHECK(go(&at, KPROF_RULE_FP, 16, KPROF_RULE_AT_FP, -8) == KPROF_STEP_UP);
	CHECK(at.fp == 0x500010);
	stack[15] = BASE + 256;
	CHECK(go(&at, KPROF_RULE_FP_AT, -8, KPROF_RULE_SAME, -8) == KPROF_STEP_UP);
	CHECK(at.sp == BASE + 256 && at.pc == 0x50001f);
	CHECK(go(&at, KPROF_RULE_PLT, 11, KPROF_RULE_SAME, -8) == KPROF_STEP_UP);
	CHECK(at.sp == BASE + 48);	/* 0x40001f is the last byte of 16 */
	CHECK(go(&at, KPROF_RULE_PLT, 16, KPROF_RULE_SAME, -8) == KPROF_STEP_UP);
	CHECK(at.sp == BASE + 40);
	CHECK(go(&at, KPROF_RULE_SIGNAL, 0, 0, 0) == KPROF_STEP_UP);
	CHECK(at.is_exact && at.pc == 0x500000 + 25 && at.sp == 0x500000 + 24 &&
	      at.fp == 0x500000 + 19 && at.link == 0x500000 + 18 && !at.floor);
	CHECK(go(&at, KPROF_RULE_ROOT, 0, 0, 0) == KPROF_STEP_ROOT);
	CHECK(go(&at, KPROF_RULE_UNKNOWN, 0, 0, 0) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_NONE, 0, 0, 0) == KPROF_STEP_LOST);
}

/* Down the stack, off it, to an odd address, with a frame pointer that is lost. */
static void test_lost(void)
{
	const struct kprof_rule by_fp = { .kind = KPROF_RULE_FP, .cfa = 16, .fp = -16, .ra = -8 };
	struct kprof_user_state at;

	CHECK(go(&at, KPROF_RULE_SP, -8, KPROF_RULE_SAME, -8) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_SP, 100000, KPROF_RULE_SAME, -8) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_SP, 44, KPROF_RULE_SAME, -8) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_SP, 40, KPROF_RULE_SAME, -7) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_FP, -104, KPROF_RULE_SAME, -8) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_SP, 40, KPROF_RULE_LOST, -8) == KPROF_STEP_UP);
	CHECK(kprof_step_by_rule(&by_fp, &at) == KPROF_STEP_LOST);
	CHECK(go(&at, KPROF_RULE_SP, 40, KPROF_RULE_LOST, -8) == KPROF_STEP_UP);
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_LOST);
}

static void test_frames(void)
{
	struct kprof_user_state at = start();

	stack[16] = BASE + 200;
	stack[17] = 0x400123;
	stack[25] = BASE + 128;
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_UP);
	CHECK(at.pc == 0x400123 && at.fp == BASE + 200 && at.sp == BASE + 144);
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_UP);
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_LOST);	/* downwards */
	at = start();
	at.fp = 0;
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_ROOT);
	at = start();
	at.word = 0;
	CHECK(kprof_step_by_frame(&at) == KPROF_STEP_LOST);
}

static void test_any(void)
{
	static const s16 special[] = { KPROF_RULE_SAME, KPROF_RULE_LOST, KPROF_RULE_AT_FP };
	u32 i, ups = 0;

	for (i = 0; i < DAMAGES; i++) {
		struct kprof_rule rule = {
			.kind = random() % KPROF_NR_RULES,
			.cfa = i % 2 ? (s32)any() : random() % 256,
			.fp = i % 3 ? special[random() % 3] : random(),
			.ra = i % 5 ? -8 : random(),
		};
		struct kprof_user_state at = start(), before;

		stack[random() % ARRAY_SIZE(stack)] = i % 3 ? BASE + 8 * (random() % 80) :
							     (u64)any() << 32 | any();
		at.fp = i % 7 ? BASE + random() % 600 : (u64)any() << 32 | any();
		before = at;
		if (!kprof_step_is_possible(&rule, &at) ||
		    kprof_step_by_rule(&rule, &at) != KPROF_STEP_UP)
			continue;
		ups++;
		CHECK(rule.kind == KPROF_RULE_SIGNAL || at.sp >= before.sp);
	}
	CHECK(ups > DAMAGES / 20);
	CHECK_INT(odd_reads, 0);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "each place has its rule", test_find },
		{ "a table that is damaged is refused", test_check },
		{ "rules that are usual are marked", test_usual },
		{ "one that is damaged, and accepted, is harmless", test_damages },
		{ "what each kind of rule does", test_kinds },
		{ "steps that lead nowhere are not taken", test_lost },
		{ "frame pointers", test_frames },
		{ "any rule on any stack", test_any },
		{ 0 }
	};

	return unit_run(tests);
}
