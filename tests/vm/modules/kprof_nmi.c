// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_nmi.c - calls in NMI, on demand, where no counter interrupts by one
 *
 * nmi=N	N times, an NMI comes, whose handler calls called_by_nmi and untraced_in_nmi; a
 *		probe of the latter does not use ftrace
 */
#include <linux/module.h>
#include <asm/nmi.h>

static bool expected;

static noinline __noclone void called_by_nmi(void)
{
	asm volatile("# called");
}

/* A probe's jump replaces five bytes. */
static noinline __noclone notrace void untraced_in_nmi(void)
{
	asm volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	if (!expected)
		return NMI_DONE;
	called_by_nmi();
	untraced_in_nmi();
	barrier();
	return NMI_HANDLED;
}

/* By its vector, as the kernel's virtual machine monitor hands one on. */
static noinline void make_nmi(void)
{
	preempt_disable();
	expected = true;
	asm volatile("int $2");
	expected = false;
	preempt_enable();
}

static int do_nmi(const char *text, const struct kernel_param *kp)
{
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	while (!err && n--)
		make_nmi();
	return err;
}

static const struct kernel_param_ops nmi_ops = { .set = do_nmi };
module_param_cb(nmi, &nmi_ops, NULL, 0200);

static int __init nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "kprof_nmi");
}

static void __exit nmi_exit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "kprof_nmi");
}

module_init(nmi_init);
module_exit(nmi_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls in NMI, on demand");
