// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_starve.c - while it is loaded, kprof gets no memory
 *
 * function=NAME	that does not give it; called by kprof itself, returns a pointer
 * skip=N		but that many times first
 * refused		how often it has not given any
 */
#include <linux/atomic.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

static char *function = "vzalloc_node";
module_param(function, charp, 0444);

static int skip;
module_param(skip, int, 0444);

static int refused;
module_param(refused, int, 0444);

static atomic_t calls;

static unsigned long caller_of(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)regs->sp;
#else
	return regs->regs[30];
#endif
}

/* Stands for the function: a probe may not pop the return address itself. */
static noinline notrace void return_at_once(void)
{
	asm volatile("");
}

static void return_nothing(struct pt_regs *regs)
{
	regs_set_return_value(regs, 0);
	instruction_pointer_set(regs, (unsigned long)return_at_once);
}

static int on_call(struct kprobe *probe, struct pt_regs *regs)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, caller_of(regs) - 1);
	if (!strstr(name, "[kprof]") || atomic_inc_return(&calls) <= skip)
		return 0;
	refused++;
	return_nothing(regs);
	return 1;
}
NOKPROBE_SYMBOL(on_call);

/* A probe that goes elsewhere has to have one. */
static void after_call(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = {
	.pre_handler = on_call,
	.post_handler = after_call,
};

static int __init starve_init(void)
{
	probe.symbol_name = function;
	return register_kprobe(&probe);
}

static void __exit starve_exit(void)
{
	unregister_kprobe(&probe);
}

module_init(starve_init);
module_exit(starve_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Lets kprof have no memory");
