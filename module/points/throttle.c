// SPDX-License-Identifier: GPL-2.0-only
/*
 * throttle.c - when groups of tasks were throttled: watched where the scheduler does it
 *
 * A cgroup with a CPU limit has a run queue (struct cfs_rq) on each CPU. When the limit is used
 * up, the kernel throttles that run queue, and calls tg_throttle_down() for it and for those of
 * all cgroups below; tg_unthrottle_up() when time is granted again. A run queue can be throttled
 * for several reasons at once, and its throttle_count counts them. A kprobe on each function notes
 * when the count leaves and reaches 0. Both run with the lock of the CPU's run queue held, and so
 * does the tracepoint sched_switch, where a wait is compared with what was noted.
 *
 * The structures are private to the scheduler. BTF tells where their members are. What is read is
 * compared with what it must be equal to before it is used.
 *
 * Since Linux 6.18 each task is throttled by itself, on its way to user mode; there, BTF has the
 * member "throttled" of task_struct. A task that waits inside of the kernel is not throttled.
 */
#include <linux/cgroup.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "base/available.h"
#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "capture/capture.h"
#include "points/history.h"
#include "points/throttle.h"
#include "symbols/symbols.h"

/* Set by the first call of either function while they are watched. */
bool kprof_throttle_seen __read_mostly;

#if defined(CONFIG_CFS_BANDWIDTH) && defined(CONFIG_FAIR_GROUP_SCHED)

/* Offsets of members that only the scheduler knows. Before 6.18, @task_throttled is negative. */
static struct {
	int group_css, group_parent, group_queues;
	int queue_group, queue_rq, queue_count;
	int rq_cpu, rq_clock;
	int task_throttled;
} offset;

static struct kprof_history *table;	/* by CPU */
static u32 users;
static bool is_watched;
static u64 odd;			/* calls whose arguments were not what they should be */
static const char *unknown;	/* why nothing is known */

static const void *word_at(const void *base, int at)
{
	return READ_ONCE(*(const void * const *)(base + at));
}

static int count_of(const void *queue)
{
	return READ_ONCE(*(const int *)(queue + offset.queue_count));
}

/**
 * struct place - what a call of tg_throttle_down() or tg_unthrottle_up() is about
 * @group:	the struct task_group
 * @queue:	its run queue
 * @cpu:	the CPU
 * @count:	the run queue's throttle_count
 */
struct place {
	const void *group;
	const void *queue;
	u32 cpu;
	int count;
};

static bool read_word(const void *base, int at, const void **to)
{
	return !copy_from_kernel_nofault(to, base + at, sizeof(*to));
}

/* The run queue of a group on a CPU; NULL if the structures are not what BTF says. */
static const void *queue_of(const void *group, u32 cpu)
{
	const void *queues, *queue, *owner;

	if (!read_word(group, offset.group_queues, &queues) ||
	    !read_word(queues, cpu * sizeof(void *), &queue) ||
	    !read_word(queue, offset.queue_group, &owner) || owner != group)
		return NULL;
	return queue;
}

static bool look(struct pt_regs *regs, struct place *place)
{
	const void *rq = (void *)regs_get_kernel_argument(regs, 1), *own;
	int cpu;

	place->group = (void *)regs_get_kernel_argument(regs, 0);
	if (!IS_ENABLED(CONFIG_SMP))
		cpu = 0;
	else if (copy_from_kernel_nofault(&cpu, rq + offset.rq_cpu, sizeof(cpu)) ||
		 (u32)cpu >= nr_cpu_ids)
		return false;
	place->cpu = cpu;
	place->queue = queue_of(place->group, cpu);
	return place->queue && read_word(place->queue, offset.queue_rq, &own) && own == rq &&
	       !copy_from_kernel_nofault(&place->count, place->queue + offset.queue_count,
					 sizeof(place->count));
}

/* The name of a cgroup of version 1 may be changed and freed meanwhile. */
static u32 own_path(const struct place *place)
{
	const struct cgroup_subsys_state *css = place->group + offset.group_css;
	struct cgroup *cgroup = READ_ONCE(css->cgroup);

	return cgroup && cgroup->root == &cgrp_dfl_root ? kprof_cgroup_path_of(cgroup) :
							  KPROF_ID_NONE;
}

/*
 * The cgroup that has the limit. The kernel begins with it and goes down: if the group above is
 * throttled by now, and this one is not yet, then the limit is that of one above.
 */
static u32 path_of(const struct place *place)
{
	const void *parent, *queue;
	struct kprof_group *above;
	int count;

	if (!read_word(place->group, offset.group_parent, &parent) || !parent)
		return own_path(place);
	queue = queue_of(parent, place->cpu);
	if (!queue || copy_from_kernel_nofault(&count, queue + offset.queue_count, sizeof(count)) ||
	    count <= 0)
		return own_path(place);
	above = kprof_history_find(&table[place->cpu], queue);
	return above ? above->path : KPROF_ID_NONE;
}

