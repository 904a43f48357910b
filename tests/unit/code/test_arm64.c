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

static void test_refused(void)
{
	static const uint8_t bytes[4];
	struct code_insn insn;

	CHECK(!code_arm64.decode(state, bytes, 3, AT, &insn));
	CHECK(!code_arm64.decode(state, bytes, 4, AT + 2, &insn));
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "jumps that say where to", test_targets },
		{ "returns, calls, traps", test_others },
		{ "switches", test_table },
		{ "what is no instruction", test_refused },
		{ 0 },
	};
	int ret;

	state = code_arm64.open();
	ret = unit_run(tests);
	code_arm64.close(state);
	return ret;
}
