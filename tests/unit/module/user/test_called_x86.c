// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_called_x86.c - calls of x86 are told from what is none, whatever their form
 */
#include <linux/types.h>

#include "unit.h"
#include "user/called_x86.h"

/* The bytes of code before an address, or at it if @is_at. Others are 0. */
static u64 word(const u8 *byte, int nr, bool is_at)
{
	u64 code = 0;
	int i;

	for (i = 0; i < nr; i++)
		code |= (u64)byte[i] << 8 * (is_at ? i : 8 - nr + i);
	return code;
}

#define CODE(is_at, ...)								\
	word((const u8 []){ __VA_ARGS__ }, sizeof((const u8 []){ __VA_ARGS__ }), is_at)
#define IS_CALL(...)	CHECK(kprof_called_is_before(CODE(false, __VA_ARGS__), false))
#define IS_NONE(...)	CHECK(!kprof_called_is_before(CODE(false, __VA_ARGS__), false))

static void test_calls(void)
{
	IS_CALL(0xe8, 0x12, 0x34, 0x00, 0x00); /* call N */
	IS_CALL(0xf2, 0xe8, 0x12, 0x34, 0xff, 0xff); /* bnd call N */
	IS_CALL(0xff, 0xd0); /* call *%rax */
	IS_CALL(0x41, 0xff, 0xd4); /* call *%r12 */
	IS_CALL(0x3e, 0xff, 0xd2); /* notrack call *%rdx */
	IS_CALL(0xff, 0x10); /* call *(%rax) */
	IS_CALL(0x41, 0xff, 0x55, 0x00); /* call *0(%r13) */
	IS_CALL(0xff, 0x50, 0x18); /* call *0x18(%rax) */
	IS_CALL(0xff, 0x90, 0x00, 0x01, 0x00, 0x00); /* call *0x100(%rax) */
	IS_CALL(0xff, 0x15, 0x12, 0x34, 0x00, 0x00); /* call *N(%rip) */
	IS_CALL(0x65, 0xff, 0x15, 0x10, 0x00, 0x00, 0x00); /* call *%gs:0x10 of 32 bits */
	IS_CALL(0x64, 0xff, 0x14, 0x25, 0x30, 0x00, 0x00, 0x00); /* call *%fs:0x30 */
	IS_CALL(0xff, 0x14, 0xc5, 0x00, 0x10, 0x40, 0x00); /* call *0x401000(,%rax,8) */
	IS_CALL(0x41, 0xff, 0x14, 0xdc); /* call *(%r12,%rbx,8) */
	IS_CALL(0xff, 0x54, 0xc3, 0x08); /* call *8(%rbx,%rax,8) */
	IS_CALL(0x41, 0xff, 0x54, 0x24, 0x20); /* call *0x20(%r12) */
	IS_CALL(0x41, 0xff, 0x94, 0x24, 0x00, 0x02, 0x00, 0x00); /* call *0x200(%r12) */
	IS_CALL(0xff, 0x1d, 0x12, 0x34, 0x00, 0x00); /* lcall *N(%rip) */
	CHECK(kprof_called_is_before(CODE(false, 0x9a, 0, 0x10, 0, 0, 0x23, 0), true));
	IS_NONE(0x9a, 0x00, 0x10, 0x00, 0x00, 0x23, 0x00); /* no instruction of 64 bits */
}

static void test_others(void)
{
	IS_NONE(0xc3); /* ret */
	IS_NONE(0xc3, 0x66, 0x90); /* ret; xchg %ax,%ax */
	IS_NONE(0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00); /* nopl 0(%rax,%rax,1) */
	IS_NONE(0xe9, 0x12, 0x34, 0x00, 0x00); /* jmp N */
	IS_NONE(0xff, 0xe0); /* jmp *%rax */
	IS_NONE(0xff, 0x25, 0x12, 0x34, 0x00, 0x00); /* jmp *N(%rip) */
	IS_NONE(0xff, 0xd8); /* lcall with a register */
	IS_NONE(0xff, 0xc0); /* inc %eax */
	IS_NONE(0xff, 0x15, 0x12, 0x34, 0x00); /* one byte less, and one more */
	IS_NONE(0xff, 0x15, 0x12, 0x34, 0x00, 0x00, 0x00);
	IS_NONE(0xff, 0xd0, 0x90);
	IS_NONE(0xe8, 0x12, 0x34, 0x00);
	IS_NONE(0);
	IS_NONE(0x0f, 0x05); /* syscall */
}

static void test_starts(void)
{
	u64 nop = CODE(false, 0xcc, 0x90), call = CODE(true, 0xe8, 1, 2, 3, 4, 0x90);

	CHECK(kprof_called_is_start(nop, call));
	CHECK(!kprof_called_is_start(nop, CODE(true, 0x55, 0x48, 0x89, 0xe5)));
	CHECK(!kprof_called_is_start(CODE(false, 0xc3), call));
	CHECK(kprof_called_is_sigreturn(CODE(true, 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f), false));
	CHECK(kprof_called_is_sigreturn(CODE(true, 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05, 0xc3), false));
	CHECK(kprof_called_is_sigreturn(CODE(true, 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80, 0x90), true));
	CHECK(kprof_called_is_sigreturn(CODE(true, 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80), true));
	CHECK(!kprof_called_is_sigreturn(CODE(true, 0x48, 0xc7, 0xc0, 0x0e, 0, 0, 0, 0x0f), false));
	CHECK(!kprof_called_is_sigreturn(CODE(true, 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80, 0x90), false));
	CHECK(!kprof_called_is_sigreturn(0, false));
	CHECK(!kprof_called_is_sigreturn(0, true));
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "calls of every form", test_calls },
		{ "other instructions are none", test_others },
		{ "where the kernel or a runtime begins a stack", test_starts },
		{ 0 }
	};

	return unit_run(tests);
}
