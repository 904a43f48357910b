// SPDX-License-Identifier: GPL-2.0-only
/*
 * orc_cache.c - cache of what the kernel's ORC unwinder does at each address
 *
 * The unwinder takes about 400 instructions per frame and spends most of them on
 * finding the rule for an address. That rule does not change unless the code
 * does, and nearly all rules are "the caller's frame is at a fixed distance above
 * the stack pointer, or the frame pointer". So kprof asks the unwinder once for each
 * address and caches the answer. After that, a frame takes about 40 instructions.
 *
 * orc_learn.c asks the unwinder.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <asm/pgtable.h>

#include "stacks/detour.h"
#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"
#include "uapi/kprof.h"

u64 kprof_orc_rules[KPROF_NR_SETS][KPROF_NR_WAYS];
u32 kprof_path_epoch;

/**
 * kprof_orc_store() - cache a rule
 * @addr:	the address
 * @rule:	its rule. It replaces the address's own entry, else takes a free entry, else
 *		replaces the last entry of the set.
 *
 * Context: any, NMI included.
 */
void kprof_orc_store(unsigned long addr, u64 rule)
{
	u64 *set = rule_set(addr), seen;
	int way;

	for (way = 0; way < KPROF_NR_WAYS - 1; way++) {
		seen = READ_ONCE(set[way]);
		if (!seen || rule_address(seen) == addr)
			break;
	}
	WRITE_ONCE(set[way], rule | (u32)addr);
}

/**
 * kprof_orc_rethook() - the return address that a kretprobe replaced
 * @frame:	the stack slot that it was in
 * @trampoline:	what the slot holds now
 *
 * The list belongs to current, so interrupts on this CPU see it in a consistent state.
 *
 * Context: any, NMI included. Return: the address; 0 if there is none.
 */
unsigned long kprof_orc_rethook(unsigned long frame, unsigned long trampoline)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node = READ_ONCE(current->rethooks.first);
	struct rethook_node *hook;
	int bound;

	for (bound = 0; node && bound < 256; bound++, node = READ_ONCE(node->next)) {
		hook = container_of(node, struct rethook_node, llist);
		/* Several probes on one function: the last hook has the real address. */
		if (hook->frame == frame && hook->ret_addr != trampoline)
			return hook->ret_addr;
	}
#endif
	return 0;
}

/*
 * Find the caller's frame. Return: false if that takes more than the two registers, or the
 * frame is not on this stack. Stacks are only walked upwards, so rules cannot loop. The
 * stack pointer is always on @stack, so everything between it and the end can be read.
 * RULE_SP, which is nearly every frame, never leads below the stack pointer.
 */
static __always_inline bool find_caller(const struct kprof_frame_at *at,
					const struct kprof_bounds *stack, u64 rule,
					unsigned long *caller)
{
	if (rule_is_sp(rule)) {
		*caller = at->sp + rule_distance(rule);
	} else if (rule_kind(rule) == RULE_BP) {
		*caller = at->bp + rule_distance(rule);
		if (*caller < at->sp + max(rule_saved(rule), sizeof(long)))
			return false;
	} else {
		return false;
	}
	return *caller <= stack->end;
}

static __always_inline void go_to_caller(struct kprof_frame_at *at, unsigned long caller,
					 u64 rule)
{
	if (rule_saved(rule))
		at->bp = kprof_peek(caller - rule_saved(rule));
	at->ip = kprof_peek(caller - sizeof(long));
	at->key = at->ip - 1;
	at->sp = caller;
}

/* Go to the stack whose pointer was saved on this one. Return: as step(). */
static int go_to_stack(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long below = max(rule_saved(rule), sizeof(long)), caller;

	if (!within(stack, at->sp, sizeof(long)))
		return -1;
	caller = kprof_peek(at->sp) + rule_distance(rule);
	*stack = find_stack(caller);
	if (caller < stack->begin + below || !stack->end)
		return -1;
	go_to_caller(at, caller, rule);
	return 1;
}

/* Go to the frame that a function kept a pointer to as it aligned its stack. Return: as step(). */
static int go_to_kept(struct kprof_frame_at *at, const struct kprof_bounds *stack, u64 rule)
{
	unsigned long kept = at->bp - rule_distance(rule), caller;

	if (kept < at->sp || kept > at->bp || !within(stack, at->bp, sizeof(long)))
		return -1;
	caller = kprof_peek(kept);
	if (caller % sizeof(long) || caller < at->bp + 2 * sizeof(long) || caller > stack->end)
		return -1;
	at->bp = kprof_peek(at->bp);
	at->ip = kprof_peek(caller - sizeof(long));
	at->key = at->ip - 1;
	at->sp = caller;
	return 1;
}

