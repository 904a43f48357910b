// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers.c - the registers of user mode that can be keys: %ax and the like
 *
 * The arguments of a marker (USDT) are in any register, or in memory beside one. The names are
 * those of kprobe_events; the kernel's own table of them is not exported.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "calls/registers.h"

#ifdef CONFIG_X86
#define REGISTER(name)	{ #name, offsetof(struct pt_regs, name) }

static const struct {
	const char *name;
	size_t offset;
} registers[] = {
	REGISTER(ax), REGISTER(bx), REGISTER(cx), REGISTER(dx), REGISTER(si), REGISTER(di),
	REGISTER(bp), REGISTER(sp), REGISTER(r8), REGISTER(r9), REGISTER(r10), REGISTER(r11),
	REGISTER(r12), REGISTER(r13), REGISTER(r14), REGISTER(r15),
};
#else
#define STACK_POINTER	31	/* the register behind x30 */
#endif

/**
 * kprof_register_find() - find a register by its name
 * @name:	the name, without "%"; what follows it is not looked at
 * @length:	its length
 *
 * Context: any. Return: the number for kprof_register_read(), or -1: there is no such register.
 */
int kprof_register_find(const char *name, size_t length)
{
#ifdef CONFIG_X86
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++)
		if (strlen(registers[i].name) == length &&
		    !strncmp(registers[i].name, name, length))
			return i;
	return -1;
#else
	char digits[3] = { };
	u8 number;

	if (length == 2 && !strncmp(name, "sp", 2))
		return STACK_POINTER;
	if (length < 2 || length > 3 || *name != 'x')
		return -1;
	memcpy(digits, name + 1, length - 1);
	return kstrtou8(digits, 10, &number) || number >= STACK_POINTER ? -1 : number;
#endif
}

/**
 * kprof_register_read() - read a register
 * @regs:	registers of user mode
 * @number:	from kprof_register_find()
 *
 * Context: any, NMI included. Return: what is in it.
 */
u64 kprof_register_read(const struct pt_regs *regs, u32 number)
{
#ifdef CONFIG_X86
	return *(const unsigned long *)((const char *)regs + registers[number].offset);
#else
	return number == STACK_POINTER ? regs->sp : regs->regs[number];
#endif
}
