// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_inlined.c - functions that are inlined, each of which counts its own calls
 *
 * Writing N to /sys/module/kprof_inlined/parameters/run calls all of them N times over, and
 * returns when it is done; the other parameters are the calls that there were, ever.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/sched.h>

/* Calls, counted by who is called. */
#define CALLS(name)							\
	static unsigned long name;					\
	module_param(name, ulong, 0444)

/* That the compiler can neither leave out nor do twice. */
#define ADD(variable, n)	WRITE_ONCE(variable, READ_ONCE(variable) + (n))

CALLS(known_once);
CALLS(known_thrice);
CALLS(known_forty);
CALLS(known_in_loop);
CALLS(known_turns);
CALLS(known_exits);
CALLS(known_outer);
CALLS(known_inner);
CALLS(known_partly);
CALLS(known_wait);
CALLS(known_more);
CALLS(known_spin);
CALLS(known_copied);

static unsigned long work;

static __always_inline void inlined_once(void)
{
	ADD(known_once, 1);
	ADD(work, 3);
}

static __always_inline void inlined_thrice(unsigned long x)
{
	ADD(known_thrice, 1);
	if (x & 1)
		ADD(work, x);
}

static __always_inline void inlined_forty(unsigned long x)
{
	ADD(known_forty, 1);
	ADD(work, x);
}

static __always_inline void inlined_in_loop(unsigned long x)
{
	ADD(known_in_loop, 1);
	ADD(work, x);
}

/* A loop of its own, whose turns are no calls. */
static __always_inline void inlined_turns(unsigned long turns)
{
	ADD(known_turns, 1);
	for (; turns; turns--)
		ADD(work, turns);
}

static __always_inline unsigned long inlined_exits(unsigned long x)
{
	ADD(known_exits, 1);
	if (READ_ONCE(work) == 1)
		return 17;
	if (!(x & 3)) {
		ADD(work, 1);
		return x;
	}
	while (x & 0xf) {
		ADD(work, x);
		if (READ_ONCE(work) & 1)
			return READ_ONCE(work);
		x--;
	}
	return 4;
}

static __always_inline void inlined_inner(unsigned long x)
{
	ADD(known_inner, 1);
	ADD(work, x);
}

static __always_inline void inlined_outer(unsigned long x)
{
	ADD(known_outer, 1);
	inlined_inner(x);
	if (x & 1)
		inlined_inner(x);
}

/* It has a symbol too, as its address is taken. */
static __always_inline void inlined_partly(unsigned long x)
{
	ADD(known_partly, 1);
	ADD(work, x);
}

/* Every other call takes half a millisecond. */
static __always_inline void inlined_wait(unsigned long x)
{
	ADD(known_wait, 1);
	if (x & 1)
		return;
	usleep_range(500, 1000);
}

/* The condition of a loop, of which a compiler likes to make two. */
static __always_inline bool inlined_more(unsigned long i, unsigned long x)
{
	ADD(known_more, 1);
	return i < READ_ONCE(work) % 2 + (x & 3);
}

/* A loop from the very beginning, so that where it is entered a turn begins. */
static __always_inline void inlined_spin(unsigned long *left)
{
	do {
		WRITE_ONCE(*left, READ_ONCE(*left) / 2);
	} while (READ_ONCE(*left));
	ADD(known_spin, 1);
}

static void (*partly)(unsigned long x) = inlined_partly;

#define FIVE(x)		do {						\
	inlined_forty(x); inlined_forty(x); inlined_forty(x);		\
	inlined_forty(x); inlined_forty(x);				\
} while (0)

static noinline __noclone void hosts_forty(unsigned long x)
{
	FIVE(x);
	FIVE(x);
	FIVE(x);
	FIVE(x);
	FIVE(x);
	FIVE(x);
	FIVE(x);
	FIVE(x);
}

static unsigned long numbers[] = { 0, 1, 2, 3 };

static __always_inline void inlined_copied(unsigned long x)
{
	ADD(known_copied, 1);
	ADD(work, x);
}

static noinline __noclone void hosts_one(unsigned long x)
{
	inlined_once();
	inlined_thrice(x);
}

static noinline __noclone void hosts_two(unsigned long x)
{
	inlined_thrice(x);
	ADD(work, 1);
	inlined_thrice(x + 1);
}

static noinline __noclone void hosts_loop(unsigned long x)
{
	unsigned long i;

	for (i = 0; i <= (x & 7); i++)
		inlined_in_loop(i);
}

static noinline __noclone void hosts_turns(unsigned long x)
{
	inlined_turns(x & 15);
}

static noinline __noclone void hosts_exits(unsigned long x)
{
	ADD(work, inlined_exits(x));
}

static noinline __noclone void hosts_nested(unsigned long x)
{
	inlined_outer(x);
}

static noinline __noclone void hosts_partly(unsigned long x)
{
	inlined_partly(x);
	READ_ONCE(partly)(x);
	READ_ONCE(partly)(x + 1);
}

static noinline __noclone void hosts_wait(unsigned long x)
{
	inlined_wait(x);
	ADD(work, 1);
}

static noinline __noclone void hosts_more(unsigned long x)
{
	unsigned long i;

	for (i = 0; inlined_more(i, x); i++)
		ADD(work, 2);
}

static noinline __noclone void hosts_spin(unsigned long *left)
{
	inlined_spin(left);
}

/*
 * Behind the loop it is known on one of the ways that nothing was found, so compilers duplicate
 * what is before the question. Debug information has one entry for both copies.
 */
static noinline __noclone void hosts_copied(unsigned long x)
{
	const unsigned long *found = NULL;
	unsigned long i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (READ_ONCE(numbers[i]) == x % (ARRAY_SIZE(numbers) + 2)) {
			found = &numbers[i];
			break;
		}
	inlined_copied(x);
	if (found)
		ADD(work, *found);
}

static int set_run(const char *text, const struct kernel_param *param)
{
	unsigned long n, i, left;
	int err = kstrtoul(text, 0, &n);

	for (i = 0; !err && i < n; i++) {
		left = i;
		hosts_one(i);
		hosts_two(i);
		hosts_loop(i);
		hosts_turns(i);
		hosts_exits(i);
		hosts_nested(i);
		hosts_partly(i);
		hosts_forty(i);
		hosts_wait(i);
		hosts_more(i);
		hosts_spin(&left);
		hosts_copied(i);
		cond_resched();
	}
	return err;
}

static const struct kernel_param_ops run_ops = { .set = set_run };
module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Inlined functions for the tests of kprof");
MODULE_AUTHOR("The kprof authors");
