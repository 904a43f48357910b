// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_blocks.c - functions of which it is known how often each part of them runs
 *
 * Writing to a parameter does the work and returns when it is done:
 *
 * loop=N,T	blocks_loop is called N times, and its loop turns T times each
 * nested=N,T,S	blocks_nested is called N times; its outer loop turns T times each, the
 *		inner one S times in each of these turns
 * ways=N	blocks_ways is called N times with each of 0 to 4: 0 to 3 lead to blocks_way0 to
 *		blocks_way3, and 4 to none of them
 * tail=N	blocks_tail is called N times; every second call ends with a jump to blocks_tailed
 * fault=N	blocks_fault is called N times, and reads from an address where there is nothing;
 *		fails with EIO where that succeeds
 * choose=N,F	blocks_choose is called with the number N and the character F. Each of its calls is
 *		reached with some N up to 65536, except that of blocks_never
 * turns=N	blocks_turns is called N times with a range that differs from call to call. Of its
 *		loops three end by what is in the range; one by a number that no argument leads to
 * time=T	blocks_loop is called once, and its loop turns T times; the nanoseconds that this
 *		took can then be read
 */
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/uaccess.h>

static noinline __noclone void blocks_loop(unsigned long turns)
{
	unsigned long i;

	for (i = 0; i < turns; i++)
		barrier();
	asm volatile("# loop");
}

static noinline __noclone void blocks_nested(unsigned long turns, unsigned long inner)
{
	unsigned long i, k;

	for (i = 0; i < turns; i++) {
		asm volatile("# outer");
		for (k = 0; k < inner; k++)
			asm volatile("# inner");
	}
}

static noinline __noclone void blocks_way0(void) { asm volatile("# 0"); }
static noinline __noclone void blocks_way1(void) { asm volatile("# 1"); }
static noinline __noclone void blocks_way2(void) { asm volatile("# 2"); }
static noinline __noclone void blocks_way3(void) { asm volatile("# 3"); }

static noinline __noclone void blocks_ways(unsigned int way)
{
	switch (way) {
	case 0:
		blocks_way0();
		break;
	case 1:
		blocks_way1();
		break;
	case 2:
		blocks_way2();
		break;
	case 3:
		blocks_way3();
		break;
	default:
		break;
	}
	asm volatile("# ways");
}

static noinline __noclone void blocks_never(void) { asm volatile("# never"); }

static noinline __noclone void blocks_choose(unsigned long n, char flag)
{
	if (n > 4096)
		blocks_way0();
	if (n == 31337)
		blocks_way1();
	if (n == 70000)
		blocks_never();
	if (flag == 'b')
		blocks_way2();
	else if (flag == 'c' && n < 100)
		blocks_way3();
	asm volatile("# choose");
}

static noinline __noclone long blocks_tailed(long n)
{
	asm volatile("# tailed");
	return n + 1;
}

static noinline __noclone long blocks_tail(long n)
{
	asm volatile("# tail");
	if (n & 1)
		return blocks_tailed(n);
	return n;
}

struct blocks_range {
	unsigned long start, end;
	unsigned long mask;
	unsigned int low : 3, high : 5;	/* the second of which cannot be a key */
	struct {
		unsigned int x;		/* as SLUB has it: a number below an order */
	} order;
};

static unsigned int hidden;

static noinline __noclone void blocks_turns(const struct blocks_range *of, int step)
{
	unsigned long at;
	unsigned int i;

	for (i = 1; i < (READ_ONCE(of->order.x) & 0xffff); i++)
		asm volatile("# order");
	for (at = of->start; at < READ_ONCE(of->end); at += 4096)
		asm volatile("# range");
	for (at = of->mask; at; at &= at - 1)
		asm volatile("# mask");
	for (i = 0; i < READ_ONCE(hidden); i++)
		asm volatile("# hidden");
}

/* On x86-64 only a table of the kernel's leads to the code behind the label. */
static noinline __noclone long blocks_fault(const void *from)
{
	unsigned long value;

	pagefault_disable();
	__get_kernel_nofault(&value, from, unsigned long, failed);
	pagefault_enable();
	return 0;
failed:
	pagefault_enable();
	return -EFAULT;
}

