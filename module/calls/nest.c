// SPDX-License-Identifier: GPL-2.0-only
/*
 * nest.c - tracks which watched calls a task is inside of
 *
 * A small hash table maps a task and its interrupt level, which are the owner of an entry, to its
 * innermost call. The calls are linked outwards, and are stored where their probes keep them.
 *
 * Who may enter: other CPUs claim entries that are free. On the owner's CPU, an interrupt with the
 * same owner may come in front of any instruction: while the kernel enters or leaves an interrupt,
 * preempt_count() does not tell, so a call there has the level of what was interrupted. Such an
 * interrupt leaves all calls that it has entered before the interrupted code goes on. Hence
 *
 * - an entry is freed only by the call that claimed it (KPROF_NEST_CLAIMED). What interrupts that
 *   call while it links or unlinks itself finds the entry owned, perhaps without a call. It links
 *   its calls there, and frees nothing.
 * - a call is complete before it is linked, as what interrupts follows the links.
 * - numbers in calls are added to by operations that no interrupt can divide.
 *
 * tests/models/nest.pml is a model of this.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "calls/call.h"
#include "calls/keys.h"
#include "calls/nest.h"
#include "calls/target.h"

#define BUCKET_BITS	9
#define WAYS		8	/* entries per bucket: two cache lines */

DEFINE_STATIC_KEY_FALSE(kprof_nesting);

static struct kprof_nest table[1 << BUCKET_BITS][WAYS] ____cacheline_aligned_in_smp;
static DEFINE_PER_CPU(u64, full);

/* The entry last used on this CPU, which is usually the next one, too. */
static DEFINE_PER_CPU(struct kprof_nest *, recent);

/* The low bits of a task's address are zero and leave room for the level. */
static unsigned long owner_of(u32 level)
{
	return (unsigned long)current | level;
}

static struct kprof_nest *bucket_of(unsigned long owner)
{
	return table[hash_long(owner, BUCKET_BITS)];
}

static struct kprof_nest *find(unsigned long owner)
{
	struct kprof_nest *bucket = bucket_of(owner);
	int i;

	for (i = 0; i < WAYS; i++)
		if (READ_ONCE(bucket[i].owner) == owner)
			return &bucket[i];
	return NULL;
}

/* The functions that claim an entry return its address with KPROF_NEST_CLAIMED; or 0. */
static __always_inline unsigned long claimed(struct kprof_nest *nest)
{
	return (unsigned long)nest | KPROF_NEST_CLAIMED;
}

/*
 * An owner has one home. Another free entry with this home would be reclaimed beside the one that
 * the owner has by then, and a call there would not see the call around it. Such an entry is left
 * by an interrupt of the same owner, or by another CPU, which claims an entry before it changes the
 * home of that entry.
 */
static noinline void settle(struct kprof_nest *nest, unsigned long owner)
{
	struct kprof_nest *other = bucket_of(owner);
	int i;

	WRITE_ONCE(nest->home, owner);
	for (i = 0; i < WAYS; i++, other++)
		if (other != nest && READ_ONCE(other->home) == owner)
			cmpxchg(&other->home, owner, 0);
}

/* Claim an entry that the owner had before, if it is free. */
static __always_inline bool reclaim(struct kprof_nest *nest, unsigned long owner)
{
	if (READ_ONCE(nest->home) != owner || cmpxchg(&nest->owner, 0, owner))
		return false;
	/* Somebody may have had it since its home was read. */
	if (unlikely(READ_ONCE(nest->home) != owner))
		settle(nest, owner);
	return true;
}

/* Try the owner's previous entry first: it is likely to be in this CPU's cache. */
static unsigned long claim(unsigned long owner)
{
	struct kprof_nest *bucket = bucket_of(owner);
	int i;

	for (i = 0; i < WAYS; i++)
		if (reclaim(&bucket[i], owner))
			return claimed(&bucket[i]);
	for (i = 0; i < WAYS; i++) {
		if (READ_ONCE(bucket[i].owner) || cmpxchg(&bucket[i].owner, 0, owner))
			continue;
		settle(&bucket[i], owner);
		return claimed(&bucket[i]);
	}
	this_cpu_inc(full);
	return 0;
}

