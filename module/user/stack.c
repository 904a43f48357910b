// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - takes the user stack of the current task
 *
 * It goes by the rules of the files that the code is in, where a reader has provided them, and by
 * frame pointers elsewhere. The program may have left anything in its registers and on its stack.
 * So each step must lead upwards, through mapped memory, to executable memory, and by frame
 * pointers to an address that follows a call. Thus a loop ends, no kernel memory is read, and data
 * does not make a frame.
 */
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "uapi/kprof.h"
#include "user/called.h"
#include "user/changes.h"
#include "user/follow.h"
#include "user/frames.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/step.h"
#include "user/user.h"
#include "user/walk.h"

static DEFINE_PER_CPU(struct kprof_user_totals, totals);

static bool is_within(const struct kprof_map *map, unsigned long addr)
{
	return addr - map->start < map->end - map->start;
}

/* Find the mapping of an instruction. Return: false if no code is there. */
static bool find_map(struct kprof_walk *walk, unsigned long addr)
{
	if (!walk->last || !is_within(walk->last, addr))
		walk->last = kprof_maps_find(walk->maps, addr);
	return walk->last;
}

/* Add a place in the mapping that was found last, or right behind it: a call may be its end. */
static void add(struct kprof_walk *walk, unsigned long addr)
{
	walk->place[walk->nr++] = walk->last->place + (addr - walk->last->start);
}

/* Go up to the root. Return: KPROF_STACK_*, or 0 if it was reached. */
static u16 climb(struct kprof_walk *walk, const struct kprof_rule *rule,
		 struct kprof_user_state *at)
{
	enum kprof_step step;
	u16 end;

	for (;;) {
		walk->is_ruled |= !!rule;
		if (rule && kprof_rule_class(rule) != KPROF_RULE_UNUSUAL) {
			if (kprof_climb_usual(walk, &rule, at, &end))
				return end;
			continue;
		}
		step = rule ? kprof_step_by_rule(rule, at) : kprof_step_by_frame(at);
		if (step == KPROF_STEP_LOST) {
			walk->is_unknown = rule && rule->kind == KPROF_RULE_UNKNOWN;
			return KPROF_STACK_PARTIAL;
		}
		if (step == KPROF_STEP_ROOT || !at->pc)
			return 0;
		if (walk->nr == walk->max)
			return KPROF_STACK_CUT;
		/* Readers go back one byte from all but the first place. */
		if (!find_map(walk, at->pc + at->is_exact - 1))
			return KPROF_STACK_PARTIAL;
		if (rule)
			kprof_maps_number(walk->maps, walk->last);
		else if (!kprof_called_from(walk, at->pc, at->word == sizeof(u32)))
			return KPROF_STACK_PARTIAL;
		add(walk, at->pc + at->is_exact);
		rule = kprof_walk_rule(walk, at);
	}
}

static u16 walk_from(struct kprof_walk *walk, struct pt_regs *regs, bool at_entry)
{
	struct kprof_user_state at = kprof_user_state(regs);
	const struct kprof_rule *rule = kprof_walk_rule(walk, &at);
	unsigned long link, sp;

	if (!rule && walk->nr < walk->max) {
		link = at_entry ? kprof_user_return(regs, &sp) : kprof_user_link(regs, &sp);
		link = kprof_user_strip(link);
		if (link && find_map(walk, link - 1)) {
			if (!kprof_called_from(walk, link, at.word == sizeof(u32)))
				return KPROF_STACK_PARTIAL;
			add(walk, link);
			at = (struct kprof_user_state) {
				.pc = link, .sp = sp, .fp = at.fp, .floor = sp, .word = at.word,
			};
			rule = kprof_walk_rule(walk, &at);
		}
	}
	if (!rule && at.word == sizeof(u64) && !READ_ONCE(kprof_user_rules))
		return kprof_climb_frames(walk, &at);
	return climb(walk, rule, &at);
}

static void count_if(bool is_so, u64 __percpu *count)
{
	if (is_so)
		this_cpu_inc(*count);
}

/* There is no stack; return a place that says why. */
static u32 give_up(u64 *place, u64 what, u64 __percpu *count)
{
	this_cpu_inc(*count);
	place[0] = what & KPROF_USER_MASK;
	return 1;
}

/* Is nothing known of an address because what is mapped there has changed? */
static bool is_stale(const struct kprof_maps *maps, unsigned long addr)
{
	const struct kprof_map *map = kprof_maps_look(maps, addr);

	return kprof_maps_are_dirty(maps, map ? map->start : addr, map ? map->end : addr + 1);
}

