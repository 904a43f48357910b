// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_known.c - work whose shares, calls and latencies are known
 *
 * Writing to a parameter does the work and returns when it is done:
 *
 * spin=MS	a thread on each CPU is busy for MS milliseconds, and for a few rounds at least:
 *		half of it in known_half, 30 % in known_third, 20 % in known_fifth
 * call=N	a thread on each CPU calls known_called N times
 * loop=T,N	known_loop is called N times, and turns T times each; each turn passes
 *		known_turn, and fails (returns -EINVAL) where T is 13
 * path=N	known_path is called N times, with a mode from 0 to 7 and a class from 0 to 24
 *		in all pairs equally often; mode 3 with class 5 takes 20 times as long
 * range=N	known_range is called N times, with numbers from 0 to 7 and from 0 to 1023 in all
 *		pairs equally often; for 5 and those from 384 to 447 it takes 20 times as long
 * outside=N	known_outside is called N times, which calls known_path in that way
 * deeper=N	known_deeper is called N times, with numbers from 0 to 7 and from 0 to 24 in all
 *		pairs equally often, and calls known_check, which calls known_path; for 4 and 7
 *		once more, for 20 times as long. known_deeper itself takes a time by chance, too
 * chance=N	known_chance is called N times, with an argument from 0 to 7; how long it
 *		takes has nothing to do with that
 * indirect=MS	the same with calls through a pointer in known_indirect
 * turns=N	known_turns turns N times, of two instructions each, the second a branch
 * recurse=N	known_recursive calls itself until it is N deep, and known_turn there
 * twice=N	known_twice is called N times from each of two places of one function
 * tail=N	known_tail is called N times, and ends with a jump to known_tailed
 * align=N	known_aligned, which aligns its stack, is called N times, and calls known_called
 *		by way of known_seven
 * stacks=N	known_leaf is called once from each of N different stacks
 * args=N	known_eight and known_fourteen are called N times; fails with EIO if
 *		one argument does not arrive as it was given
 * many=N	the same for known_fifteen, known_sixteen, known_thirty, known_variadic, and
 *		known_by_value, known_structs and known_large, which take structures by value
 * exit=N	N threads end inside of known_ender, which never returns
 * sleep=MS	known_sleeper sleeps for MS milliseconds
 * irq_off=MS	known_irqs_off spins for MS milliseconds with interrupts disabled
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/module.h>

/* A tenth of a round: short beside the period of a sampler, long beside a call. */
#define TURNS	2000

/*
 * Rounds for each millisecond of time: less than an emulated CPU does in it. One that stands still
 * for all of the time works for as many afterwards, so that a sampler has something to see.
 */
#define LEAST_ROUNDS	4

static unsigned long amount;
static struct completion done;
static atomic_t running;

/* Work that takes the same time wherever it stands: a loop of so many turns. */
static __always_inline void turn(unsigned long turns)
{
	while (turns--)
		barrier();
}

/* Each has a body of its own, or the compiler would fold them into one. */
static noinline __noclone void known_half(unsigned long turns)
{
	turn(5 * turns);
	asm volatile("# half");
}

static noinline __noclone void known_third(unsigned long turns)
{
	turn(3 * turns);
	asm volatile("# third");
}

static noinline __noclone void known_fifth(unsigned long turns)
{
	turn(2 * turns);
	asm volatile("# fifth");
}

static noinline __noclone unsigned long known_called(unsigned long n)
{
	asm volatile("# called");
	return n + 1;
}

static noinline __noclone void known_turn(void)
{
	asm volatile("# a turn");
}

/* Exactly two instructions a turn, whatever the compiler would make of it. */
static noinline __noclone void known_turns(unsigned long turns)
{
#ifdef CONFIG_ARM64
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r" (turns) : : "cc");
#else
	asm volatile("1: dec %0\n\tjnz 1b" : "+r" (turns) : : "cc");
#endif
}

