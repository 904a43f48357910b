// SPDX-License-Identifier: GPL-2.0-only
/*
 * capture.c - take a sample; every source calls this
 *
 * Turns interrupted registers into a count, a record and a trace event. Runs in
 * any context, NMI included. Takes no lock, and writes to a cache line of another
 * CPU only if the stack is new.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/state.h"
#include "capture/capture.h"
#include "capture/filter.h"
#include "capture/recall.h"
#include "capture/trace.h"
#include "profile/profile.h"
#include "stacks/stacks.h"
#include "user/user.h"

/*
 * A CPU's account is consistent when nobody is between enter() and leave(). A reader
 * on another CPU checks for this, so that the numbers it gets add up.
 */
static __always_inline void enter(struct kprof_cpu *cpu)
{
	local64_inc(&cpu->entered);
	smp_wmb();	/* pairs with smp_rmb() in copy_account() */
}

static __always_inline void leave(struct kprof_cpu *cpu)
{
	smp_wmb();	/* pairs with smp_rmb() in copy_account() */
	local64_inc(&cpu->left);
}

static u32 interrupted_context(const struct kprof_event *event)
{
	return user_mode(event->regs) ? KPROF_CTX_TASK : kprof_context(event->own);
}

/* KPROF_INFO_* for this event, except for what the ring adds. */
static u32 describe(const struct kprof_event *event)
{
	u32 context = interrupted_context(event);
	u32 info = (context << KPROF_INFO_CTX_SHIFT) |
		   (raw_smp_processor_id() << KPROF_INFO_CPU_SHIFT) |
		   (KPROF_REC_SAMPLE << KPROF_INFO_KIND_SHIFT);

	if (event->has_return)
		info |= KPROF_INFO_MORE;
	if (user_mode(event->regs))
		info |= KPROF_INFO_USER;
	else if (context == KPROF_CTX_TASK && is_idle_task(event->task))
		info |= KPROF_INFO_IDLE;
	return info;
}

/* With stacks=none, only the interrupted function is recorded. */
static u32 kernel_depth(const struct kprof_profile *profile)
{
	return kprof_config->stacks == KPROF_STACKS_NONE ? 1 : profile->depth;
}

/* In mode "check": what would have been recalled, and what the stack is. */
static void compare(u32 recalled, u32 id, u16 flags)
{
	/* This mode cuts stacks sooner than they may have been kept. */
	if (recalled == KPROF_ID_NONE || (flags & KPROF_STACK_CUT))
		return;
	this_cpu_inc(kprof_unwind_counters.recalled);
	if (recalled != id)
		this_cpu_inc(kprof_unwind_counters.mismatch);
}

/*
 * Only of places that are passed again and again, what was met is kept: where a sample interrupts
 * something, it hardly ever does so at the same address.
 */
static noinline u32 unwound_stack_id(struct kprof_profile *profile, struct kprof_cpu *cpu,
				     struct pt_regs *regs, u64 *frames, u32 skip)
{
	const struct kprof_config *config = kprof_config;
	u32 max = kernel_depth(profile) + skip, recalled = KPROF_ID_NONE, nr, id;
	struct kprof_path path __uninitialized;
	u16 flags = 0;

	if (config->unwind == KPROF_UNWIND_CHECK && config->stacks != KPROF_STACKS_NONE)
		recalled = kprof_recall(cpu, &profile->stacks, regs, skip);
	nr = kprof_unwind(regs, config->unwind, frames, max, &flags, &path);
	skip = min(skip, nr - 1);	/* the innermost frames belong to the probe */
	id = kprof_intern(&profile->stacks, frames + skip, nr - skip, flags);
	compare(recalled, id, flags);
	kprof_remember(cpu, regs, skip, id, &path);
	return id;
}

static __always_inline u32 stack_id(struct kprof_profile *profile, struct kprof_cpu *cpu,
				    struct pt_regs *regs, u64 *frames, u32 skip, bool at_place)
{
	const struct kprof_config *config = kprof_config;
	u16 flags = 0;
	u32 nr, id;