/* Places in files that have no number are all the same. */
static noinline void merge_places(u64 *place, u32 nr)
{
	u32 full = READ_ONCE(kprof_mapped_full), i;

	for (i = 0; i < nr; i++)
		if (KPROF_USER_FILE(place[i]) == full)
			place[i] = (u64)full << KPROF_USER_SHIFT;
}

/**
 * kprof_user_stack() - take the user stack of current
 * @regs:	the interrupted registers, of user mode or of the kernel
 * @at_entry:	they are of user mode, at the first instruction of a function
 * @place:	where the places go, leaf first; see uapi/kprof.h
 * @max:	maximum number of places, at least 1
 * @flags:	KPROF_STACK_USER is set, CUT and PARTIAL as they apply
 *
 * Context: any, NMI included; preemption is disabled. Return: number of places.
 */
u32 kprof_user_stack(struct pt_regs *regs, bool at_entry, u64 *place, u32 max, u16 *flags)
{
	const struct mm_struct *mm = current->mm;
	struct kprof_walk walk = { .place = place, .max = max };

	*flags |= KPROF_STACK_USER;
	if (!mm || current->flags & (PF_KTHREAD | PF_USER_WORKER))
		return give_up(place, 0, &totals.nobody);
	if (!kprof_user_is_loaded(mm))
		return give_up(place, 0, &totals.unloaded);
	/* The registers with which user mode entered the kernel are at the end of its stack. */
	if (!user_mode(regs))
		regs = task_pt_regs(current);
	walk.maps = kprof_spaces_find(mm);
	if (!walk.maps) {
		kprof_follow_again(NULL);
		return give_up(place, 0, &totals.fresh);
	}
	if (!find_map(&walk, instruction_pointer(regs))) {
		kprof_follow_again(walk.maps);
		*flags |= KPROF_STACK_PARTIAL;
		if (is_stale(walk.maps, instruction_pointer(regs)))
			return give_up(place, 0, &totals.stale);
		return give_up(place, instruction_pointer(regs), &totals.unmapped);
	}
	kprof_maps_number(walk.maps, walk.last);
	add(&walk, instruction_pointer(regs));
	if (unlikely(kprof_changes_were_missed(walk.maps)))
		kprof_follow_again(walk.maps);
	pagefault_disable();
	*flags |= walk_from(&walk, regs, at_entry);
	pagefault_enable();
	if (unlikely(READ_ONCE(kprof_mapped_full)))
		merge_places(place, walk.nr);
	this_cpu_inc(totals.taken);
	count_if(*flags & KPROF_STACK_CUT, &totals.cut);
	count_if(*flags & KPROF_STACK_PARTIAL, &totals.partial);
	count_if(walk.is_ruled, &totals.ruled);
	count_if(walk.is_early, &totals.early);
	count_if(walk.is_unknown, &totals.unknown);
	count_if(walk.is_uncalled, &totals.uncalled);
	count_if(walk.is_unchecked, &totals.unchecked);
	return walk.nr;
}

/**
 * kprof_user_totals() - statistics of user stacks so far
 * @sum:	where the sums over all CPUs go
 *
 * Context: any.
 */
void kprof_user_totals(struct kprof_user_totals *sum)
{
	const struct kprof_user_totals *one;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		one = per_cpu_ptr(&totals, cpu);
		sum->taken += READ_ONCE(one->taken);
		sum->cut += READ_ONCE(one->cut);
		sum->partial += READ_ONCE(one->partial);
		sum->ruled += READ_ONCE(one->ruled);
		sum->early += READ_ONCE(one->early);
		sum->unknown += READ_ONCE(one->unknown);
		sum->uncalled += READ_ONCE(one->uncalled);
		sum->unchecked += READ_ONCE(one->unchecked);
		sum->nobody += READ_ONCE(one->nobody);
		sum->unloaded += READ_ONCE(one->unloaded);
		sum->fresh += READ_ONCE(one->fresh);
		sum->unmapped += READ_ONCE(one->unmapped);
		sum->stale += READ_ONCE(one->stale);
	}
}

/**
 * kprof_user_clear() - reset the statistics, as the profile is empty
 *
 * Files keep their numbers while address spaces have these in their maps.
 *
 * Context: sleeps; no user stacks are taken meanwhile.
 */
void kprof_user_clear(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&totals, cpu), 0, sizeof(totals));
	kprof_pins_forget(!kprof_follow_is_on());
	if (!kprof_follow_is_on()) {
		kprof_maps_drain();
		kprof_mapped_clear();
		kprof_called_forget();
	}
}
