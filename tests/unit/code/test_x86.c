// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_x86.c - how instructions of x86-64 go on, and what they do
 */
#if __has_include("capstone/capstone.h") && __has_include("elfutils/libdw.h")

#include "code/decode.h"
#include "unit.h"

#define AT	0x10000

static void *state;

static struct code_insn decode(const char *bytes, size_t size)
{
	struct code_insn insn = { .flow = FLOW_TABLE };

	CHECK(code_x86.decode(state, (const uint8_t *)bytes, size, AT, &insn));
	CHECK_INT(insn.size, size);
	CHECK_INT(insn.addr, AT);
	return insn;
}

#define DECODE(bytes)	decode(bytes, sizeof(bytes) - 1)

static void test_flow(void)
{
	CHECK_INT(DECODE("\xeb\x02").flow, FLOW_JUMP);			/* jmp .+4 */
	CHECK_INT(DECODE("\xeb\x02").target, AT + 4);
	CHECK_INT(DECODE("\x74\xfe").flow, FLOW_BRANCH);		/* je . */
	CHECK_INT(DECODE("\x74\xfe").target, AT);
	CHECK_INT(DECODE("\xff\xe0").flow, FLOW_TAIL);			/* jmp *%rax */
	CHECK_INT(DECODE("\xc3").flow, FLOW_RETURN);
	CHECK_INT(DECODE("\xcc").flow, FLOW_STOP);			/* int3 */
	CHECK_INT(DECODE("\x0f\x0b").flow, FLOW_ON);			/* ud2 */
	CHECK_INT(DECODE("\xe8\x00\x00\x00\x00").flow, FLOW_ON);	/* call */
	CHECK(DECODE("\x0f\x1f\x40\x00").is_idle);
}

static void test_acts(void)
{
	CHECK(DECODE("\x48\x89\x03").acts);				/* mov %rax,(%rbx) */
	CHECK(DECODE("\xc6\x07\x00").acts);				/* movb $0,(%rdi) */
	CHECK(DECODE("\xff\x03").acts);					/* incl (%rbx) */
	CHECK(DECODE("\xf0\x0f\xc1\x03").acts);			/* lock xadd %eax,(%rbx) */
	CHECK(DECODE("\xf0\x0f\xb1\x0b").acts);			/* lock cmpxchg %ecx,(%rbx) */
	CHECK(DECODE("\x87\x03").acts);					/* xchg %eax,(%rbx) */
	CHECK(DECODE("\xf3\x48\xab").acts);				/* rep stos */
	CHECK(DECODE("\x65\xff\x0d\x00\x00\x00\x00").acts);		/* decl %gs:0(%rip) */
	CHECK(DECODE("\xe8\x00\x00\x00\x00").acts);			/* call */
	CHECK(DECODE("\xff\xd0").acts);					/* call *%rax */
	CHECK(DECODE("\xfb").acts);					/* sti */
	CHECK(DECODE("\x0f\x30").acts);					/* wrmsr */
	CHECK(DECODE("\x0f\x0b").acts);					/* ud2 */
	CHECK(!DECODE("\x48\x8b\x03").acts);				/* mov (%rbx),%rax */
	CHECK(!DECODE("\x48\x89\x44\x24\x08").acts);			/* mov %rax,8(%rsp) */
	CHECK(!DECODE("\x50").acts);					/* push %rax */
	CHECK(!DECODE("\x83\x3b\x00").acts);				/* cmpl $0,(%rbx) */
	CHECK(!DECODE("\x0f\x1f\x40\x00").acts);			/* nopl 0(%rax) */
	CHECK(!DECODE("\x0f\x18\x0b").acts);				/* prefetcht0 (%rbx) */
	CHECK(!DECODE("\x48\x8d\x43\x08").acts);			/* lea 8(%rbx),%rax */
	CHECK(!DECODE("\xeb\x02").acts);
}

#define NOTED	8

struct noted {
	uint64_t addr[NOTED];
	int nr;
};

static void note(uint64_t addr, void *arg)
{
	struct noted *noted = arg;

	if (noted->nr < NOTED)
		noted->addr[noted->nr++] = addr;
}

#define OPENINGS(bytes, noted) code_each_opening(&code_x86, state, (const uint8_t *)(bytes), \
						 sizeof(bytes) - 1, AT, note, noted)

/* Held back by sti for one instruction more. */
static void test_openings(void)
{
	struct noted unlock = { .nr = 0 }, saved = { .nr = 0 }, jump = { .nr = 0 };
	struct noted end = { .nr = 0 };

	/* movb $0,(%rdi); sti; nop; decl (%rbx); ret */
	OPENINGS("\xc6\x07\x00\xfb\x90\xff\x0b\xc3", &unlock);
	CHECK_INT(unlock.nr, 2);
	CHECK_INT(unlock.addr[0], AT + 4);
	CHECK_INT(unlock.addr[1], AT + 5);
	/* popf; nop; nop; ret */
	OPENINGS("\x9d\x90\x90\xc3", &saved);
	CHECK_INT(saved.nr, 2);
	CHECK_INT(saved.addr[0], AT + 1);
	CHECK_INT(saved.addr[1], AT + 2);
	/* 0: nop; sti; jmp 0; nop */
	OPENINGS("\x90\xfb\xeb\xfc\x90", &jump);
	CHECK_INT(jump.nr, 2);
	CHECK_INT(jump.addr[0], AT + 2);
	CHECK_INT(jump.addr[1], AT);
	/* cli; pushf; sti; ret; what another function begins with; a cut instruction */
	OPENINGS("\xfa\x9c\xfb\xc3\x90\xe8", &end);
	CHECK_INT(end.nr, 1);
	CHECK_INT(end.addr[0], AT + 3);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "jumps, returns, traps", test_flow },
		{ "what acts, and what only computes", test_acts },
		{ "where interrupts are taken that were held back", test_openings },
		{ 0 },
	};
	int ret;

	state = code_x86.open();
	if (!state)
		return unit_skip("capstone is not here");
	ret = unit_run(tests);
	code_x86.close(state);
	return ret;
}

#else

#include "unit.h"

int main(void)
{
	return unit_skip("capstone is not here");
}

#endif
