// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_arm64.c - how instructions of arm64 go on
 */
#include "code/decode.h"
#include "unit.h"

#define AT	0x10000

static void *state;

/* By the last instruction, too. */
static struct code_insn decode_at(uint64_t addr, uint32_t word)
{
	const uint8_t bytes[] = { word, word >> 8, word >> 16, word >> 24 };
	struct code_insn insn = { .flow = FLOW_STOP };

	CHECK(code_arm64.decode(state, bytes, sizeof(bytes), addr, &insn));
	CHECK_INT(insn.size, 4);
	CHECK_INT(insn.addr, addr);
	return insn;
}

static enum code_flow flow_of(uint32_t word) { return decode_at(AT, word).flow; }

static void test_targets(void)
{
	static const struct {
		uint32_t word;
		enum code_flow flow;
		int64_t distance;
	} jump[] = {
		{ 0x14000002, FLOW_JUMP, 8 },		/* b .+8 */
		{ 0x17ffffff, FLOW_JUMP, -4 },		/* b .-4 */
		{ 0x54000040, FLOW_BRANCH, 8 },		/* b.eq .+8 */
		{ 0x54ffffeb, FLOW_BRANCH, -4 },	/* b.lt .-4 */
		{ 0xb4000040, FLOW_BRANCH, 8 },		/* cbz x0, .+8 */
		{ 0x35ffffe1, FLOW_BRANCH, -4 },	/* cbnz w1, .-4 */
		{ 0x36000040, FLOW_BRANCH, 8 },		/* tbz w0, #0, .+8 */
		{ 0xb747ffe3, FLOW_BRANCH, -4 },	/* tbnz x3, #40, .-4 */
	};
	size_t i;

	for (i = 0; i < sizeof(jump) / sizeof(*jump); i++) {
		struct code_insn insn = decode_at(AT, jump[i].word);

		CHECK_INT(insn.flow, jump[i].flow);
		CHECK_INT(insn.target, AT + jump[i].distance);
	}
}

static void test_others(void)
{
	CHECK_INT(flow_of(0xd65f03c0), FLOW_RETURN);	/* ret */
	CHECK_INT(flow_of(0xd65f0160), FLOW_RETURN);	/* ret x11 */
	CHECK_INT(flow_of(0xd65f0bff), FLOW_RETURN);	/* retaa */
	CHECK_INT(flow_of(0xd65f0fff), FLOW_RETURN);	/* retab */
	CHECK_INT(flow_of(0xd61f0200), FLOW_TAIL);	/* br x16 */
	CHECK_INT(flow_of(0xd71f0909), FLOW_TAIL);	/* braa x8, x9 */
	CHECK_INT(flow_of(0xd61f0d1f), FLOW_TAIL);	/* brabz x8 */
	CHECK_INT(flow_of(0xd69f03e0), FLOW_TAIL);	/* eret */
	CHECK_INT(flow_of(0xd69f0bff), FLOW_TAIL);	/* eretaa */
	CHECK_INT(flow_of(0x00000000), FLOW_STOP);	/* udf #0 */
	CHECK_INT(flow_of(0x94000001), FLOW_ON);	/* bl .+4 */
	CHECK_INT(flow_of(0xd63f0020), FLOW_ON);	/* blr x1 */
	CHECK_INT(flow_of(0xd63f091f), FLOW_ON);	/* blraaz x8 */
	CHECK_INT(flow_of(0xd4210000), FLOW_ON);	/* brk #0x800 */
	CHECK_INT(flow_of(0xd503201f), FLOW_ON);	/* nop */
}

/* A jump to what was just added up is a switch; not if it is of another place, or register. */
static void test_table(void)
{
	decode_at(AT, 0x8b238883);		/* add x3, x4, w3, sxtb #2 */
	CHECK_INT(decode_at(AT + 4, 0xd61f0060).flow, FLOW_TABLE);	/* br x3 */
	decode_at(AT, 0x8b238883);
	CHECK_INT(decode_at(AT + 4, 0xd61f0080).flow, FLOW_TAIL);	/* br x4 */
	decode_at(AT, 0x8b238883);
	CHECK_INT(decode_at(AT + 8, 0xd61f0060).flow, FLOW_TAIL);
}

