/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcupdate.h - RCU, for the host: what is freed stays until a test ends the grace period
 */
#ifndef KPROF_SHIM_RCUPDATE_H
#define KPROF_SHIM_RCUPDATE_H

#include <stddef.h>
#include <linux/atomic.h>
#include <linux/vmalloc.h>

#define __rcu

struct rcu_head {
	struct rcu_head *next;
	void *memory;
};

static struct rcu_head *shim_rcu_freed;
static unsigned long shim_rcu_period = 1;

static inline void shim_rcu_free(struct rcu_head *head, void *memory)
{
	head->memory = memory;
	head->next = shim_rcu_freed;
	shim_rcu_freed = head;
}

static inline void shim_rcu_end_period(void)
{
	struct rcu_head *head, *next;

	for (head = shim_rcu_freed; head; head = next) {
		next = head->next;
		vfree(head->memory);
	}
	shim_rcu_freed = NULL;
	shim_rcu_period++;
}

static inline void rcu_read_lock(void)
{
}

static inline void rcu_read_unlock(void)
{
}

#define kfree_rcu(pointer, head) \
	shim_rcu_free((void *)((char *)(pointer) + offsetof(__typeof__(*(pointer)), head)), \
		      (pointer))
#define kvfree_rcu(pointer, head)	kfree_rcu(pointer, head)
#define get_state_synchronize_rcu()	shim_rcu_period
#define poll_state_synchronize_rcu(at)	(shim_rcu_period > (at))
/* Whoever gets the pointer sees what it points to. */
#define rcu_assign_pointer(to, pointer)	smp_store_release(&(to), pointer)
/* As above. */
#define rcu_dereference_raw(pointer)	smp_load_acquire(&(pointer))
#define rcu_dereference_sched_check(pointer, condition)	rcu_dereference_raw(pointer)
#define rcu_dereference_protected(pointer, condition)	(pointer)
#define preempt_disable()	do { } while (0)
#define preempt_enable()	do { } while (0)

#endif /* KPROF_SHIM_RCUPDATE_H */