/* Go to the registers that an interrupt or exception saved. Return: as step(). */
static int go_to_regs(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long regs = at->sp + rule_distance(rule);

	if (!within(stack, regs, sizeof(struct pt_regs)))
		return -1;
	if (kprof_peek(regs + offsetof(struct pt_regs, cs)) & 3)
		return 0;
	at->ip = kprof_peek(regs + offsetof(struct pt_regs, ip));
	at->key = at->ip;
	at->bp = kprof_peek(regs + offsetof(struct pt_regs, bp));
	at->sp = kprof_peek(regs + offsetof(struct pt_regs, sp));
	*stack = find_stack(at->sp);
	return 1;
}

/**
 * kprof_orc_at_trampoline() - does this frame return to kprof's trampoline
 * @at:		where the unwind stands
 *
 * There is no rule for the trampoline.
 *
 * Context: any. Return: whether it does.
 */
bool kprof_orc_at_trampoline(const struct kprof_frame_at *at)
{
	return at->key != at->ip && kprof_direct_is_return(at->ip);
}

/*
 * Skip the trampoline and the function's call of it, and go to the function's caller. The
 * function itself has been stored already. Return: as step().
 */
static int go_over_trampoline(struct kprof_frame_at *at, const struct kprof_bounds *stack)
{
	unsigned long caller = at->bp + KPROF_DETOUR_BYTES;

	if (at->bp < at->sp || caller > stack->end)
		return -1;
	at->bp = kprof_peek(at->bp);
	at->ip = kprof_peek(caller - sizeof(long));
	at->key = at->ip - 1;
	at->sp = caller;
	return 1;
}

/* Go one frame up. Return: 1 for a frame, 0 at the end, -1 if it is not known. */
static __always_inline int step(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long caller;

	if (find_caller(at, stack, rule, &caller)) {
		go_to_caller(at, caller, rule);
		return 1;
	}
	switch (rule_kind(rule)) {
	case RULE_SWITCH:
		return go_to_stack(at, stack, rule);
	case RULE_REGS:
		return go_to_regs(at, stack, rule);
	case RULE_ALIGNED:
		return go_to_kept(at, stack, rule);
	case RULE_END:
		return 0;
	default:
		return -1;
	}
}

/**
 * kprof_orc_step() - go one frame up
 * @at:		where the unwind stands; changed
 * @stack:	the stack it is on; changed
 * @rule:	the rule of that address
 *
 * Context: any, NMI included. Return: 1 for a frame, 0 at the end, -1 if it is not known.
 */
int kprof_orc_step(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	return step(at, stack, rule);
}

/**
 * struct walk - an unwind by the cached rules
 * @at:		where it stands
 * @stack:	the stack that is on
 * @frame:	where the addresses go
 * @nr:		number of addresses there
 * @max:	number of addresses there is room for
 * @path:	what it has read
 * @base:	what @path counts from now
 * @bp_from:	where the frame pointer is from, as in a link
 * @is_plain:	there has been nothing yet that a path cannot have
 */
struct walk {
	struct kprof_frame_at at;
	struct kprof_bounds stack;
	u64 *frame;
	u32 nr;
	u32 max;
	struct kprof_path *path;
	unsigned long base;
	u16 bp_from;
	bool is_plain;
};

/* All that was read since the last base is below @end. */
static void end_reach(struct walk *w, unsigned long end)
{
	struct kprof_path *path = w->path;
	u16 reach = end - w->base;

	if (path->nr_links)
		path->link[path->nr_links - 1].reach = reach;
	else
		path->reach = reach;
}

/*
 * The walk goes on by a frame pointer, from which the path is counted now. Return: what the next
 * place is marked with.
 */
static noinline u16 follow_bp(struct walk *w, const struct kprof_frame_at *at, u16 from, u64 rule)
{
	struct kprof_path *path = w->path;
	u32 above = max(rule_saved(rule), sizeof(long));

	w->is_plain = w->is_plain && from != KPROF_LINK_NONE && at->bp >= at->sp &&
		      at->bp < w->stack.end && rule_distance(rule) >= above &&
		      path->nr_links < KPROF_PATH_LINKS;
	if (!w->is_plain)
		return 0;
	end_reach(w, at->sp);
	path->link[path->nr_links++] = (struct kprof_link) { .from = from, .above = above };
	w->base = at->bp;
	return KPROF_PATH_LINK;
}

/*
 * Walk up while frames are plain calls, as nearly all are. The loop's state stays in
 * registers. Return: the rule of the first frame that is not a plain call or for which
 * there is no room; this frame is not stored.
 */
static __always_inline u64 walk_calls(struct walk *w, bool has_path)
{
	const struct kprof_bounds stack = w->stack;
	struct kprof_frame_at at = w->at;
	u64 *const frame = w->frame;
	unsigned long base = w->base, caller;
	u16 bp_from = w->bp_from, mark;
	const u32 max = w->max;
	u32 n = w->nr;
	u64 rule;

	for (;;) {
		rule = rule_find(at.key);
		if (!find_caller(&at, &stack, rule, &caller) || n == max)
			break;
		mark = 0;
		if (has_path && !rule_is_sp(rule)) {
			mark = follow_bp(w, &at, bp_from, rule);
			base = w->base;
			bp_from = KPROF_LINK_NONE;
		}
		if (has_path && rule_saved(rule))
			bp_from = caller - rule_saved(rule) - base;
		if (has_path)
			w->path->at[n] = (caller - sizeof(long) - base) | mark;
		frame[n++] = at.ip;
		go_to_caller(&at, caller, rule);
	}
	w->at = at;
	w->nr = n;
	w->bp_from = bp_from;
	return rule;
}