static void test_acts(void)
{
	static const uint32_t act[] = {
		0xf9000020,	/* str x0, [x1] */
		0xb8226820,	/* str w0, [x1, x2] */
		0xf8008420,	/* str x0, [x1], #8 */
		0xf81f8020,	/* stur x0, [x1, #-8] */
		0x39000020,	/* strb w0, [x1] */
		0xa9000440,	/* stp x0, x1, [x2] */
		0xc8007c41,	/* stxr w0, x1, [x2] */
		0xc89ffc20,	/* stlr x0, [x1] */
		0xc8a07c41,	/* cas x0, x1, [x2] */
		0x88e0fc41,	/* casal w0, w1, [x2] */
		0x48207c82,	/* casp x0, x1, x2, x3, [x4] */
		0xf8200041,	/* ldadd x0, x1, [x2] */
		0xf8e00041,	/* ldaddal x0, x1, [x2] */
		0xf820003f,	/* stadd x0, [x1] */
		0xf8e08041,	/* swpal x0, x1, [x2] */
		0x3d800020,	/* str q0, [x1] */
		0xad000440,	/* stp q0, q1, [x2] */
		0x94000000,	/* bl 4c */
		0xd63f0000,	/* blr x0 */
		0xd4210000,	/* brk #0x800 */
		0xd5033bbf,	/* dmb ish */
		0xd50342df,	/* msr daifset, #0x2 */
		0xd518d080,	/* msr tpidr_el1, x0 */
		0xd508831f,	/* tlbi vmalle1is */
	}, other[] = {
		0xf90003e0,	/* str x0, [sp] */
		0xa9bf7bfd,	/* stp x29, x30, [sp, #-16]! */
		0xf9400020,	/* ldr x0, [x1] */
		0xb8626820,	/* ldr w0, [x1, x2] */
		0xb9800020,	/* ldrsw x0, [x1] */
		0x39c00020,	/* ldrsb w0, [x1] */
		0xa9400440,	/* ldp x0, x1, [x2] */
		0xc85f7c20,	/* ldxr x0, [x1] */
		0xc8dffc20,	/* ldar x0, [x1] */
		0xf8bfc020,	/* ldapr x0, [x1] */
		0x3dc00020,	/* ldr q0, [x1] */
		0x58000000,	/* ldr x0, 8c */
		0xf9800000,	/* prfm pldl1keep, [x0] */
		0xd5384100,	/* mrs x0, sp_el0 */
		0xd503201f,	/* nop */
		0xd503233f,	/* paciasp */
		0xd503245f,	/* bti c */
		0xd503203f,	/* yield */
		0x8b010000,	/* add x0, x0, x1 */
		0xb4000000,	/* cbz x0, ac */
		0xd65f03c0,	/* ret */
	};
	size_t i;

	for (i = 0; i < sizeof(act) / sizeof(*act); i++)
		if (!decode_at(AT, act[i]).acts)
			CHECK_INT(act[i], 0);
	for (i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (decode_at(AT, other[i]).acts)
			CHECK_INT(other[i], 0);
}

static void test_opens(void)
{
	static const uint32_t open[] = {
		0xd51b4220,	/* msr daif, x0 */
		0xd51b4235,	/* msr daif, x21 */
		0xd50342ff,	/* msr daifclr, #2 */
		0xd50343ff,	/* msr daifclr, #3 */
		0xd5184600,	/* msr icc_pmr_el1, x0 */
	};
	static const uint32_t other[] = {
		0xd50342df,	/* msr daifset, #2 */
		0xd50348ff,	/* msr daifclr, #8, debug exceptions */
		0xd50344ff,	/* msr daifclr, #4, those of the system */
		0xd53b4220,	/* mrs x0, daif */
		0xd5384600,	/* mrs x0, icc_pmr_el1 */
		0xd5033fdf,	/* isb */
		0xd503201f,	/* nop */
	};
	size_t i;

	for (i = 0; i < sizeof(open) / sizeof(*open); i++)
		if (!decode_at(AT, open[i]).opens)
			CHECK_INT(open[i], 0);
	for (i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (decode_at(AT, other[i]).opens)
			CHECK_INT(other[i], 0);
}

static void test_refused(void)
{
	static const uint8_t bytes[4];
	struct code_insn insn;

	CHECK(!code_arm64.decode(state, bytes, 3, AT, &insn));
	CHECK(!code_arm64.decode(state, bytes, 4, AT + 2, &insn));
}

/* nop, ret, and what ftrace has in front of the next function */
static void test_pointer(void)
{
	static const uint8_t bytes[] = {
		0x1f, 0x20, 0x03, 0xd5, 0xc0, 0x03, 0x5f, 0xd6,
		0x98, 0x76, 0x54, 0x81, 0x00, 0x80, 0xff, 0xff,
	};

	CHECK_INT(code_size(&code_arm64, bytes, 16, AT), 8);
	CHECK_INT(code_size(&code_arm64, bytes, 16, AT + 4), 16);	/* not there */
	CHECK_INT(code_size(&code_arm64, bytes, 8, AT), 8);
	CHECK_INT(code_size(&code_arm64, bytes + 8, 8, AT), 0);
	CHECK_INT(code_size(&code_arm64, bytes + 12, 4, AT + 4), 4);
	CHECK_INT(code_size(&code_x86, bytes, 16, AT), 16);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "jumps that say where to", test_targets },
		{ "returns, calls, traps", test_others },
		{ "switches", test_table },
		{ "what acts, and what only computes", test_acts },
		{ "what turns interrupts on", test_opens },
		{ "what is no instruction", test_refused },
		{ "a pointer in front of the next function", test_pointer },
		{ 0 },
	};
	int ret;

	state = code_arm64.open();
	ret = unit_run(tests);
	code_arm64.close(state);
	return ret;
}
