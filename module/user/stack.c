// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - takes the user stack of the current task, by its frame pointers
 *
 * The program may have left anything in its registers and on its stack. So frames are followed
 * only as long as they lead upwards, through mapped memory, to executable memory. Thus a loop ends,
 * no kernel memory is read, and data does not make a frame.
 */
#include <linux/mm_types.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "uapi/kprof.h"
#include "user/follow.h"
#include "user/frames.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/user.h"

static DEFINE_PER_CPU(struct kprof_user_totals, totals);

/**
 * struct walk - state of an unwind
 * @maps:	mappings of the process
 * @last:	mapping of the last place, most likely that of the next one, too
 * @place:	the places found
 * @nr:		number of places found
 * @max:	number of places there is room for
 */
struct walk {
	const struct kprof_maps *maps;
	const struct kprof_map *last;
	u64 *place;
	u32 nr;
	u32 max;
};

static bool is_within(const struct kprof_map *map, unsigned long addr)
{
	return addr - map->start < map->end - map->start;
}

/* Add a place. Return: false if no code is there. @back: 1 for a return address, else 0. */
static bool add(struct walk *walk, unsigned long addr, u32 back)
{
	/* A call may be the last instruction of a mapping. */
	unsigned long call = addr - back;

	if (!walk->last || !is_within(walk->last, call))
		walk->last = kprof_maps_find(walk->maps, call);
	if (!walk->last)
		return false;
	walk->place[walk->nr++] = walk->last->place + (addr - walk->last->start);
	return true;
}

static bool read_frame(const struct kprof_user_frame *frame, unsigned long *up,
		       unsigned long *link)
{
	u64 wide[2];
	u32 narrow[2];

	if (frame->word == 8) {
		if (!kprof_user_read64(frame->at, &wide[0]) ||
		    !kprof_user_read64(frame->at + 8, &wide[1]))
			return false;
		*up = wide[0];
		*link = kprof_user_strip(wide[1]);
		return true;
	}
	if (!kprof_user_read32(frame->at, &narrow[0]) ||
	    !kprof_user_read32(frame->at + 4, &narrow[1]))
		return false;
	*up = narrow[0];
	*link = narrow[1];
	return true;
}

/* Follow the frames. Return: KPROF_STACK_*, or 0 if the root was reached. */
static u16 follow(struct walk *walk, struct kprof_user_frame frame)
{
	unsigned long up, link;

	if (!frame.word)
		return KPROF_STACK_PARTIAL;
	/* By the ABIs, the root has a frame pointer or a return address of 0. */
	while (frame.at) {
		if (frame.at % frame.word || !read_frame(&frame, &up, &link))
			return KPROF_STACK_PARTIAL;
		if (!link)
			return 0;
		if (walk->nr == walk->max)
			return KPROF_STACK_CUT;
		if (!add(walk, link, 1))
			return KPROF_STACK_PARTIAL;
		if (up && up <= frame.at)
			return KPROF_STACK_PARTIAL;
		frame.at = up;
	}
	return 0;
}

static u16 walk_from(struct walk *walk, struct pt_regs *regs, bool at_entry)
{
	unsigned long link;

	if (walk->nr < walk->max) {
		link = at_entry ? kprof_user_return(regs) : kprof_user_link(regs);
		link = kprof_user_strip(link);
		if (link)
			add(walk, link, 1);
	}
	return follow(walk, kprof_user_frame(regs));
}

/* There is no stack; return a place that says why. */
static u32 give_up(u64 *place, u64 what, u64 *count)
{
	++*count;
	place[0] = what & KPROF_USER_MASK;
	return 1;
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
	struct kprof_user_totals *count = this_cpu_ptr(&totals);
	const struct mm_struct *mm = current->mm;
	struct walk walk = { .place = place, .max = max };

	*flags |= KPROF_STACK_USER;
	if (!mm || current->flags & (PF_KTHREAD | PF_USER_WORKER) || !kprof_user_is_loaded(mm))
		return give_up(place, 0, &count->nobody);
	/* The registers with which user mode entered the kernel are at the end of its stack. */
	if (!user_mode(regs))
		regs = task_pt_regs(current);
	walk.maps = kprof_spaces_find(mm);
	if (!walk.maps)
		return give_up(place, 0, &count->fresh);
	if (!add(&walk, instruction_pointer(regs), 0)) {
		*flags |= KPROF_STACK_PARTIAL;
		return give_up(place, instruction_pointer(regs), &count->unmapped);
	}
	pagefault_disable();
	*flags |= walk_from(&walk, regs, at_entry);
	pagefault_enable();
	count->taken++;
	count->cut += !!(*flags & KPROF_STACK_CUT);
	count->partial += !!(*flags & KPROF_STACK_PARTIAL);
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
		sum->nobody += READ_ONCE(one->nobody);
		sum->fresh += READ_ONCE(one->fresh);
		sum->unmapped += READ_ONCE(one->unmapped);
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
	if (!kprof_follow_is_on())
		kprof_mapped_clear();
}