static noinline __noclone void known_path(const void *object, unsigned int mode,
					  unsigned int class)
{
	turn(mode == 3 && class == 5 ? 20 * TURNS : TURNS);
	asm volatile("# path" : : "r" (object));
}

static noinline __noclone void known_range(unsigned int mode, unsigned int weight)
{
	turn(mode == 5 && weight >= 384 && weight < 448 ? 20 * TURNS : TURNS);
	asm volatile("# range");
}

/* Its own arguments do not tell when it is slow. */
static noinline __noclone void known_outside(const unsigned long *turns)
{
	known_half(10);
	known_path(turns, *turns % 8, *turns % 25);
	known_third(10);
}

static noinline __noclone void known_check(unsigned int mode, unsigned int class)
{
	known_path(NULL, 0, 0);
	if (mode == 4 && class == 7)
		known_path(NULL, 3, 5);
	asm volatile("# check");
}

static noinline __noclone void known_deeper(unsigned int mode, unsigned int class)
{
	static u32 state = 1;

	state = state * 1664525 + 1013904223;
	turn(state >> 19);
	known_check(mode, class);
	asm volatile("# deeper");
}

static noinline __noclone void known_chance(unsigned int number)
{
	static u32 state = 1;

	state = state * 1664525 + 1013904223;
	turn(TURNS + (state >> 20));
	asm volatile("# chance" : : "r" (number));
}

static noinline __noclone int known_loop(const char *name, unsigned long turns)
{
	unsigned long i;

	for (i = 0; i < turns; i++) {
		known_turn();
		turn(100);
	}
	return turns == 13 ? -EINVAL : (int)turns;
}