	if (user_mode(regs))
		return KPROF_ID_NONE;
	if (unlikely(config->stacks == KPROF_STACKS_NONE)) {
		frames[0] = instruction_pointer(regs);
		if (!skip)
			return kprof_intern(&profile->stacks, frames, 1, 0);
	} else if (!at_place) {
		nr = kprof_unwind(regs, config->unwind, frames, profile->depth, &flags, NULL);
		return kprof_intern(&profile->stacks, frames, nr, flags);
	} else if (likely(config->unwind == KPROF_UNWIND_CACHE)) {
		id = kprof_recall(cpu, &profile->stacks, regs, skip);
		if (likely(id != KPROF_ID_NONE)) {
			this_cpu_inc(kprof_unwind_counters.recalled);
			return id;
		}
	}
	return unwound_stack_id(profile, cpu, regs, frames, skip);
}

/* The innermost function of the kernel's stack in a sample's key; 0 if there is none. */
static unsigned long leaf(const struct kprof_profile *profile, u64 key)
{
	u32 id = KPROF_KEY_KSTACK(key);

	return id < KPROF_ID_FIRST ? 0 : kprof_intern_words(&profile->stacks, id)[0];
}

/*
 * A reader wants the files of new stacks. An id is taken to be new where this CPU has met none so
 * large: ids grow, so that is so on the CPU that has made it.
 */
static noinline void meet_files(struct kprof_profile *profile, const u64 *frames, u32 nr, u32 id)
{
	struct kprof_cpu *cpu = this_cpu_ptr(profile->cpu);
	bool is_new = id > cpu->newest;

	if (is_new)
		cpu->newest = id;
	kprof_user_meet(frames, nr, is_new);
}

/* The user stack of current. Where there is none: KPROF_ID_NONE, or a place 0 if @missing_too. */
static noinline u32 user_stack_id(struct kprof_profile *profile, struct pt_regs *regs,
				  bool at_entry, u64 *frames, bool missing_too)
{
	u16 flags = 0;
	u32 nr, id;

	nr = kprof_user_stack(regs, at_entry, frames, profile->depth, &flags);
	if (!frames[0] && !missing_too)
		return KPROF_ID_NONE;
	id = kprof_intern(&profile->stacks, frames, nr, flags);
	if (unlikely(READ_ONCE(kprof_files_wanted)))
		meet_files(profile, frames, nr, id);
	return id;
}

/* The ids of both stacks, as in a key. */
static __always_inline u64 stack_ids(struct kprof_profile *profile, struct kprof_cpu *cpu,
				     const struct kprof_event *event, u64 *frames)
{
	u32 stacks = kprof_config->stacks;
	u64 ids = 0;

	if (unlikely(stacks & KPROF_STACKS_USER)) {
		/* An event about another task has none. Alone, it is told that there is none. */
		if (event->task == current)
			ids = user_stack_id(profile, event->regs, event->at_user_entry, frames,
					    stacks == KPROF_STACKS_USER);
		ids <<= KPROF_USTACK_SHIFT;
		if (stacks == KPROF_STACKS_USER)
			return ids;
	}
	return ids | stack_id(profile, cpu, event->regs, frames, event->skip,
			      event->at_place);
}

static u32 task_id(struct kprof_profile *profile, struct kprof_last_task *last,
		   const struct task_struct *task)
{
	u64 cgroup = KPROF_ID_NONE;

	BUILD_BUG_ON(TASK_COMM_LEN != 2 * sizeof(u64));
	if (unlikely(kprof_config->cgroups))
		cgroup = kprof_cgroup_path(task);
	if (last->id == KPROF_ID_NONE || last->word[KPROF_TASK_CGROUP] != cgroup ||
	    memcmp(last->word, task->comm, TASK_COMM_LEN)) {
		memcpy(last->word, task->comm, TASK_COMM_LEN);
		last->word[KPROF_TASK_CGROUP] = cgroup;
		last->id = kprof_intern(&profile->tasks, last->word, KPROF_TASK_WORDS, 0);
	}
	return last->id;
}

