// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_calls.c - what code may call
 */
#include "code/calls.h"
#include "unit.h"

#define AT	0xffffffff81000000ull

static uint64_t target[8];
static int nr;

static void found(uint64_t to, void *arg)
{
	CHECK(arg == &nr);
	if (nr < 8)
		target[nr++] = to;
}

static void test_calls(void)
{
#ifdef __aarch64__
	/* bl .+8; nop; b .-4; b.eq .+8 */
	static const uint8_t code[] = {
		0x02, 0x00, 0x00, 0x94, 0x1f, 0x20, 0x03, 0xd5, 0xff, 0xff, 0xff, 0x17,
		0x40, 0x00, 0x00, 0x54,
	};
	const uint64_t truth[] = { AT + 8, AT + 4 };
#else
	/* call .+0x105; push %rbx; jmp .-0x10; jmp, but short; call, cut off */
	static const uint8_t code[] = {
		0xe8, 0x00, 0x01, 0x00, 0x00, 0x53, 0xe9, 0xeb, 0xff, 0xff, 0xff, 0xeb, 0x10,
		0xe8, 0x00, 0x00, 0x00,
	};
	const uint64_t truth[] = { AT + 0x105, AT + 6 - 0x10 };
#endif

	code_each_call(code, sizeof(code), AT, found, &nr);
	CHECK_INT(nr, 2);
	CHECK(target[0] == truth[0]);
	CHECK(target[1] == truth[1]);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "calls", test_calls },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