/* --- parameters --- */

static int set_loop(const char *text, const struct kernel_param *param)
{
	unsigned long calls, turns;

	if (sscanf(text, "%lu,%lu", &calls, &turns) != 2)
		return -EINVAL;
	while (calls--)
		blocks_loop(turns);
	return 0;
}

static int set_nested(const char *text, const struct kernel_param *param)
{
	unsigned long calls, turns, inner;

	if (sscanf(text, "%lu,%lu,%lu", &calls, &turns, &inner) != 3)
		return -EINVAL;
	while (calls--)
		blocks_nested(turns, inner);
	return 0;
}

static int set_ways(const char *text, const struct kernel_param *param)
{
	unsigned long calls, i;
	int err = kstrtoul(text, 0, &calls);

	for (i = 0; !err && i < 5 * calls; i++)
		blocks_ways(i % 5);
	return err;
}

static int set_tail(const char *text, const struct kernel_param *param)
{
	unsigned long calls, i;
	int err = kstrtoul(text, 0, &calls);

	for (i = 0; !err && i < calls; i++)
		blocks_tail(i);
	return err;
}

static int set_fault(const char *text, const struct kernel_param *param)
{
	unsigned long calls;
	int err = kstrtoul(text, 0, &calls);

	/* The last page of the address space is no kernel's. */
	while (!err && calls--)
		err = blocks_fault((void *)(-PAGE_SIZE)) == -EFAULT ? 0 : -EIO;
	return err;
}

static int set_choose(const char *text, const struct kernel_param *param)
{
	unsigned long n;
	char flag;

	if (sscanf(text, "%lu,%c", &n, &flag) != 2)
		return -EINVAL;
	blocks_choose(n, flag);
	return 0;
}

static int set_turns(const char *text, const struct kernel_param *param)
{
	struct blocks_range of = { 0 };
	struct rnd_state rnd;
	unsigned long calls;
	int err = kstrtoul(text, 0, &calls);

	prandom_seed_state(&rnd, 1);
	while (!err && calls--) {
		of.order.x = (prandom_u32_state(&rnd) % 4) << 16 | prandom_u32_state(&rnd) % 600;
		of.start = 0x10000 + prandom_u32_state(&rnd) % 0x100000;
		of.end = of.start + prandom_u32_state(&rnd) % 0x8000;
		of.mask = prandom_u32_state(&rnd);
		hidden = prandom_u32_state(&rnd) % 5;
		blocks_turns(&of, prandom_u32_state(&rnd) % 3);
	}
	return err;
}

static u64 took;

static int set_time(const char *text, const struct kernel_param *param)
{
	unsigned long turns;
	int err = kstrtoul(text, 0, &turns);

	if (!err) {
		took = ktime_get_ns();
		blocks_loop(turns);
		took = ktime_get_ns() - took;
	}
	return err;
}

static int get_time(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%llu\n", took);
}

static const struct kernel_param_ops loop_ops = { .set = set_loop };
static const struct kernel_param_ops nested_ops = { .set = set_nested };
static const struct kernel_param_ops ways_ops = { .set = set_ways };
static const struct kernel_param_ops tail_ops = { .set = set_tail };
static const struct kernel_param_ops fault_ops = { .set = set_fault };
static const struct kernel_param_ops choose_ops = { .set = set_choose };
static const struct kernel_param_ops turns_ops = { .set = set_turns };
static const struct kernel_param_ops time_ops = { .set = set_time, .get = get_time };

module_param_cb(loop, &loop_ops, NULL, 0200);
module_param_cb(nested, &nested_ops, NULL, 0200);
module_param_cb(ways, &ways_ops, NULL, 0200);
module_param_cb(tail, &tail_ops, NULL, 0200);
module_param_cb(fault, &fault_ops, NULL, 0200);
module_param_cb(choose, &choose_ops, NULL, 0200);
module_param_cb(turns, &turns_ops, NULL, 0200);
module_param_cb(time, &time_ops, NULL, 0600);

static int __init kprof_blocks_init(void) { return 0; }
static void __exit kprof_blocks_exit(void) { }

module_init(kprof_blocks_init);
module_exit(kprof_blocks_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("functions of which it is known how often each part of them runs");
