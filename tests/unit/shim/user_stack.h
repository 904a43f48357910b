/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_stack.h - what module/user/frames.h has, for a stack that is here, and whose addresses begin
 * at BASE
 */
#ifndef KPROF_USER_FRAMES_H
#define KPROF_USER_FRAMES_H

#include <linux/types.h>
#include <string.h>

#define KPROF_SIGNAL_PC		168
#define KPROF_SIGNAL_SP		160
#define KPROF_SIGNAL_FP		120
#define KPROF_SIGNAL_LINK	112
#define BASE			0x7f0000001000ul

struct kprof_user_state {
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;
	unsigned long link;
	unsigned long floor;
	u32 word;
	bool is_exact;
};

static u64 stack[64];
static u32 odd_reads;	/* of words that are not aligned */

static bool kprof_user_read64(unsigned long from, u64 *to)
{
	odd_reads += from % 8 != 0;
	if (from - BASE > sizeof(stack) - 8)
		return false;
	memcpy(to, (char *)stack + (from - BASE), 8);
	return true;
}

static bool kprof_user_read_pair(unsigned long from, u64 to[2])
{
	return kprof_user_read64(from, &to[0]) && kprof_user_read64(from + 8, &to[1]);
}

static bool kprof_user_read32(unsigned long from, u32 *to)
{
	if (from - BASE > sizeof(stack) - 4)
		return false;
	memcpy(to, (char *)stack + (from - BASE), 4);
	return true;
}

static unsigned long kprof_user_strip(unsigned long addr)
{
	return addr & ~(0xfful << 56);
}

static unsigned long kprof_user_above(unsigned long fp)
{
	return fp + 16;
}

#endif /* KPROF_USER_FRAMES_H */