static void wake_reader(struct kprof_cpu *cpu)
{
	struct kprof_ring *ring = &cpu->ring;

	if (READ_ONCE(cpu->waiting) && kprof_ring_fill(ring) >= ring->size / 2) {
		WRITE_ONCE(cpu->waiting, false);
		irq_work_queue(&cpu->wake);
	}
}

static bool put_record(struct kprof_cpu *cpu, const struct kprof_record *rec)
{
	bool put = kprof_ring_put(&cpu->ring, rec);

	wake_reader(cpu);
	return put;
}

/* Put a sample and what the other counters have counted since the one before. */
static bool put_counts(struct kprof_cpu *cpu, struct kprof_account *account,
		       const struct kprof_event *event, const struct kprof_record *rec)
{
	struct kprof_record pair[2] = { *rec };
	struct kprof_along *along = (struct kprof_along *)&pair[1];
	bool put;
	u32 i;

	BUILD_BUG_ON(sizeof(struct kprof_along) != sizeof(struct kprof_record));
	BUILD_BUG_ON(offsetof(struct kprof_along, info) != offsetof(struct kprof_record, info));
	local64_add(event->weight, &account->counted);
	along->nr = event->source->nr_along;
	for (i = 0; i < along->nr; i++) {
		along->along[i] = event->along[i];
		local64_add(event->along[i], &account->along[i]);
	}
	along->info = (rec->info & ~(15 << KPROF_INFO_KIND_SHIFT)) |
		       (KPROF_REC_ALONG << KPROF_INFO_KIND_SHIFT);
	put = kprof_ring_put_pair(&cpu->ring, pair);
	wake_reader(cpu);
	return put;
}

/* Put a return and the row that it was counted in. */
static void put_row(struct kprof_cpu *cpu, const struct kprof_record *rec,
		    const struct kprof_return *end)
{
	struct kprof_record pair[2] = { *rec };
	struct kprof_row *row = (struct kprof_row *)&pair[1];

	BUILD_BUG_ON(sizeof(struct kprof_row) != sizeof(struct kprof_record));
	BUILD_BUG_ON(offsetof(struct kprof_row, info) != offsetof(struct kprof_record, info));
	row->time = rec->time;
	row->row = end->row;
	memcpy(row->each, end->each, end->nr_each * sizeof(row->each[0]));
	row->info = (rec->info & ~(15 << KPROF_INFO_KIND_SHIFT)) |
		    (KPROF_REC_ROW << KPROF_INFO_KIND_SHIFT) |
		    (end->nr_each << KPROF_INFO_EACH_SHIFT);
	pair[0].info |= KPROF_INFO_MORE;
	kprof_ring_put_pair(&cpu->ring, pair);
	wake_reader(cpu);
}

static void count(struct kprof_cpu *cpu, struct kprof_account *account,
		  u64 key, u64 n, u64 weight)
{
	if (likely(kprof_counts_add(&cpu->counts, key, n, weight)))
		return;
	local64_add(n, &account->overflow);
	local64_add(weight, &account->overflow_weight);
}

static __always_inline u64 record(const struct kprof_event *event, struct kprof_cpu *cpu,
				  struct kprof_account *account, u32 level, u32 info)
{
	struct kprof_profile *profile = kprof_profile;
	u64 key = ((u64)event->source->id << KPROF_SOURCE_SHIFT) |
		  ((u64)task_id(profile, &cpu->last[level], event->task) << KPROF_TASK_SHIFT) |
		  stack_ids(profile, cpu, event, cpu->frames[level]);
	struct kprof_record rec = {
		.time = event->time,
		.weight = event->weight,
		.key = key,
		.pid = kprof_id_of(event->task),
		.info = info,
	};
	bool put;

