/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ids.h - ids of processes and threads, translated between PID namespaces
 *
 * A process has one id in each PID namespace that it is in: its own, and all those around it. A
 * user knows the ids of his own namespace. So an id that a user writes is translated when it is
 * written, and kept as the id in the initial namespace, which every process has. Samples are
 * different: a process may have ended when its samples are read, and then nobody can translate its
 * id. So samples have ids of the namespace of whoever set a parameter, or started sampling, last:
 * kprof_ids_ns.
 *
 * A process that is not in that namespace is shown as "outside:N", where N is its id in the
 * initial namespace. This can also be written wherever an id is.
 */
#ifndef KPROF_IDS_H
#define KPROF_IDS_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "uapi/kprof.h"

#define KPROF_ID_TEXT	24	/* room for an id as text */

struct pid_namespace;

/* The namespace that ids of samples are of; NULL: the initial one. Changes when nothing samples. */
extern struct pid_namespace *kprof_ids_ns;

u32 kprof_id_within(const struct task_struct *task);

/**
 * kprof_id_of() - the id of a thread, as samples have it
 * @task:	a task that cannot go away meanwhile
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: the id; with KPROF_PID_OUTSIDE, the id in the initial namespace.
 */
static __always_inline u32 kprof_id_of(const struct task_struct *task)
{
	return likely(!READ_ONCE(kprof_ids_ns)) ? (u32)task->pid : kprof_id_within(task);
}

u32 kprof_id_of_process(struct task_struct *task);
bool kprof_ids_are_of_writer(void);
void kprof_ids_take(void);
void kprof_ids_exit(void);
u32 kprof_ids_number(void);
u32 kprof_id_namespace_of_writer(void);

int kprof_id_parse(const char *text, u32 *id);
void kprof_id_print(u32 id, char text[KPROF_ID_TEXT]);
void kprof_id_print_for_reader(pid_t id, char text[KPROF_ID_TEXT]);

#endif /* KPROF_IDS_H */
