// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - takes the user stack of the current task
 *
 * It goes by the rules of the files that the code is in, where a reader has provided them, and by
 * frame pointers elsewhere. The program may have left anything in its registers and on its stack.
 * So each step must lead upwards, through mapped memory, to executable memory. Thus a loop ends, no
 * kernel memory is read, and data does not make a frame.
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
#include "user/step.h"
#include "user/user.h"

/* At most this many files of a process are asked for at once. */
#define MAX_WANTED	256

static DEFINE_PER_CPU(struct kprof_user_totals, totals);

/**
 * struct walk - state of an unwind
 * @maps:	mappings of the process
 * @last:	mapping of the last place, most likely that of the next one, too
 * @file:	the file of the last place that a rule was looked for
 * @rules:	its rules; NULL if there are none
 * @place:	the places found
 * @nr:		number of places found
 * @max:	number of places there is room for
 * @is_ruled:	a step was by a rule
 * @is_early:	the rules of a file are not there yet
 * @is_unknown:	the walk ended at a place that no rule can describe
 */
struct walk {
	const struct kprof_maps *maps;
	const struct kprof_map *last;
	const struct kprof_rules_header *rules;
	u64 *place;
	u32 file;
	u32 nr;
	u32 max;
	bool is_ruled;
	bool is_early;
	bool is_unknown;
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

/*
 * Ask a reader for the rules of a file, and of all others of this process, which are likely to be
 * next. This happens once for each file.
 */
static void want(const struct kprof_maps *maps, u32 file)
{
	u32 nr = min_t(u32, maps->nr, MAX_WANTED), i;

	kprof_mapped_want(file);
	for (i = 0; i < nr; i++)
		kprof_mapped_want(KPROF_USER_FILE(maps->map[i].place));
}

/* The rules of a file that a place is in, if there are any. */
static const struct kprof_rules_header *rules_of(struct walk *walk, u32 file)
{
	const struct kprof_mapped *mapped = kprof_mapped_get(file);
	const struct kprof_rules_header *rules;

	if (!mapped || !kprof_mapped_may_have_rules(mapped))
		return NULL;
	/* Pairs with kprof_mapped_take_rules(). */
	rules = smp_load_acquire(&mapped->rules);
	if (!rules) {
		walk->is_early = true;
		if (!READ_ONCE(mapped->is_wanted))
			want(walk->maps, file);
	}
	return rules;
}

/* The rules of a file, if there are any. */
static const struct kprof_rules_header *find_rules(struct walk *walk, u32 file)
{
	if (file != walk->file) {
		walk->file = file;
		walk->rules = rules_of(walk, file);
	}
	return walk->rules;
}

/* The rule for the last place that was added, if there is one, and it can be applied. */
static const struct kprof_rule *rule_for(struct walk *walk, const struct kprof_user_state *at)
{
	const struct kprof_rules_header *rules;
	const struct kprof_rule *rule;
	u64 place;

	if (!READ_ONCE(kprof_user_rules) || at->word != 8)
		return NULL;
	place = walk->last->place + (at->pc - !at->is_exact - walk->last->start);
	rules = find_rules(walk, KPROF_USER_FILE(place));
	if (!rules)
		return NULL;
	rule = kprof_rules_find(rules, KPROF_USER_OFFSET(place));
	return rule && kprof_step_is_possible(rule, at) ? rule : NULL;
}

/**
 * struct within - the mapping that climb_usual() is in, without what each step would have to load
 * @start:	its first address
 * @size:	its size in bytes
 * @to_place:	from an address in it to its place
 * @rules:	those of its file; NULL if there are none
 */
struct within {
	unsigned long start;
	unsigned long size;
	u64 to_place;
	const struct kprof_rules_header *rules;
};

static __always_inline void enter(struct walk *walk, struct within *in)
{
	const struct kprof_map *map = walk->last;

	in->start = map->start;
	in->size = map->end - map->start;
	in->to_place = map->place - map->start;
	in->rules = NULL;
	if (KPROF_USER_OFFSET(map->place) + in->size <= U32_MAX)
		in->rules = find_rules(walk, KPROF_USER_FILE(map->place));
}

/*
 * As climb(), while rules are usual. Each step of each sample is here where programs have no frame
 * pointers. So the state is in registers, nothing is called, and a frame pointer that was saved is
 * read only where a rule starts from it.
 *
 * @rule: a usual one. Return: whether the walk has ended, as @end says; else @at is at the last
 * place, whose rule is unusual, or which has none.
 */
static bool climb_usual(struct walk *walk, const struct kprof_rule *rule,
			struct kprof_user_state *at, u16 *end)
{
	unsigned long sp = at->sp, floor = max(sp, at->floor), saved = 0, cfa;
	u64 *to = walk->place + walk->nr, *full = walk->place + walk->max;
	u64 fp = at->fp, pc;
	struct within in;