	count(cpu, account, key, 1, event->weight);
	local64_inc(&account->recorded);
	if (unlikely(event->along))
		put = put_counts(cpu, account, event, &rec);
	else
		put = put_record(cpu, &rec);
	if (unlikely(event->copy) && put)
		*event->copy = rec;
	if (trace_sample_enabled())
		trace_sample(event->source->name,
			     leaf(profile, key) ?: instruction_pointer(event->regs), &rec);
	return key;
}

/**
 * kprof_capture_wants() - do the filters pass an event on this CPU
 * @task:	the task that the event is about
 *
 * Context: any, NMI included; preemption is disabled. Return: whether they do.
 */
bool kprof_capture_wants(struct task_struct *task)
{
	const struct kprof_config *config = kprof_config;

	return cpumask_test_cpu(raw_smp_processor_id(), &config->cpus) &&
	       kprof_filter_task(config, task);
}

/* Did a sample interrupt the process of own=, or kprof's code in any other task? */
static bool is_own(const struct kprof_event *event)
{
	/* What interrupts that process has another cause. */
	if (kprof_task_is_own(event->task) && interrupted_context(event) == KPROF_CTX_TASK)
		return true;
	return !user_mode(event->regs) &&
	       within_module(instruction_pointer(event->regs), THIS_MODULE);
}

/* Calls have passed the filters before they are sampled. */
static enum kprof_drop filter(const struct kprof_event *event)
{
	const u32 filters = kprof_config->filters;

	if ((filters & KPROF_FILTER_TASKS) && !kprof_capture_wants(event->task))
		return KPROF_DROP_FILTER;
	return (filters & KPROF_FILTER_OWN) && is_own(event) ? KPROF_DROP_OWN : KPROF_DROP_NONE;
}

/* Why this sample must be dropped; KPROF_DROP_NONE if it must not. */
static enum kprof_drop find_reason(const struct kprof_event *event,
				   const struct kprof_cpu *cpu, u32 level, u32 *info)
{
	const struct kprof_config *config = kprof_config;
	u8 busy = READ_ONCE(cpu->busy[level]);

	if (unlikely(!event->regs))
		return KPROF_DROP_NOREGS;
	if (unlikely(busy))
		return busy == KPROF_NO_MEMORY ? KPROF_DROP_NOMEM : KPROF_DROP_NESTED;
	*info = describe(event);
	if ((*info & KPROF_INFO_IDLE) && !config->idle)
		return KPROF_DROP_IDLE;
	if (likely(!config->filters || event->is_wanted))
		return KPROF_DROP_NONE;
	return filter(event);
}

/* Outside of a sample. NULL: this CPU is taking a stack in this context already. */
static __always_inline struct kprof_cpu *begin_stack(u32 *level)
{
	struct kprof_cpu *cpu;

	*level = interrupt_context_level();
	preempt_disable_notrace();
	cpu = this_cpu_ptr(kprof_profile->cpu);
	if (READ_ONCE(cpu->busy[*level]))
		return NULL;
	WRITE_ONCE(cpu->busy[*level], 1);
	barrier();	/* an interrupt sees the level busy before its frames change */
	return cpu;
}

static __always_inline void end_stack(struct kprof_cpu *cpu, u32 level)
{
	if (cpu) {
		barrier();
		WRITE_ONCE(cpu->busy[level], 0);
	}
	preempt_enable_notrace();
}

/**
 * kprof_capture_stack() - the id of the stack under a set of registers
 * @regs:	kernel-mode registers of current
 * @skip:	number of innermost frames that belong to the probe; KPROF_MAX_SKIP at most
 *
 * Context: any, NMI included. Return: the id; also KPROF_ID_FULL if this CPU is
 * taking another stack in this context, or has no memory for it.
 */
