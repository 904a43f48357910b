/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - where a user stack continues, on an architecture: frames_x86.h, frames_arm64.h
 *
 * Each has, for a set of user registers:
 *
 * kprof_user_frame()	the frame pointer, and whether words are of 32 bits
 * kprof_user_link()	the return address of a function that has no frame of its own at this
 *			very instruction; 0 where it has one, or that is not known
 * kprof_user_strip()	an address without what pointer authentication has put into it
 */
#ifndef KPROF_USER_FRAMES_H
#define KPROF_USER_FRAMES_H

#include <linux/ptrace.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* A call this far into a function is not looked for: most are shorter by far. */
#define KPROF_USER_FUNCTION	4096

/**
 * struct kprof_user_frame - what a frame pointer points at
 * @at:		the frame pointer
 * @word:	bytes of a word: 8, or 4 in a process of 32 bits; 0: there are no frames to follow
 */
struct kprof_user_frame {
	unsigned long at;
	u32 word;
};

/*
 * Inside of pagefault_disable(), which copy_from_user_nofault() of 6.1 is not good enough for: to
 * check the size of what is copied it may take a lock that was interrupted.
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