/* Arguments seven and on come on the stack. */
static noinline __noclone long known_eight(long a, long b, long c, long d, long e, long f,
					   long g, long h)
{
	asm volatile("# eight");
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

static noinline __noclone long known_fourteen(long a, long b, long c, long d, long e, long f,
					      long g, long h, long i, long j, long k, long l,
					      long m, long n)
{
	asm volatile("# fourteen");
	return a + b + c + d + e + f + g + h + 10 * i + 20 * j + 30 * k + 40 * l + 50 * m +
	       60 * n;
}

static noinline __noclone long known_fifteen(long a, long b, long c, long d, long e, long f,
					     long g, long h, long i, long j, long k, long l,
					     long m, long n, long o)
{
	asm volatile("# fifteen");
	return a + b + c + d + e + f + g + h + i + j + k + l + 10 * m + 20 * n + 30 * o;
}

static noinline __noclone long known_sixteen(long a, long b, long c, long d, long e, long f,
					     long g, long h, long i, long j, long k, long l,
					     long m, long n, long o, long p)
{
	asm volatile("# sixteen");
	return a + b + c + d + e + f + g + h + i + j + k + l + m + n + 10 * o + 20 * p;
}

static noinline __noclone long known_thirty(long a, long b, long c, long d, long e, long f,
					    long g, long h, long i, long j, long k, long l,
					    long m, long n, long o, long p, long q, long r,
					    long s, long t, long u, long v, long w, long x,
					    long y, long z, long a2, long b2, long c2, long d2)
{
	asm volatile("# thirty");
	return a + g + j + k + o + p + w + 10 * c2 + 20 * d2;
}

/* So many numbers follow. */
static noinline __noclone long known_variadic(int nr, ...)
{
	va_list numbers;
	long sum = 0;

	va_start(numbers, nr);
	while (nr--)
		sum += va_arg(numbers, long);
	va_end(numbers);
	return sum;
}

struct two {
	long a, b;
};

struct three {
	long a, b, c;
};

struct nine {
	struct three a, b, c;
};

/* Eleven words and a place for three, of which six come on the stack. */
static noinline __noclone struct three known_by_value(struct three x, long a, long b, long c,
						      long d, long e, long f, long g, short h)
{
	asm volatile("# by value");
	return (struct three){ x.a + a, x.b + b + c + d + e + f, x.c + g + h };
}

/* In registers, on the stack, by reference: structures of two and three words, one returned. */
static noinline __noclone struct three known_structs(struct two x, struct three y, long a, short b)
{
	asm volatile("# structs");
	return (struct three){ x.a + y.a, x.b + y.b + a, y.c + b };
}

/* Nine words on the stack, in one piece. */
static noinline __noclone long known_large(struct nine x)
{
	asm volatile("# large");
	return x.a.a + 2 * x.b.b + 3 * x.c.c;
}

static noinline __noclone void known_ender(void)
{
	if (atomic_dec_and_test(&running))
		complete(&done);
	kthread_complete_and_exit(NULL, 0);
}

static noinline __noclone unsigned long known_recursive(unsigned long n)
{
	unsigned long below = 0;

	if (n > 1)
		below = known_recursive(n - 1);
	else
		known_turn();
	asm volatile("# recursive");
	return below + 1;
}

static noinline __noclone void known_twice(void)
{
	asm volatile("# twice");
}

static noinline __noclone unsigned long known_tailed(unsigned long n)
{
	asm volatile("# tailed");
	return n + 1;
}

static noinline __noclone unsigned long known_tail(unsigned long n)
{
	asm volatile("# tail");
	return known_tailed(n);
}

static noinline __noclone void known_leaf(void)
{
	asm volatile("# leaf");
}

static void known_left(unsigned long number, u32 bits);
static void known_right(unsigned long number, u32 bits);

/* The bits of a number choose the way down: each number is a stack of its own. */
static __always_inline void known_way(unsigned long number, u32 bits)
{
	if (!bits)
		known_leaf();
	else if (number & 1)
		known_left(number >> 1, bits - 1);
	else
		known_right(number >> 1, bits - 1);
	barrier();
}

static noinline __noclone void known_left(unsigned long number, u32 bits)
{
	known_way(number, bits);
	asm volatile("# left");
}

static noinline __noclone void known_right(unsigned long number, u32 bits)
{
	known_way(number, bits);
	asm volatile("# right");
}

static void known_nothing(void)
{
	asm volatile("# nothing");
}

static void (*known_pointer)(void) = known_nothing;

static noinline __noclone void known_indirect(unsigned long turns)
{
	while (turns--)
		READ_ONCE(known_pointer)();
}

/*
 * Not shorter by any clock: where ticks were late, jiffies are, too, and the sleep ends before its
 * time. A hundredth more is what clocks differ by.
 */
static noinline __noclone void known_sleeper(unsigned long ms)
{
	ktime_t end = ktime_add_ms(ktime_get(), ms + ms / 100);

	msleep(ms);
	while (ktime_before(ktime_get(), end))
		usleep_range(1000, 2000);
}

static noinline __noclone void known_irqs_off(unsigned long ms)
{
	unsigned long flags;
	u64 end;

	/* Only now: before, this task may be kept waiting, and had interrupts off for less. */
	local_irq_save(flags);
	end = ktime_get_mono_fast_ns() + ms * NSEC_PER_MSEC;
	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
	local_irq_restore(flags);
}

/* No two rounds take the same time: a period that many of them fill would meet always the same. */
static bool is_busy(u64 end, unsigned long round)
{
	return ktime_get_mono_fast_ns() < end || round < amount * LEAST_ROUNDS;
}

static int spin_thread(void *unused)
{
	u64 end = ktime_get_mono_fast_ns() + amount * NSEC_PER_MSEC;
	unsigned long turns, round;
	u32 state = 1;

	for (round = 0; is_busy(end, round); round++) {
		state = state * 1664525 + 1013904223;
		turns = TURNS / 2 + (state >> 16) * TURNS / 65536;
		known_half(turns);
		known_third(turns);
		known_fifth(turns);
		cond_resched();
	}
	if (atomic_dec_and_test(&running))
		complete(&done);
	return 0;
}

static int call_thread(void *unused)
{
	unsigned long i, n = 0;

	for (i = 0; i < amount; i++) {
		n = known_called(n);
		if (!(i % 1024))
			cond_resched();
	}
	if (atomic_dec_and_test(&running))
		complete(&done);
	return 0;
}

/* The same work on each CPU, at the same time. */
static void on_each(int (*thread)(void *), const char *name)
{
	struct task_struct *task;
	int cpu;

	cpus_read_lock();	/* a thread of a CPU that goes would never end */
	init_completion(&done);
	atomic_set(&running, num_online_cpus());
	for_each_online_cpu(cpu) {
		task = kthread_create_on_cpu(thread, NULL, cpu, name);
		if (IS_ERR(task)) {
			if (atomic_dec_and_test(&running))
				complete(&done);
			continue;
		}
		wake_up_process(task);
	}
	wait_for_completion(&done);
	cpus_read_unlock();
}

static int do_spin(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err)
		on_each(spin_thread, "known-spin/%u");
	return err;
}