u32 kprof_capture_stack(struct pt_regs *regs, u32 skip)
{
	u32 level, id = KPROF_ID_FULL;
	struct kprof_cpu *cpu = begin_stack(&level);

	if (cpu)
		id = stack_id(kprof_profile, cpu, regs, cpu->frames[level], skip, true);
	end_stack(cpu, level);
	return id;
}

/**
 * kprof_capture_user_stack() - the id of the user stack of current
 * @regs:	registers of current, of user mode or of the kernel
 * @at_entry:	a function of a program is entered, and @regs are of user mode
 *
 * Context: any, NMI included. Return: the id; KPROF_ID_NONE if no user stack can be taken, such as
 * of a kernel thread; KPROF_ID_FULL as of kprof_capture_stack().
 */
u32 kprof_capture_user_stack(struct pt_regs *regs, bool at_entry)
{
	u32 level, id = KPROF_ID_FULL;
	struct kprof_cpu *cpu = begin_stack(&level);

	if (cpu)
		id = user_stack_id(kprof_profile, regs, at_entry, cpu->frames[level], false);
	end_stack(cpu, level);
	return id;
}

/**
 * kprof_capture() - take a sample
 * @event:	what the source knows of the sample
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 * Return: the sample's key; 0 if the sample was dropped (and counted as dropped).
 */
u64 kprof_capture(const struct kprof_event *event)
{
	struct kprof_cpu *cpu = this_cpu_ptr(kprof_profile->cpu);
	struct kprof_account *account = this_cpu_ptr(event->source->account);
	u32 level = interrupt_context_level();
	enum kprof_drop reason;
	u64 key = 0;
	u32 info;

	enter(cpu);
	local64_inc(&account->fired);
	reason = find_reason(event, cpu, level, &info);
	if (reason != KPROF_DROP_NONE) {
		local64_inc(&account->dropped[reason]);
	} else {
		WRITE_ONCE(cpu->busy[level], 1);
		barrier();	/* an interrupt sees the level busy before its frames change */
		key = record(event, cpu, account, level, info);
		barrier();
		WRITE_ONCE(cpu->busy[level], 0);
	}
	leave(cpu);
	return key;
}
NOKPROBE_SYMBOL(kprof_capture);

/**
 * kprof_capture_late() - say why an earlier sample came late
 * @source:	the source that took the sample
 * @rec:	the record: of kind KPROF_REC_LATE, and of this CPU
 *
 * Context: any, NMI included; preemption is disabled.
 */
void kprof_capture_late(struct kprof_source *source, const struct kprof_record *rec)
{
	struct kprof_cpu *cpu = this_cpu_ptr(kprof_profile->cpu);
	struct kprof_account *account = this_cpu_ptr(source->account);

	enter(cpu);
	local64_inc(&account->late);
	put_record(cpu, rec);
	leave(cpu);
}
NOKPROBE_SYMBOL(kprof_capture_late);

/**
 * kprof_capture_return() - a call that was sampled at its entry has returned
 * @end:	what is known of the return
 *
 * Context: any, NMI included; preemption is disabled and kprof_running was seen set.
 */
void kprof_capture_return(const struct kprof_return *end)
{
	struct kprof_cpu *cpu = this_cpu_ptr(kprof_profile->cpu);
	struct kprof_record rec = {
		.time = end->time,
		.weight = end->weight,
		.key = end->key,
		.pid = end->pid,
		.info = (KPROF_REC_CALL << KPROF_INFO_KIND_SHIFT) |
			(kprof_context(end->own) << KPROF_INFO_CTX_SHIFT) |
			(raw_smp_processor_id() << KPROF_INFO_CPU_SHIFT),
	};

	enter(cpu);
	count(cpu, this_cpu_ptr(end->source->account), end->key, 0, end->weight);
	if (end->row != KPROF_ID_NONE)
		put_row(cpu, &rec, end);
	else
		put_record(cpu, &rec);
	trace_call(end->source->name, &rec);
	leave(cpu);
}
NOKPROBE_SYMBOL(kprof_capture_return);