/* Of a call: the run queue's throttle_count is still what it was before. */
static bool is_about(struct pt_regs *regs, int count, struct place *place)
{
	if (!READ_ONCE(kprof_running))
		return false;
	if (!look(regs, place)) {
		WRITE_ONCE(odd, odd + 1);
		return false;
	}
	if (!READ_ONCE(kprof_throttle_seen))
		WRITE_ONCE(kprof_throttle_seen, true);
	return place->count == count;
}

static int on_down(struct kprobe *probe, struct pt_regs *regs)
{
	const u64 now = kprof_clock();
	struct place place;

	if (is_about(regs, 0, &place))
		kprof_history_begin(&table[place.cpu], place.queue, path_of(&place), now);
	return 0;
}
NOKPROBE_SYMBOL(on_down);

static int on_up(struct kprobe *probe, struct pt_regs *regs)
{
	const u64 now = kprof_clock();
	struct place place;

	if (is_about(regs, 1, &place))
		kprof_history_end(&table[place.cpu], place.queue, now);
	return 0;
}
NOKPROBE_SYMBOL(on_up);

static struct kprobe down_probe, up_probe;

/**
 * kprof_throttle_holds() - is a task throttled that is switched from, and could go on
 * @task:	the task
 *
 * Where throttling is the group's, se.on_rq tells that the task is one of the fair scheduler's:
 * limits are nothing to others.
 *
 * Context: at the tracepoint sched_switch; kprof_throttle_seen was seen set. Return: whether it is.
 */
bool kprof_throttle_holds(const struct task_struct *task)
{
	if (offset.task_throttled >= 0)
		return READ_ONCE(*(const u8 *)((const void *)task + offset.task_throttled));
	return task->se.on_rq && count_of(task->se.cfs_rq) > 0;
}
NOKPROBE_SYMBOL(kprof_throttle_holds);

/* The nearest run queue of those that a task's is in which was ever throttled. */
static struct kprof_group *group_of(const struct task_struct *task,
				    struct kprof_history *history)
{
	const struct sched_entity *se;
	struct kprof_group *group;

	for (se = &task->se; se; se = se->parent) {
		group = kprof_history_find(history, se->cfs_rq);
		if (group)
			return group;
	}
	return NULL;
}

/* The task was throttled when its wait began, and another CPU runs it now. */
static void look_elsewhere(const struct task_struct *task, u64 now, u64 wait,
			   struct kprof_throttled *found)
{
	const struct sched_entity *se;
	const void *queue;
	u32 cpu;

	for_each_online_cpu(cpu) {
		for (se = &task->se; se; se = se->parent) {
			queue = queue_of(word_at(se->cfs_rq, offset.queue_group), cpu);
			if (queue && kprof_history_read(&table[cpu], queue, now, wait, found))
				return;
		}
	}
	*found = (struct kprof_throttled) { };
}

/* How long a task that was blocked has been waiting for a CPU; 0 if the kernel does not tell. */
static u64 queued_for(const struct task_struct *task)
{
#ifdef CONFIG_SCHED_INFO
	const void *rq = word_at(task->se.cfs_rq, offset.queue_rq);
	const u64 clock = READ_ONCE(*(const u64 *)(rq + offset.rq_clock));
	const u64 since = task->sched_info.last_queued;

	return since && since < clock ? clock - since : 0;
#else
	return 0;
#endif
}

/* Where tasks are throttled, one that runs is not, whatever its group is by now. */
static bool still_throttled(const struct kprof_group *group)
{
	return offset.task_throttled < 0 && count_of(group->queue) > 0;
}

static bool is_blocked(u8 state)
{
	return state >= KPROF_STATE_IO;
}

/**
 * kprof_throttle_find() - how much of a wait that is over a task was throttled
 * @task:	the task, which is switched to
 * @state:	enum kprof_state where the wait began
 * @now:	kprof_clock()
 * @ns:		how long it waited
 * @found:	filled in
 *
 * Of a task that was throttled where the wait began, and of whose group nothing is known, as it was
 * throttled before kprof began to watch, the whole wait counts. Of a task that was blocked, only
 * the time counts since it was woken.
 *
 * Context: at the tracepoint sched_switch; kprof_throttle_seen was seen set.
 */
void kprof_throttle_find(const struct task_struct *task, u8 state, u64 now, u64 ns,
			 struct kprof_throttled *found)
{
	struct kprof_group *group;
	u64 wait = ns;

	*found = (struct kprof_throttled) { };
	if (offset.task_throttled >= 0 ? state != KPROF_STATE_THROTTLED : !task->se.on_rq)
		return;
	if (is_blocked(state))
		wait = min(ns, queued_for(task));
	group = group_of(task, &table[raw_smp_processor_id()]);
	if (group)
		kprof_history_add_up(group, now, wait, still_throttled(group), found);
	if (found->ns || state != KPROF_STATE_THROTTLED)
		return;
	look_elsewhere(task, now, wait, found);
	if (!found->ns)
		found->ns = ns;
}
NOKPROBE_SYMBOL(kprof_throttle_find);