static int indirect_thread(void *unused)
{
	u64 end = ktime_get_mono_fast_ns() + amount * NSEC_PER_MSEC;
	unsigned long round;

	for (round = 0; is_busy(end, round); round++) {
		known_indirect(TURNS);
		cond_resched();
	}
	if (atomic_dec_and_test(&running))
		complete(&done);
	return 0;
}

static int do_indirect(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err)
		on_each(indirect_thread, "known-pointer/%u");
	return err;
}

static int do_call(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err)
		on_each(call_thread, "known-call/%u");
	return err;
}

static int do_recurse(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err && known_recursive(amount) != amount)
		return -EIO;
	return err;
}

static noinline __noclone unsigned long known_seven(unsigned long n, int b, int c, int d, int e,
						    int f, int g)
{
	asm volatile("# seven" : : "r"(b), "r"(c), "r"(d), "r"(e), "r"(f), "r"(g));
	return known_called(n) + 1;
}

/*
 * On x86-64 the compiler aligns its stack and then pushes an argument, so that the caller's frame
 * can be found by neither the stack nor the frame pointer alone.
 */
static noinline __noclone unsigned long known_aligned(unsigned long n)
{
	u8 room[64] __aligned(64);

	asm volatile("# %0" : : "r"(room) : "memory");
	return known_seven(n, 2, 3, 4, 5, 6, 7);
}

static int do_align(const char *text, const struct kernel_param *kp)
{
	unsigned long i, n = 0;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++)
		n = known_aligned(n);
	return !err && n != 2 * amount ? -EINVAL : err;
}

static int do_tail(const char *text, const struct kernel_param *kp)
{
	unsigned long i, n = 0;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++)
		n = known_tail(n);
	return n == amount ? err : -EIO;
}

static int do_twice(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_twice();
		asm volatile("# here");
		known_twice();
		cond_resched();
	}
	return err;
}

static int do_stacks(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	if (!err && (!amount || amount > 1UL << 20))
		return -ERANGE;
	for (i = 0; !err && i < amount; i++) {
		known_way(i, order_base_2(amount));
		cond_resched();
	}
	return err;
}

static int do_loop(const char *text, const struct kernel_param *kp)
{
	unsigned long turns, calls;

	if (sscanf(text, "%lu,%lu", &turns, &calls) != 2)
		return -EINVAL;
	while (calls--) {
		known_loop(turns & 1 ? "odd" : "even", turns);
		cond_resched();
	}
	return 0;
}

/* All pairs of eight and twenty-five, in an order in which neither follows the other. */
static int do_path(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_path(text + i, i % 8, i % 25);
		cond_resched();
	}
	return err;
}

static int do_range(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_range(i % 8, i / 8 % 1024);
		cond_resched();
	}
	return err;
}

/* Whatever function comes next finds the same in the registers of its arguments. */
static noinline __noclone void forget(long a, long b, long c, long d, long e, long f)
{
	asm volatile("# all the same" : : "r" (a));
}