static noinline unsigned long find_or_claim(unsigned long owner)
{
	unsigned long nest = (unsigned long)find(owner);

	/* An exiting task that is past on_process_exit() would never free it. */
	if (!nest && !(current->flags & PF_EXITING))
		nest = claim(owner);
	if (nest)
		this_cpu_write(recent, (struct kprof_nest *)(nest & ~KPROF_NEST_CLAIMED));
	return nest;
}

/* Has a call of the same target already been credited, further inside? */
static bool is_repeated(const struct kprof_call *from, const struct kprof_call *call)
{
	for (; from != call; from = from->outer)
		if (from->target == call->target)
			return true;
	return false;
}

/* An interrupt may credit the same call at any moment. */
static void add_hit(struct kprof_call *call)
{
	u32 seen;

	do {
		seen = READ_ONCE(call->hits);
	} while (cmpxchg_local(&call->hits, seen, seen + 1) != seen);
}

/* For each target that counts this one, credit its innermost call. */
static void credit(struct kprof_call *innermost, const struct kprof_target *target)
{
	struct kprof_call *call;

	for (call = innermost; call; call = call->outer)
		if (call->target->keys.hits_source == target->source.id &&
		    !is_repeated(innermost, call))
			add_hit(call);
}

/* If both are on this stack, the outer one, which is below, has ended without a return. */
static noinline bool is_below(unsigned long outer, unsigned long call)
{
	unsigned long stack = (unsigned long)task_stack_page(current);

	return outer - stack < THREAD_SIZE && call - stack < THREAD_SIZE;
}

/* An outer call that is valid lies higher on the stack, or in a kretprobe's instance. */
static __always_inline bool is_stale(const struct kprof_call *outer, const struct kprof_call *call)
{
	unsigned long distance = (unsigned long)call - (unsigned long)outer;

	return unlikely(distance < THREAD_SIZE) &&
	       is_below((unsigned long)outer, (unsigned long)call);
}

/*
 * The call around a new one, in an entry that was found. The entry stays: only a call around this
 * one frees it.
 */
static __always_inline struct kprof_call *outer_of(const struct kprof_nest *nest,
						   const struct kprof_call *call)
{
	struct kprof_call *outer = READ_ONCE(nest->innermost);

	/* If it is stale, its task has oopsed and exits: kprof_nest_abandon() frees the entry. */
	return is_stale(outer, call) ? NULL : outer;
}

/**
 * kprof_nest_push() - a task enters a call
 * @call:	the call; all fields but @nest, @outer and @start are set
 * @level:	interrupt level; see kprof_level()
 *
 * If there is no free entry, the call counts as if it were the only one.
 *
 * Context: any, NMI included; preemption is disabled.
 */
void kprof_nest_push(struct kprof_call *call, u32 level)
{
	const unsigned long owner = owner_of(level);
	struct kprof_nest *nest = this_cpu_read(recent);
	struct kprof_call *outer = NULL;	/* so it is where the entry is claimed */

	if (likely(READ_ONCE(nest->owner) == owner)) {
		call->nest = (unsigned long)nest;
		outer = outer_of(nest, call);
	} else if (likely(!(current->flags & PF_EXITING) && reclaim(nest, owner))) {
		call->nest = claimed(nest);
	} else {
		call->nest = find_or_claim(owner);
		nest = kprof_nest_of(call);
		if (!nest)
			return;
		if (!(call->nest & KPROF_NEST_CLAIMED))
			outer = outer_of(nest, call);
	}
	if (call->target->is_counted)
		credit(outer, call->target);
	/* In this order: what interrupts this follows the link. */
	WRITE_ONCE(call->outer, outer);
	WRITE_ONCE(nest->innermost, call);
}

