// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_called_arm64.c - calls of arm64 are told from what is none, whatever their form
 */
#include <linux/types.h>

#include "unit.h"
#include "user/called_arm64.h"

static bool is_call(u32 code)
{
	return kprof_called_is_before((u64)code << 32 | 0x94000000, false);
}

static void test_calls(void)
{
	CHECK(is_call(0x94000001));	/* bl +4 */
	CHECK(is_call(0x97fffffe));	/* bl -8 */
	CHECK(is_call(0xd63f0000));	/* blr x0 */
	CHECK(is_call(0xd63f03c0));	/* blr x30 */
	CHECK(is_call(0xd63f091f));	/* blraaz x8 */
	CHECK(is_call(0xd63f0d1f));	/* blrabz x8 */
	CHECK(is_call(0xd73f0901));	/* blraa x8, x1 */
	CHECK(is_call(0xd73f0d1f));	/* blrab x8, sp */
}

static void test_others(void)
{
	CHECK(!is_call(0x14000001));	/* b +4 */
	CHECK(!is_call(0xd61f0000));	/* br x0 */
	CHECK(!is_call(0xd65f03c0));	/* ret */
	CHECK(!is_call(0xd65f0bff));	/* retaa */
	CHECK(!is_call(0xd71f0901));	/* braa x8, x1 */
	CHECK(!is_call(0xd503201f));	/* nop */
	CHECK(!is_call(0xd4000001));	/* svc #0 */
	CHECK(!is_call(0));
}

static void test_starts(void)
{
	u64 code = 0xd4000001d2801168ull;	/* mov x8,#139; svc #0 */

	CHECK(kprof_called_is_sigreturn(code, false));
	CHECK(!kprof_called_is_sigreturn(code + 0x20, false));
	CHECK(kprof_called_is_start(0xaa0003e000000000ull, 0x94000010));
	CHECK(!kprof_called_is_start(0xaa0003e000000000ull, 0xa9bf7bfd));
	CHECK(!kprof_called_is_start(0xd65f03c000000000ull, 0x94000010));
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