static int do_outside(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_outside(&i);
		cond_resched();
		forget(0, 0, 0, 0, 0, 0);
	}
	return err;
}

static int do_deeper(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_deeper(i % 8, i % 25);
		cond_resched();
	}
	return err;
}

static int do_chance(const char *text, const struct kernel_param *kp)
{
	unsigned long i;
	int err = kstrtoul(text, 0, &amount);

	for (i = 0; !err && i < amount; i++) {
		known_chance(i % 8);
		cond_resched();
	}
	return err;
}

static int do_turns(const char *text, const struct kernel_param *kp)
{
	unsigned long turns;
	int err = kstrtoul(text, 0, &turns);

	if (!err && !turns)
		return -ERANGE;
	if (!err)
		known_turns(turns);
	return err;
}

static int do_args(const char *text, const struct kernel_param *kp)
{
	long n, x;
	int err = kstrtol(text, 0, &n);

	for (x = 0; !err && x < n; x++) {
		if (known_eight(x, 1, 2, 3, 4, 5, x, 7) != 8 * x + 2 + 6 + 12 + 20 + 30 + 56)
			err = -EIO;
		if (known_fourteen(1, 1, 1, 1, 1, 1, 1, 1, x, 2, 3, 4, 5, x) !=
		    8 + 70 * x + 40 + 90 + 160 + 250)
			err = -EIO;
	}
	return err;
}

static bool is_right(long x)
{
	const struct three three = { x, 2 * x, 3 };
	const struct nine nine = { three, three, three };
	struct three sum = known_by_value(three, 1, 2, 3, 4, 5, 6, x, 8);
	struct three all = known_structs((struct two){ x, 5 }, three, 7, -2);

	return known_fifteen(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, x) == 12 + 80 + 30 * x &&
	       known_sixteen(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, x) == 34 + 20 * x &&
	       known_thirty(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			    1, 1, 1, 1, 1, 1, 1, 1, 2, x) == 27 + 20 * x &&
	       known_variadic(20, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L,
			      1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 2L, x) == 20 + x &&
	       all.a == 2 * x && all.b == 2 * x + 12 && all.c == 1 &&
	       sum.a == x + 1 && sum.b == 2 * x + 20 && sum.c == 11 + x &&
	       known_large(nine) == x + 4 * x + 9;
}

static int do_many(const char *text, const struct kernel_param *kp)
{
	long n, x;
	int err = kstrtol(text, 0, &n);

	for (x = 0; !err && x < n; x++)
		if (!is_right(x))
			err = -EIO;
	return err;
}

static int end_thread(void *unused)
{
	known_ender();
	return 0;
}

static int do_exit_inside(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	while (!err && amount--)
		on_each(end_thread, "known-end/%u");
	return err;
}

static int do_sleep(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err)
		known_sleeper(amount);
	return err;
}

static int do_irq_off(const char *text, const struct kernel_param *kp)
{
	int err = kstrtoul(text, 0, &amount);

	if (!err)
		known_irqs_off(amount);
	return err;
}

static const struct kernel_param_ops exit_inside_ops = { .set = do_exit_inside };

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = do_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(spin);
TRIGGER(call);
TRIGGER(loop);
TRIGGER(path);
TRIGGER(range);
TRIGGER(outside);
TRIGGER(deeper);
TRIGGER(chance);
TRIGGER(indirect);
TRIGGER(turns);
TRIGGER(recurse);
TRIGGER(twice);
TRIGGER(tail);
TRIGGER(align);
TRIGGER(stacks);
TRIGGER(args);
TRIGGER(many);
TRIGGER(sleep);
TRIGGER(irq_off);
module_param_cb(exit, &exit_inside_ops, NULL, 0200);

static int __init known_init(void)
{
	return 0;
}

static void __exit known_exit(void)
{
}

module_init(known_init);
module_exit(known_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Work whose shares, calls and latencies are known");
