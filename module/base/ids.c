// SPDX-License-Identifier: GPL-2.0-only
/*
 * ids.c - ids of processes and threads, translated between PID namespaces
 */
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "base/ids.h"

#define OUTSIDE	"outside:"

struct pid_namespace *kprof_ids_ns;

/*
 * The task of this CPU that was translated last: its id in the initial namespace, and below that
 * the one in kprof_ids_ns. A thread gives up its ids before it runs for the last time, and samples
 * of it may come after that.
 */
static DEFINE_PER_CPU(u64, translated);

/* As pid_nr_ns(), which a sample cannot call: it may itself be watched. */
static u32 number_in(const struct pid *pid, const struct pid_namespace *ns)
{
	if (ns->level > pid->level || pid->numbers[ns->level].ns != ns)
		return 0;
	return pid->numbers[ns->level].nr;
}

/**
 * kprof_id_within() - the id of a thread in kprof_ids_ns, which is not the initial namespace
 * @task:	a task that cannot go away meanwhile
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: the id; with KPROF_PID_OUTSIDE, the id in the initial namespace.
 */
u32 kprof_id_within(const struct task_struct *task)
{
	const struct pid_namespace *ns = READ_ONCE(kprof_ids_ns);
	const struct pid *pid;
	u32 number = 0;
	u64 last;

	/* The idle tasks have no id in any namespace. */
	if (!task->pid || !ns)
		return task->pid;
	/* Disabled preemption is enough for RCU; rcu_read_lock() may itself be probed. */
	pid = READ_ONCE(task->thread_pid);
	if (pid) {
		number = number_in(pid, ns);
		if (number && task == current)
			this_cpu_write(translated, (u64)task->pid << 32 | number);
	} else {
		last = this_cpu_read(translated);
		if (last >> 32 == task->pid)
			number = (u32)last;
	}
	return number ?: KPROF_PID_OUTSIDE | task->pid;
}

/**
 * kprof_id_of_process() - the id of a task's process, as samples have it
 * @task:	a task that cannot go away meanwhile
 *
 * Context: any but NMI. Return: as kprof_id_of().
 */
u32 kprof_id_of_process(struct task_struct *task)
{
	struct pid_namespace *ns = READ_ONCE(kprof_ids_ns);
	u32 number;

	if (!ns)
		return task->tgid;
	number = task_tgid_nr_ns(task, ns);
	return number ?: KPROF_PID_OUTSIDE | task->tgid;
}

static struct pid_namespace *namespace_of_samples(void)
{
	return kprof_ids_ns ?: &init_pid_ns;
}

/**
 * kprof_ids_are_of_writer() - have samples the ids of the current task's namespace
 *
 * Context: kprof_mutex is held. Return: whether they have.
 */
bool kprof_ids_are_of_writer(void)
{
	return task_active_pid_ns(current) == namespace_of_samples();
}

static void let_go(struct pid_namespace *ns)
{
	if (ns)
		put_pid_ns(ns);
}

/**
 * kprof_ids_take() - samples have ids of the current task's namespace from now on
 *
 * The namespace is held until another one takes its place: samples would not know it again.
 *
 * Context: sleeps; kprof_mutex is held, and nothing takes samples.
 */
void kprof_ids_take(void)
{
	struct pid_namespace *ns = task_active_pid_ns(current);
	int cpu;

	let_go(kprof_ids_ns);
	WRITE_ONCE(kprof_ids_ns, ns == &init_pid_ns ? NULL : get_pid_ns(ns));
	for_each_possible_cpu(cpu)
		per_cpu(translated, cpu) = 0;
}

/**
 * kprof_ids_exit() - let go of the namespace
 *
 * Context: sleeps; kprof_mutex is held, and nothing takes samples any more.
 */
void kprof_ids_exit(void)
{
	let_go(kprof_ids_ns);
	kprof_ids_ns = NULL;
}

/**
 * kprof_ids_number() - the number of the namespace that ids of samples are of
 *
 * Context: kprof_mutex is held. Return: the inode number of /proc/PID/ns/pid there.
 */
u32 kprof_ids_number(void)
{
	return namespace_of_samples()->ns.inum;
}

/**
 * kprof_id_namespace_of_writer() - the number of the current task's PID namespace
 *
 * Context: task. Return: the inode number of /proc/self/ns/pid.
 */
u32 kprof_id_namespace_of_writer(void)
{
	return task_active_pid_ns(current)->ns.inum;
}

/**
 * kprof_id_parse() - translate an id that the current task has written
 * @text:	a number of its namespace; or "outside:" and a number of the initial namespace
 * @id:		set to the id in the initial namespace
 *
 * A process of the initial namespace may be named before there is one of that id. In another
 * namespace there is nothing to translate then.
 *
 * Context: task. Return: 0; -EINVAL if that is no id; -ESRCH if the namespace has none.
 */
int kprof_id_parse(const char *text, u32 *id)
{
	bool is_initial = task_active_pid_ns(current) == &init_pid_ns;
	struct pid *pid;

	if (!strncmp(text, OUTSIDE, strlen(OUTSIDE))) {
		is_initial = true;
		text += strlen(OUTSIDE);
	}
	if (kstrtou32(text, 0, id) || !*id || *id > PID_MAX_LIMIT)
		return -EINVAL;
	if (is_initial)
		return 0;
	rcu_read_lock();
	pid = find_vpid(*id);
	*id = pid_nr(pid);
	rcu_read_unlock();
	return *id ? 0 : -ESRCH;
}

/**
 * kprof_id_print() - the id of a sample as text
 * @id:		what kprof_id_of() has returned
 * @text:	where the text goes
 *
 * Context: any.
 */
void kprof_id_print(u32 id, char text[KPROF_ID_TEXT])
{
	snprintf(text, KPROF_ID_TEXT, "%s%u", id & KPROF_PID_OUTSIDE ? OUTSIDE : "",
		 id & ~KPROF_PID_OUTSIDE);
}

/**
 * kprof_id_print_for_reader() - an id as text, for the current task
 * @id:		an id in the initial namespace
 * @text:	where the text goes, which kprof_id_parse() takes
 *
 * Context: task.
 */
void kprof_id_print_for_reader(pid_t id, char text[KPROF_ID_TEXT])
{
	u32 number = id;

	if (task_active_pid_ns(current) != &init_pid_ns) {
		rcu_read_lock();
		number = pid_vnr(find_pid_ns(id, &init_pid_ns));
		rcu_read_unlock();
	}
	kprof_id_print(number ?: KPROF_PID_OUTSIDE | id, text);
}