/**
 * kprof_nest_hit() - a place was passed that hits() may count
 * @target:	the place
 * @level:	interrupt level; see kprof_level()
 *
 * Context: any, NMI included.
 */
void kprof_nest_hit(const struct kprof_target *target, u32 level)
{
	struct kprof_nest *nest = target->is_counted ? find(owner_of(level)) : NULL;

	if (nest)
		credit(READ_ONCE(nest->innermost), target);
}

/* An interrupt may exclude the time of another probe at any moment. */
static void add_ticks(u64 *start, u64 ticks)
{
	u64 seen;

	do {
		seen = READ_ONCE(*start);
	} while (cmpxchg_local(start, seen, seen + ticks) != seen);
}

/**
 * kprof_nest_discount() - exclude the time of a probe from the calls around it
 * @level:	interrupt level; see kprof_level()
 * @ticks:	kprof_clock() ticks that the probe took
 *
 * Context: any, NMI included.
 */
void kprof_nest_discount(u32 level, u64 ticks)
{
	struct kprof_nest *nest = find(owner_of(level));
	struct kprof_call *call;

	for (call = nest ? READ_ONCE(nest->innermost) : NULL; call; call = call->outer)
		add_ticks(&call->start, ticks);
}

/**
 * kprof_nest_forget() - unlink all calls, as some of them will never return
 *
 * Context: nobody enters a call meanwhile; calls may return.
 */
void kprof_nest_forget(void)
{
	struct kprof_nest *nest = &table[0][0];
	u32 i;

	for (i = 0; i < WAYS << BUCKET_BITS; i++, nest++) {
		/* A task that finds its call unlinked does not free the entry, so do it here. */
		if (xchg(&nest->innermost, NULL))
			kprof_nest_free(nest);
	}
}

/**
 * kprof_nest_full() - number of calls for which there was no free entry
 *
 * Context: any. Return: number of calls.
 */
u64 kprof_nest_full(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(full, cpu);
	return sum;
}

/**
 * kprof_nest_abandon() - current ends, and its calls will not return
 *
 * kprof_nest_forget() may run at the same time, after which another task may have the entry. What
 * was read from it is ours if it had not been freed by then.
 *
 * Context: current, in do_exit() or when it oopses.
 */
void kprof_nest_abandon(void)
{
	const unsigned long owner = owner_of(0);
	struct kprof_nest *nest = find(owner);
	struct kprof_call *call;
	unsigned long flags;

	if (!nest)
		return;
	/* No interrupt puts another call in the place of a stale one meanwhile. */
	local_irq_save(flags);
	call = smp_load_acquire(&nest->innermost);	/* before the owner */
	if (READ_ONCE(nest->owner) == owner && cmpxchg(&nest->innermost, call, NULL) == call)
		kprof_nest_free(nest);
	local_irq_restore(flags);
}

/* Whose entry is this: the idle task of a CPU, in task context? It is not running. */
static bool is_of_idle(unsigned long owner, unsigned int cpu)
{
	const struct task_struct *task = (const struct task_struct *)owner;

	return owner && !(owner & 3) && is_idle_task(task) && task_cpu(task) == cpu;
}

/**
 * kprof_nest_cpu_comes() - the idle task of a CPU begins anew at the top of its stack
 * @cpu:	it is not online
 *
 * What it was inside of when the CPU went offline will not return.
 *
 * Context: sleeps.
 */
void kprof_nest_cpu_comes(unsigned int cpu)
{
	struct kprof_nest *nest = &table[0][0];
	u32 i;

	rcu_read_lock();	/* an owner gives its entry up before it is freed */
	for (i = 0; i < WAYS << BUCKET_BITS; i++, nest++)
		if (is_of_idle(READ_ONCE(nest->owner), cpu) && xchg(&nest->innermost, NULL))
			kprof_nest_free(nest);
	rcu_read_unlock();
}

/**
 * kprof_nest_init() - prepare the table
 *
 * Context: sleeps; nothing is watched yet.
 */
void kprof_nest_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(recent, cpu) = &table[0][0];
}