/* The walk has come to the end of the stack. */
static void end_path(struct walk *w, u64 rule)
{
	struct kprof_path *path = w->path;
	unsigned long regs = w->at.sp + rule_distance(rule);

	if (!w->is_plain)
		return;
	path->nr = w->nr;
	if (rule_kind(rule) == RULE_REGS) {
		path->user = regs + offsetof(struct pt_regs, cs) - w->base;
		end_reach(w, regs + sizeof(struct pt_regs));
	} else {
		path->user = 0;
		end_reach(w, w->at.sp);
	}
}

/* See kprof_orc_walk(). It is there twice: who has no use for a path need not pay for one. */
static __always_inline int walk(const struct kprof_frame_at *at, u64 *frame, u32 nr, u32 max,
				u16 *flags, struct kprof_path *path, bool has_path)
{
	struct walk w = {
		.at = *at, .stack = find_stack(at->sp), .frame = frame, .nr = nr, .max = max,
		.path = path, .base = at->sp, .bp_from = KPROF_LINK_FIRST, .is_plain = true,
	};
	int more = 1;
	u64 rule;

	if (has_path) {
		/* Before the first rule: see kprof_path_epoch. */
		path->epoch = smp_load_acquire(&kprof_path_epoch);
		path->nr_links = 0;
	}
	for (;;) {
		rule = walk_calls(&w, has_path);
		if (!rule && kprof_orc_at_trampoline(&w.at)) {
			more = go_over_trampoline(&w.at, &w.stack);
			w.is_plain = false;
			if (more <= 0)
				break;
			continue;
		}
		if (rule_kind(rule) == RULE_RETHOOK) {
			w.at.ip = kprof_orc_rethook(w.at.sp - sizeof(long), w.at.ip);
			rule = rule_find(w.at.ip - 1);
			w.is_plain = false;
		}
		if (!rule)
			return -1;
		if (w.nr == max) {
			*flags |= KPROF_STACK_CUT;
			return w.nr;
		}
		frame[w.nr++] = w.at.ip;
		more = step(&w.at, &w.stack, rule);
		if (more <= 0)
			break;
		w.is_plain = false;
	}
	if (more < 0)
		return more;
	if (has_path)
		end_path(&w, rule);
	return w.nr;
}

/**
 * kprof_orc_walk() - unwind by the cached rules
 * @at:		the first frame to store
 * @frame:	where the addresses go
 * @nr:		number of addresses there already
 * @max:	number of addresses there is room for
 * @flags:	KPROF_STACK_CUT is set if the stack was deeper than that
 * @path:	from the first frame to the end of the stack, if there is one; or NULL
 *
 * Context: any, NMI included, without migration; current's own stack.
 * Return: number of addresses there now; negative if the kernel's unwinder must be
 * asked.
 */
int kprof_orc_walk(const struct kprof_frame_at *at, u64 *frame, u32 nr, u32 max, u16 *flags,
		   struct kprof_path *path)
{
	return path ? walk(at, frame, nr, max, flags, path, true) :
		      walk(at, frame, nr, max, flags, NULL, false);
}

/* A module's addresses may be reused by another, and those of its init code once it is live. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	static DEFINE_MUTEX(events);	/* modules come and go at the same time */
	u64 *rule;
	u32 i;

	mutex_lock(&events);
	for (i = 0; i < KPROF_NR_SETS * KPROF_NR_WAYS; i++) {
		rule = &kprof_orc_rules[i / KPROF_NR_WAYS][i % KPROF_NR_WAYS];
		if (rule_address(READ_ONCE(*rule)) >= MODULES_VADDR)
			WRITE_ONCE(*rule, 0);
	}
	/* Who reads this finds no rule from before. */
	smp_store_release(&kprof_path_epoch, kprof_path_epoch + 1);
	mutex_unlock(&events);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_orc_init() - set up the cache
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_orc_init(void)
{
	int err = kprof_orc_stacks_init();

	if (err)
		return err;
	err = kprof_orc_learn_init();
	if (err)
		goto exit_stacks;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto exit_learn;
	return 0;

exit_learn:
	kprof_orc_learn_exit();
exit_stacks:
	kprof_orc_stacks_exit();
	return err;
}

/**
 * kprof_orc_exit() - undo kprof_orc_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_orc_exit(void)
{
	unregister_module_notifier(&module_notifier);
	kprof_orc_learn_exit();
	kprof_orc_stacks_exit();
}
