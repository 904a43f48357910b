// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind_x86.c - unwinds the kernel stack from a set of registers, on x86-64
 *
 * The kernel's unwinder is always right, but slow. With ORC, its steps are cached by
 * address (orc_cache.c), and it is asked only for addresses that are new.
 */
#include <linux/percpu.h>
#include <linux/sched.h>
#include <asm/unwind.h>

#include "stacks/detour.h"
#include "stacks/orc_cache.h"
#include "stacks/unwind.h"
#include "uapi/kprof.h"

/* Deep enough for a test, and small enough for an interrupt stack. */
#define CHECK_DEPTH	32

/* Are these the registers with which user mode entered the kernel? They end the stack. */
static bool at_user_regs(struct unwind_state *state)
{
	struct pt_regs *regs = unwind_get_entry_regs(state, NULL);

	return regs && user_mode(regs);
}

#ifdef CONFIG_UNWINDER_ORC
static struct kprof_frame_at standing(const struct unwind_state *state)
{
	return (struct kprof_frame_at) {
		.ip = state->ip, .key = state->ip - !state->signal,
		.sp = state->sp, .bp = state->bp,
	};
}

static struct kprof_frame_at interrupted(const struct pt_regs *regs)
{
	return (struct kprof_frame_at) {
		.ip = regs->ip, .key = regs->ip, .sp = regs->sp, .bp = regs->bp,
	};
}

/* Ask the kernel only for the first frame, which is the least likely to be cached. */
static noinline int ask_first(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags,
			      struct kprof_path *path)
{
	int nr;

	struct kprof_frame_at at = interrupted(regs);
	struct unwind_state state __uninitialized;	/* unwind_start() clears it */

	unwind_start(&state, current, regs, NULL);
	kprof_orc_learn(&at, &state.stack_info, &state);
	if (unwind_error(&state) || unwind_done(&state))
		return -1;
	frame[0] = at.ip;
	if (at_user_regs(&state))
		return 1;
	at = standing(&state);
	nr = kprof_orc_walk(&at, frame, 1, max, flags, path);
	if (path)
		path->nr = 0;	/* of its first step nothing is known */
	return nr;
}

/* Unwind by cached rules. */
static __always_inline int walk_cache(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags,
				      struct kprof_path *path)
{
	struct kprof_frame_at at = interrupted(regs);
	int nr = kprof_orc_walk(&at, frame, 0, max, flags, path);

	return nr >= 0 ? nr : ask_first(regs, frame, max, flags, path);
}

/* Take one step with the kernel's unwinder, and let the cache learn from it. */
static void next_frame(struct unwind_state *state)
{
	struct kprof_frame_at from = standing(state);
	struct stack_info stack = state->stack_info;

	unwind_next_frame(state);
	kprof_orc_learn(&from, &stack, state);
}

/*
 * The unwinder has given up. If it stopped at a thunk, whose caller is known, restart it
 * there, as if the caller had been interrupted in its call. Return: whether @at is the caller now.
 */
static bool resume(struct unwind_state *state, struct kprof_frame_at *at,
		   struct pt_regs *beyond)
{
	kprof_orc_learn(at, &state->stack_info, state);
	if (!kprof_orc_over_thunk(at))
		return false;
	*beyond = (struct pt_regs) {
		.ip = at->key, .sp = at->sp, .bp = at->bp, .cs = __KERNEL_CS,
	};
	unwind_start(state, current, beyond, NULL);
	return true;
}

static bool is_cut_short(const struct kprof_frame_at *at)
{
	return kprof_orc_is_cut_short(at->sp);
}

/* Does a watched function return here, rather than having been interrupted here? */
static bool is_at_trampoline(const struct unwind_state *state, unsigned long addr)
{
	return !state->signal && kprof_direct_is_return(addr);
}
#else
/* Without ORC, there is no cache. */
static struct kprof_frame_at standing(const struct unwind_state *state)
{
	return (struct kprof_frame_at) { };
}

static struct kprof_frame_at interrupted(const struct pt_regs *regs)
{
	return (struct kprof_frame_at) { };
}

static bool resume(struct unwind_state *state, struct kprof_frame_at *at,
		   struct pt_regs *beyond)
{
	return false;
}

static bool is_cut_short(const struct kprof_frame_at *at)
{
	return false;
}

static int walk_cache(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags,
		      struct kprof_path *path)
{
	return -1;
}

static void next_frame(struct unwind_state *state)
{
	unwind_next_frame(state);
}