static bool find_offset(const struct kprof_btf *btf, const char *name, const char *member, int *at)
{
	*at = kprof_btf_offset(btf, name, member);
	return *at >= 0;
}

/* Return: why that is not possible; NULL if it is. */
static const char *find_offsets(void)
{
	const struct kprof_btf *btf = kprof_btf_of("");

	if (!btf)
		return "this kernel has no BTF";
	if (!find_offset(btf, "task_group", "css", &offset.group_css) ||
	    !find_offset(btf, "task_group", "parent", &offset.group_parent) ||
	    !find_offset(btf, "task_group", "cfs_rq", &offset.group_queues) ||
	    !find_offset(btf, "cfs_rq", "tg", &offset.queue_group) ||
	    !find_offset(btf, "cfs_rq", "rq", &offset.queue_rq) ||
	    !find_offset(btf, "cfs_rq", "throttle_count", &offset.queue_count) ||
	    !find_offset(btf, "rq", "clock", &offset.rq_clock) ||
	    (IS_ENABLED(CONFIG_SMP) && !find_offset(btf, "rq", "cpu", &offset.rq_cpu)))
		return "BTF does not tell where the scheduler keeps it";
	if (find_offset(btf, "task_struct", "throttled", &offset.task_throttled))
		return NULL;
	/* What is not there in a kernel that throttles tasks would be misread. */
	return kprof_btf_offset(btf, "task_struct", "sched_throttle_work") < 0 ? NULL :
	       "BTF does not tell whether a task is throttled";
}

/**
 * kprof_throttle_forget() - forget when groups were throttled
 *
 * Context: kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_throttle_forget(void)
{
	if (table)
		memset(table, 0, nr_cpu_ids * sizeof(*table));
	odd = 0;
}

static const char *start(void)
{
	const size_t bytes = nr_cpu_ids * sizeof(*table);
	const char *why = find_offsets();

	if (why)
		return why;
	if (!table && kprof_is_available(bytes))
		table = vzalloc(bytes);
	if (!table)
		return "no memory";
	kprof_throttle_forget();	/* what began when it was watched last */
	down_probe = (struct kprobe) { .symbol_name = "tg_throttle_down", .pre_handler = on_down };
	up_probe = (struct kprobe) { .symbol_name = "tg_unthrottle_up", .pre_handler = on_up };
	if (register_kprobe(&up_probe))
		return "no kprobe at tg_unthrottle_up";
	if (!register_kprobe(&down_probe))
		return NULL;
	unregister_kprobe(&up_probe);
	return "no kprobe at tg_throttle_down";
}

/**
 * kprof_throttle_watch() - watch when groups are throttled
 *
 * If that is not possible, "stats" tells so.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_throttle_watch(void)
{
	if (users++)
		return;
	unknown = start();
	is_watched = !unknown;
}

/**
 * kprof_throttle_unwatch() - undo kprof_throttle_watch()
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_throttle_unwatch(void)
{
	if (--users || !is_watched)
		return;
	is_watched = false;
	unregister_kprobe(&down_probe);
	unregister_kprobe(&up_probe);
	WRITE_ONCE(kprof_throttle_seen, false);
}

/**
 * kprof_throttle_state() - is it known when groups are throttled
 *
 * Context: kprof_mutex is held. Return: "watched", "not watched", or why it cannot be known.
 */
const char *kprof_throttle_state(void)
{
	return is_watched ? "watched" : users ? unknown : "not watched";
}

/**
 * kprof_throttle_lost() - number of times that what was noted of a group was lost, or was not noted
 *
 * Context: kprof_mutex is held. Return: the number since groups are watched.
 */
u64 kprof_throttle_lost(void)
{
	u64 lost = READ_ONCE(odd) + (is_watched ? down_probe.nmissed + up_probe.nmissed : 0);
	u32 cpu;

	for (cpu = 0; table && cpu < nr_cpu_ids; cpu++)
		lost += READ_ONCE(table[cpu].lost);
	return lost;
}

/**
 * kprof_throttle_exit() - free what was noted
 *
 * Context: sleeps; no point is attached or passed any more.
 */
void kprof_throttle_exit(void)
{
	vfree(table);
	table = NULL;
}

#else /* !CONFIG_CFS_BANDWIDTH */

bool kprof_throttle_holds(const struct task_struct *task)
{
	return false;
}

void kprof_throttle_find(const struct task_struct *task, u8 state, u64 now, u64 ns,
			 struct kprof_throttled *found)
{
	*found = (struct kprof_throttled) { };
}

void kprof_throttle_watch(void) { }
void kprof_throttle_unwatch(void) { }
void kprof_throttle_forget(void) { }
void kprof_throttle_exit(void) { }

u64 kprof_throttle_lost(void)
{
	return 0;
}

const char *kprof_throttle_state(void)
{
	return "this kernel has no CPU limits (CONFIG_CFS_BANDWIDTH)";
}

#endif
