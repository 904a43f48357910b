// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_deep.c - places that are passed deep on a task's stack, and how much of it that takes
 *
 * Writing BYTES to /sys/module/kprof_deep/parameters/NAME does it when so many bytes of the task's
 * stack are left, and returns when it is done:
 *
 * pass=BYTES	the tracepoint deep_point is passed, with an address that nobody can read
 * call=BYTES	deep_called() is called
 *
 * To be read:
 *
 * size		bytes of a task's stack
 * used		the most bytes of stack that a probe took, since the last write of 0 to it
 * unused	the fewest bytes at the end of the stack that were left untouched, likewise
 *
 * Interrupts are disabled meanwhile, so all that is used is the probe's.
 */
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/thread_info.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

#define PAINT	0x6b6b6b6b6b6b6b6bUL

DECLARE_TRACE(deep_point, TP_PROTO(unsigned long address), TP_ARGS(address));
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
DEFINE_TRACE(deep_point, TP_PROTO(unsigned long address), TP_ARGS(address));
#define trace_deep_point_tp(address)	trace_deep_point(address)
#else
/* "tracing: Have all DECLARE_TRACE() use the suffix _tp" */
DEFINE_TRACE(deep_point_tp, TP_PROTO(unsigned long address), TP_ARGS(address));
#endif

static unsigned long size = THREAD_SIZE, used, unused = THREAD_SIZE;
module_param(size, ulong, 0400);
module_param(used, ulong, 0600);
module_param(unused, ulong, 0600);

static noinline __noclone void deep_called(unsigned long address)
{
	asm volatile("# called" : : "r" (address));
}

static void pass_point(void)
{
	trace_deep_point_tp(1);
}

static void call_function(void)
{
	deep_called(1);
}

/* The first word of a stack tells whether it was overrun; the kernel does not like to lose it. */
static unsigned long *end_of_paint(void)
{
	return (unsigned long *)task_stack_page(current) + 1;
}

/* All is inlined but @what: this function's frame is above what is painted. */
static noinline __no_sanitize_address __no_kcsan void paint_and(void (*what)(void))
{
	unsigned long *low = end_of_paint(), *high, *word, flags;

	local_irq_save(flags);
	high = (unsigned long *)round_down(current_stack_pointer, sizeof(*high));
	for (word = low; word < high; word++)
		WRITE_ONCE(*word, PAINT);
	what();
	for (word = low; word < high && READ_ONCE(*word) == PAINT; word++)
		;
	local_irq_restore(flags);
	used = max(used, (unsigned long)high - (unsigned long)word);
	unused = min(unused, (unsigned long)word - (unsigned long)low);
}

static noinline __noclone void go_down(unsigned long left, void (*what)(void))
{
	u8 room[64];

	OPTIMIZER_HIDE_VAR(left);
	asm volatile("# room" : : "r" (room) : "memory");
	if (current_stack_pointer - (unsigned long)task_stack_page(current) > left)
		go_down(left, what);
	else
		paint_and(what);
	/* Not a jump: the frame is to stay. */
	asm volatile("# room" : : "r" (room) : "memory");
}

static int go_down_to(const char *text, void (*what)(void))
{
	unsigned long left;
	int err = kstrtoul(text, 0, &left);

	if (!err && left < 512)
		err = -EINVAL;
	if (!err)
		go_down(left, what);
	return err;
}

static int set_pass(const char *text, const struct kernel_param *param)
{
	return go_down_to(text, pass_point);
}

static int set_call(const char *text, const struct kernel_param *param)
{
	return go_down_to(text, call_function);
}

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = set_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(pass);
TRIGGER(call);

static int __init deep_init(void)
{
	return 0;
}

static void __exit deep_exit(void)
{
}

module_init(deep_init);
module_exit(deep_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Places that are passed deep on a task's stack");