/* The trampoline needs ORC. */
static bool is_at_trampoline(const struct unwind_state *state, unsigned long addr)
{
	return false;
}
#endif

/*
 * Go from the frame @at to the next, for which the unwinder is ready. Return: its address;
 * 0 if that is not known, or there is no next frame.
 */
static unsigned long go_on(struct unwind_state *state, struct kprof_frame_at *at,
			   struct pt_regs *beyond)
{
	unsigned long addr;
	bool trampoline;

	do {
		if (at_user_regs(state))
			return 0;
		if (unwind_done(state))
			return resume(state, at, beyond) ? at->ip : 0;
		addr = unwind_get_return_address(state);
		if (!addr)
			return 0;
		trampoline = is_at_trampoline(state, addr);
		*at = standing(state);
		next_frame(state);
		if (trampoline)
			next_frame(state);	/* skip its call by the function, already stored */
	} while (trampoline);
	return addr;
}

/* Was the stack unwound to its end? */
static bool is_whole(struct unwind_state *state, const struct kprof_frame_at *at)
{
	if (at_user_regs(state))
		return true;
	return unwind_done(state) && !unwind_error(state) && !is_cut_short(at);
}

/* Unwind with the kernel's unwinder; the cache learns from it. */
static u32 walk_kernel(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags)
{
	struct kprof_frame_at at = interrupted(regs);
	struct unwind_state state __uninitialized;
	struct pt_regs beyond __uninitialized;
	unsigned long addr = regs->ip;
	u32 nr = 0;

	unwind_start(&state, current, regs, NULL);
	/* The first may be 0, where NULL was called. */
	do {
		frame[nr++] = addr;
		addr = go_on(&state, &at, &beyond);
	} while (addr && nr < max);
	if (addr)
		*flags |= KPROF_STACK_CUT;
	else if (!is_whole(&state, &at))
		*flags |= KPROF_STACK_PARTIAL;
	return nr;
}

/* Unwind both ways, for tests, and use the kernel's result. */
static u32 walk_check(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags,
		      struct kprof_path *path)
{
	u64 mine[CHECK_DEPTH];
	u16 mine_flags = 0;
	u32 nr;
	int n;

	max = min_t(u32, max, CHECK_DEPTH);
	n = walk_cache(regs, mine, max, &mine_flags, path);
	nr = walk_kernel(regs, frame, max, flags);
	if (n < 0)
		return nr;
	this_cpu_inc(kprof_unwind_counters.cached);
	if (n != nr || mine_flags != *flags || memcmp(mine, frame, n * sizeof(*mine))) {
		this_cpu_inc(kprof_unwind_counters.mismatch);
		if (path)
			path->nr = 0;
	}
	return nr;
}

/**
 * kprof_unwind() - unwind the kernel stack from a set of registers
 * @regs:	kernel-mode registers of current, on the CPU this runs on
 * @mode:	how to unwind
 * @frame:	where the addresses go, leaf first: the interrupted address, then
 *		return addresses
 * @max:	room for addresses
 * @flags:	KPROF_STACK_CUT and KPROF_STACK_PARTIAL are set as they apply
 * @path:	the way there, unless its number of frames is 0; or NULL
 *
 * Context: any, NMI included, without migration. Return: number of addresses.
 */
u32 kprof_unwind(struct pt_regs *regs, enum kprof_unwind_mode mode,
		 u64 *frame, u32 max, u16 *flags, struct kprof_path *path)
{
	int nr;

	if (path)
		path->nr = 0;
	if (mode == KPROF_UNWIND_CHECK)
		return walk_check(regs, frame, max, flags, path);
	if (mode == KPROF_UNWIND_CACHE) {
		nr = walk_cache(regs, frame, max, flags, path);
		if (nr >= 0) {
			this_cpu_inc(kprof_unwind_counters.cached);
			return nr;
		}
		*flags = 0;
	}
	this_cpu_inc(kprof_unwind_counters.kernel);
	return walk_kernel(regs, frame, max, flags);
}

/**
 * kprof_unwind_init() - set up the unwinder
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_unwind_init(void)
{
#ifdef CONFIG_UNWINDER_ORC
	return kprof_orc_init();
#else
	return 0;
#endif
}

/**
 * kprof_unwind_exit() - undo kprof_unwind_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_unwind_exit(void)
{
#ifdef CONFIG_UNWINDER_ORC
	kprof_orc_exit();
#endif
}