	enter(walk, &in);
	*end = KPROF_STACK_PARTIAL;
	for (;;) {
		cfa = sp + rule->cfa;
		if (rule->kind == KPROF_RULE_FP) {
			if (saved && !kprof_user_read64(saved, &fp))
				goto ended;
			saved = 0;
			cfa = fp + rule->cfa;
		}
		if (cfa % sizeof(u64) || cfa < floor || !kprof_user_read64(cfa + rule->ra, &pc))
			goto ended;
		pc = kprof_user_strip(pc);
		if (!pc || to == full) {
			*end = pc ? KPROF_STACK_CUT : 0;
			goto ended;
		}
		if (pc - 1 - in.start >= in.size) {
			walk->last = kprof_maps_find(walk->maps, pc - 1);
			if (!walk->last)
				goto ended;
			enter(walk, &in);
		}
		*to++ = pc + in.to_place;
		if (rule->fp != KPROF_RULE_SAME)
			saved = cfa + rule->fp;
		sp = cfa;
		floor = cfa;
		rule = in.rules ? kprof_rules_find(in.rules, (u32)(pc - 1 + in.to_place)) : NULL;
		if (!rule || !kprof_rule_is_usual(rule))
			break;
	}
	if (saved && !kprof_user_read64(saved, &fp))
		goto ended;
	*at = (struct kprof_user_state) {
		.pc = pc, .sp = sp, .fp = fp, .floor = floor, .word = at->word,
	};
	walk->nr = to - walk->place;
	return false;

ended:
	walk->nr = to - walk->place;
	return true;
}

/* Go up to the root. Return: KPROF_STACK_*, or 0 if it was reached. */
static u16 climb(struct walk *walk, const struct kprof_rule *rule, struct kprof_user_state *at)
{
	enum kprof_step step;
	u16 end;

	for (;; rule = rule_for(walk, at)) {
		walk->is_ruled |= !!rule;
		if (rule && kprof_rule_is_usual(rule)) {
			if (climb_usual(walk, rule, at, &end))
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
		if (!add(walk, at->pc + at->is_exact, 1))
			return KPROF_STACK_PARTIAL;
	}
}

/*
 * As climb(), by frame pointers alone. Each step of each sample is here where no file has rules, so
 * the state is in registers, and nothing is called.
 */
static u16 climb_frames(struct walk *walk, const struct kprof_user_state *at)
{
	unsigned long fp = at->fp, floor = at->floor, pc;
	const struct kprof_map *map = walk->last;
	u64 frame[2];

	for (; fp; floor = fp + 1, fp = frame[0]) {
		if (fp % sizeof(u64) || fp < floor || !kprof_user_read_pair(fp, frame))
			return KPROF_STACK_PARTIAL;
		pc = kprof_user_strip(frame[1]);
		if (!pc)
			return 0;
		if (walk->nr == walk->max)
			return KPROF_STACK_CUT;
		if (!is_within(map, pc - 1)) {
			map = kprof_maps_find(walk->maps, pc - 1);
			if (!map)
				return KPROF_STACK_PARTIAL;
		}
		walk->place[walk->nr++] = map->place + (pc - map->start);
	}
	return 0;
}

static u16 walk_from(struct walk *walk, struct pt_regs *regs, bool at_entry)
{
	struct kprof_user_state at = kprof_user_state(regs);
	const struct kprof_rule *rule = rule_for(walk, &at);
	unsigned long link;

	if (!rule && walk->nr < walk->max) {
		link = at_entry ? kprof_user_return(regs) : kprof_user_link(regs);
		link = kprof_user_strip(link);
		if (link && add(walk, link, 1)) {
			at.pc = link;
			at.sp = 0;
			at.link = 0;
			at.is_exact = false;
			rule = rule_for(walk, &at);
		}
	}
	if (!rule && at.word == sizeof(u64) && !READ_ONCE(kprof_user_rules))
		return climb_frames(walk, &at);
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
	struct walk walk = { .place = place, .max = max };

	*flags |= KPROF_STACK_USER;
	if (!mm || current->flags & (PF_KTHREAD | PF_USER_WORKER) || !kprof_user_is_loaded(mm))
		return give_up(place, 0, &totals.nobody);
	/* The registers with which user mode entered the kernel are at the end of its stack. */
	if (!user_mode(regs))
		regs = task_pt_regs(current);
	walk.maps = kprof_spaces_find(mm);
	if (!walk.maps)
		return give_up(place, 0, &totals.fresh);
	if (!add(&walk, instruction_pointer(regs), 0)) {
		*flags |= KPROF_STACK_PARTIAL;
		return give_up(place, instruction_pointer(regs), &totals.unmapped);
	}
	pagefault_disable();
	*flags |= walk_from(&walk, regs, at_entry);
	pagefault_enable();
	this_cpu_inc(totals.taken);
	count_if(*flags & KPROF_STACK_CUT, &totals.cut);
	count_if(*flags & KPROF_STACK_PARTIAL, &totals.partial);
	count_if(walk.is_ruled, &totals.ruled);
	count_if(walk.is_early && kprof_mapped_nr_rules(), &totals.early);
	count_if(walk.is_unknown, &totals.unknown);
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
