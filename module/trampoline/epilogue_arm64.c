// SPDX-License-Identifier: GPL-2.0-only
/*
 * epilogue_arm64.c - code by which a call can return to its caller without the trampoline
 *
 * A watched function returns into the trampoline, which ends like any kernel function:
 * it pops a frame record and a fixed number of bytes, authenticates the return address,
 * and returns. The kernel's own text has the same instructions at the end of each function
 * whose frame is as large as the trampoline's. A watched function that returns there no
 * longer needs the trampoline.
 *
 * The code is searched for when it is needed. kprobes confirm that what was found is an
 * instruction and not data.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "trampoline/direct.h"
#include "trampoline/epilogue.h"

/* In each direction. Each MiB has some functions with so large a frame. */
#define SEARCHED_PAGES	(SZ_32M / PAGE_SIZE)

/* ldp x29, x30, [sp], #SIZE; autiasp; ret */
#define LOAD(size)	(0xa8c07bfd | (size) / 8 << 15)
#define AUTHENTICATE	0xd50323bf
#define RET		0xd65f03c0

#define MAX_INSNS	3

struct kprof_epilogue kprof_epilogue;

/* The trampoline's own end. Return: number of instructions. */
static u32 own_end(__le32 *code)
{
	u32 nr = 0;

	code[nr++] = cpu_to_le32(LOAD(sizeof(struct kprof_frame)));
	if (IS_ENABLED(CONFIG_ARM64_PTR_AUTH_KERNEL))
		code[nr++] = cpu_to_le32(AUTHENTICATE);
	code[nr++] = cpu_to_le32(RET);
	return nr;
}

/* kprobes know what is text, and which part of it may be modified. */
static bool is_text(unsigned long addr)
{
	struct kprobe probe = {
		.addr = (kprobe_opcode_t *)addr,
		.flags = KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&probe))
		return false;
	unregister_kprobe(&probe);
	return true;
}

/* Return: whether to go on with the next page. */
static bool look_at_page(unsigned long page, __le32 *code)
{
	__le32 end[MAX_INSNS];
	const u32 nr = own_end(end);
	u32 i;

	if (copy_from_kernel_nofault(code, (void *)page, PAGE_SIZE))
		return false;
	for (i = 0; i + nr <= PAGE_SIZE / sizeof(*code); i++) {
		if (memcmp(code + i, end, nr * sizeof(*end)) ||
		    !is_text(page + i * sizeof(*code)))
			continue;
		kprof_epilogue.leave = page + i * sizeof(*code);
		return false;
	}
	return true;
}

/**
 * kprof_epilogue_is_known() - has kprof_epilogue_find() found the code
 *
 * Context: any. Return: whether it has.
 */
bool kprof_epilogue_is_known(void)
{
	return kprof_epilogue.leave;
}

/**
 * kprof_epilogue_find() - search for the code
 *
 * Context: sleeps. If there is none, or no memory for the search,
 * kprof_epilogue_is_known() returns false.
 */
void kprof_epilogue_find(void)
{
	const unsigned long from = PAGE_ALIGN((unsigned long)noop_llseek);
	__le32 *code;
	u32 page;

	/* With a shadow call stack, return addresses on the stack are not used. */
	if (kprof_epilogue_is_known() || IS_ENABLED(CONFIG_SHADOW_CALL_STACK))
		return;
	code = kmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!code)
		return;
	for (page = 0; page < SEARCHED_PAGES; page++)
		if (!look_at_page(from + page * PAGE_SIZE, code))
			break;
	for (page = 1; page < SEARCHED_PAGES && !kprof_epilogue_is_known(); page++)
		if (!look_at_page(from - page * PAGE_SIZE, code))
			break;
	kfree(code);
}
