// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_recalled.c - a stack that was kept is recognized, at whatever distances the random ones
 * are, and no other; and nothing is read outside of the stack, whatever is on it
 */
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "profile/recalled.h"

#define STACK_SIZE	16384
#define ENTRY_SIZE	168	/* the registers of user mode, at the end */
#define CS_AT		136
#define USER_CS		0x33
#define KERNEL_CS	0x10

/*
 * The stack of a system call: two frames above a frame pointer that the unwind begins with; one
 * that is plain; one of a random size, found by the frame pointer that the frame below has saved.
 */
static const u64 word[] = { 0x1111, 0x2222, 0x3333, 0x4444 };
static const struct kprof_recalled known = {
	.nr = 4, .user = 16 + CS_AT, .reach = 0,
	.link = {
		{ .from = KPROF_LINK_FIRST, .above = 16, .reach = 96 },
		{ .from = 80, .above = 8, .reach = 16 + ENTRY_SIZE },
	},
	.at = { 8 | KPROF_PATH_LINK, 40, 88, 8 | KPROF_PATH_LINK },
};

/* Whoever reads below or above the stack ends. */
static unsigned long begin, end;

static void make_stack(void)
{
	char *all = mmap(NULL, 3 * STACK_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(all != MAP_FAILED);
	CHECK_INT(mprotect(all + STACK_SIZE, STACK_SIZE, PROT_READ | PROT_WRITE), 0);
	begin = (unsigned long)all + STACK_SIZE;
	end = begin + STACK_SIZE;
}

static unsigned long *at(unsigned long addr)
{
	return (unsigned long *)addr;
}

struct registers {
	unsigned long sp;
	unsigned long bp;
};

/* A stack as it is known, with @first bytes in the innermost frame and @random in the last. */
static struct registers fill(unsigned long first, unsigned long random)
{
	unsigned long entry = end - ENTRY_SIZE, last = entry - 16;
	unsigned long bp = last - random - 96, sp = bp - first;

	memset(at(begin), 0x5a, STACK_SIZE);
	*at(bp + 8) = word[0];
	*at(bp + 40) = word[1];
	*at(bp + 80) = last;
	*at(bp + 88) = word[2];
	*at(last + 8) = word[3];
	*at(entry + CS_AT) = USER_CS;
	return (struct registers) { .sp = sp, .bp = bp };
}

static bool holds(struct registers r)
{
	return kprof_recalled_holds(&known, word, r.sp, r.bp, end);
}

static void test_same(void)
{
	unsigned long first, random;

	make_stack();
	for (first = 0; first < 256; first += 8)
		for (random = 0; random < 1024; random += 16)
			CHECK(holds(fill(first, random)));
}

static void test_other_address(void)
{
	struct registers r = fill(64, 160);
	unsigned long slot[] = { r.bp + 8, r.bp + 40, r.bp + 88, end - ENTRY_SIZE - 8 };
	size_t i;

	for (i = 0; i < 4; i++) {
		*at(slot[i]) ^= 1;
		CHECK(!holds(r));
		*at(slot[i]) ^= 1;
		CHECK(holds(r));
	}
}

static void test_other_end(void)
{
	struct registers r = fill(64, 160);

	*at(end - ENTRY_SIZE + CS_AT) = KERNEL_CS;
	CHECK(!holds(r));
}

/* A frame pointer must lead up, past what was read; here return addresses are right there, too. */
static void test_bases_go_up(void)
{
	struct registers r = fill(64, 160);

	r.sp = r.bp;
	CHECK(holds(r));
	r.sp = r.bp + 8;
	CHECK(!holds(r));
	r = fill(64, 160);
	*at(r.bp + 80) = r.bp + 80;	/* the address that is read would be the one just read */
	*at(r.bp + 88) = word[2];
	CHECK(!holds(r));
}

static u64 next(u64 *state)
{
	*state = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9ULL + 0x9e3779b97f4a7c15ULL;
	return *state ^ *state >> 27;
}

/* Close to a bound of the stack, on it, or anywhere. */
static unsigned long odd(u64 *state)
{
	u64 value = next(state);

	switch (value >> 8 & 3) {
	case 0:
		return begin + (long)(value >> 16 & 0x1ff) - 256;
	case 1:
		return end + (long)(value >> 16 & 0x1ff) - 256;
	case 2:
		return begin + (value >> 16) % STACK_SIZE;
	default:
		return next(state);
	}
}

static void test_nothing_else_is_read(void)
{
	struct registers r;
	u64 state = 1;
	int i;

	for (i = 0; i < 100000; i++) {
		r = fill(64, 160);
		if (i % 3 == 0)
			r.bp = odd(&state);
		if (i % 3 == 1)
			*at(r.bp + 80) = odd(&state);
		if (i % 3 == 2)
			r.sp = begin + next(&state) % (STACK_SIZE / 8) * 8;
		/* In place of words that are not there, those that are: bounds alone decide. */
		if (i & 1)
			kprof_recalled_holds(&known, (u64[]) { 0x5a5a5a5a5a5a5a5a, word[1],
					     word[2], 0x5a5a5a5a5a5a5a5a }, r.sp, r.bp, end);
		CHECK(!holds(r) || (r.bp > r.sp - 8 && r.bp < end));
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a stack that was kept is recognized, whatever the sizes of random frames",
		  test_same },
		{ "one with another return address is not", test_other_address },
		{ "nor one that was not entered from user mode", test_other_end },
		{ "nor one whose frame pointers do not lead up", test_bases_go_up },
		{ "nothing outside of the stack is read", test_nothing_else_is_read },
		{ NULL }
	};

	return unit_run(tests);
}
