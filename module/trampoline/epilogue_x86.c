// SPDX-License-Identifier: GPL-2.0-only
/*
 * epilogue_x86.c - code by which a call can return to its caller without the trampoline
 *
 * A watched function returns into the trampoline, which ends like any function with a frame
 * pointer: "leave", then skips a word, and returns. The kernel's own text can do the same in
 * two steps: a "leave" followed by a return, and a return that continues from the skipped
 * word. A stack that has the addresses of these two no longer needs the trampoline.
 *
 * Both are searched for in the kernel's text. The kernel's unwinder confirms that its rules
 * there match such an end, so that a stack with these addresses can be unwound like any other.
 */
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/unwind.h>

#include "compat.h"
#include "trampoline/direct.h"
#include "trampoline/epilogue.h"

#define LEAVE		0xc9
#define RET		0xc3
#define JUMP		0xe9	/* to a thunk that returns */
#define JUMP_SIZE	5

/* There is about one in 20 KiB. */
#define SEARCHED_PAGES	512

struct kprof_epilogue kprof_epilogue;

/* The unwinder takes one step on this stack. All words differ, and none is an address. */
#define NR_WORDS	8
#define BP_WORD		4
#define NONSENSE	0x5a5a5a5a5a5a0000ULL

static u64 words[NR_WORDS];

static struct unwind_state step_from(unsigned long ip)
{
	struct unwind_state state = {
		.stack_info = {
			.type = STACK_TYPE_TASK,
			.begin = (unsigned long *)words,
			.end = (unsigned long *)(words + NR_WORDS),
		},
		.task = current,
		.error = true,	/* keeps it from warning about the nonsense */
		.sp = (unsigned long)words,
		.bp = (unsigned long)&words[BP_WORD],
		.ip = ip,
	};

	unwind_next_frame(&state);
	return state;
}

/* By the unwinder's rule, does the frame pointer point to frame pointer and return address? */
static bool has_frame(unsigned long ip)
{
	struct unwind_state state = step_from(ip);

	return state.sp == (unsigned long)&words[BP_WORD + 2] &&
	       state.ip == words[BP_WORD + 1] && state.bp == words[BP_WORD];
}

/* By the unwinder's rule, is the return address on top of the stack? */
static bool has_nothing(unsigned long ip)
{
	struct unwind_state state = step_from(ip);

	return state.sp == (unsigned long)&words[1] && state.ip == words[0] &&
	       state.bp == (unsigned long)&words[BP_WORD];
}

static unsigned long jump_target(const u8 *code, unsigned long addr)
{
	s32 distance;

	memcpy(&distance, code + 1, sizeof(distance));
	return addr + JUMP_SIZE + distance;
}

/* Is this how the kernel returns on this processor? The trampoline's own return is the model. */
static bool is_return(const u8 *code, unsigned long addr)
{
	const u8 *own = (const u8 *)kprof_trampoline_ret;

	if (*code != *own)
		return false;
	return *own == RET ||
	       (*own == JUMP && jump_target(code, addr) ==
				jump_target(own, (unsigned long)own));
}

static void look_at(const u8 *code, unsigned long addr)
{
	if (!kprof_epilogue.leave && *code == LEAVE && is_return(code + 1, addr + 1) &&
	    has_frame(addr))
		kprof_epilogue.leave = addr;
	if (!kprof_epilogue.ret && is_return(code, addr) && has_nothing(addr))
		kprof_epilogue.ret = addr;
}

/**
 * kprof_epilogue_is_known() - has kprof_epilogue_find() found both places
 *
 * Context: any. Return: whether it has.
 */
bool kprof_epilogue_is_known(void)
{
	return kprof_epilogue.leave && kprof_epilogue.ret;
}

/**
 * kprof_epilogue_find() - search for both places
 *
 * Context: sleeps. If one is missing, or there is no memory for the search,
 * kprof_epilogue_is_known() returns false.
 */
void kprof_epilogue_find(void)
{
	unsigned long addr = PAGE_ALIGN((unsigned long)noop_llseek);
	const size_t size = PAGE_SIZE + 1 + JUMP_SIZE;
	u8 *code = kmalloc(size, GFP_KERNEL);
	u32 page, i;

	for (i = 0; i < NR_WORDS; i++)
		words[i] = NONSENSE + i;
	for (page = 0; code && page < SEARCHED_PAGES; page++, addr += PAGE_SIZE) {
		if (kprof_epilogue_is_known() ||
		    copy_from_kernel_nofault(code, (void *)addr, size))
			break;
		for (i = 0; i < PAGE_SIZE; i++)
			look_at(code + i, addr + i);
	}
	kfree(code);
}
