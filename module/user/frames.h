/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - unwinds a user stack; implemented by frames_x86.h and frames_arm64.h
 *
 * Each has, for a set of user registers:
 *
 * kprof_user_state()	where the walk begins
 * kprof_user_above()	the caller's stack pointer, if a frame pointer tells; else 0
 * kprof_user_link()	the return address of a function that has no frame of its own at this
 *			instruction; 0 if it has one, or that is not known. @sp: the caller's
 *			stack pointer; 0 if it is not known
 * kprof_user_return()	the same, at the first instruction of a function
 * kprof_user_is_loaded() whether the CPU has loaded the address space of the current task
 * kprof_user_strip()	an address without its pointer authentication code
 */
#ifndef KPROF_USER_FRAMES_H
#define KPROF_USER_FRAMES_H

#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* Assumed maximum length of a function. Most are much shorter. */
#define KPROF_USER_FUNCTION	4096

/**
 * struct kprof_user_state - where a walk is
 * @pc:		a return address, or the interrupted instruction
 * @sp:		stack pointer; 0: not known
 * @fp:		frame pointer
 * @link:	of the interrupted function, the register in which a rule may say that its return
 *		address is: on arm64 the link register, on x86-64 rdi; 0 for its callers
 * @floor:	what is left of the stack begins here
 * @word:	size of a word: 8, or 4 in a 32-bit process; 0: there are no frames to follow
 * @is_exact:	@pc is an instruction that was interrupted
 */
struct kprof_user_state {
	unsigned long pc;
	unsigned long sp;
	unsigned long fp;
	unsigned long link;
	unsigned long floor;
	u32 word;
	bool is_exact;
};

/*
 * For use inside pagefault_disable(). copy_from_user_nofault() would not do: it is a call for each
 * word, and before 6.1.36 it did not check which address space is loaded, and could take a lock to
 * check where the copy goes, which the interrupted code might hold.
 */
static __always_inline bool kprof_user_read64(unsigned long from, u64 *to)
{
	const u64 __user *pointer = (const u64 __user *)from;

	if (!user_access_begin(pointer, sizeof(*pointer)))
		return false;
	unsafe_get_user(*to, pointer, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/* Two words in one go: opening and closing user memory costs more than reading it. */
static __always_inline bool kprof_user_read_pair(unsigned long from, u64 to[2])
{
	const u64 __user *pointer = (const u64 __user *)from;

	if (!user_access_begin(pointer, 2 * sizeof(*pointer)))
		return false;
	unsafe_get_user(to[0], pointer, fault);
	unsafe_get_user(to[1], pointer + 1, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/*
 * To read many words: kprof_user_open() opens all user memory below KPROF_USER_LIMIT, until
 * user_access_end(), and nothing may be called in between. What is not below that is read at 0,
 * which faults, also where the processor only speculates.
 */
#define KPROF_USER_LIMIT	(TASK_SIZE_MAX - PAGE_SIZE)

static __always_inline bool kprof_user_open(void)
{
	return user_access_begin((const void __user *)NULL, KPROF_USER_LIMIT);
}

/* @limit: KPROF_USER_LIMIT, in a variable, as it is too large for a constant in an instruction */
static __always_inline unsigned long kprof_user_below(unsigned long addr, unsigned long limit)
{
	return addr & array_index_mask_nospec(addr, limit);
}

#define kprof_user_get(to, from, limit, label)						\
	unsafe_get_user(to, (const u64 __user *)kprof_user_below(from, limit), label)

static __always_inline bool kprof_user_read32(unsigned long from, u32 *to)
{
	const u32 __user *pointer = (const u32 __user *)from;

	if (!user_access_begin(pointer, sizeof(*pointer)))
		return false;
	unsafe_get_user(*to, pointer, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

#ifdef CONFIG_X86
#include "user/frames_x86.h"
#else
#include "user/frames_arm64.h"
#endif

#endif /* KPROF_USER_FRAMES_H */
