// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces.c - the address spaces there are, and what is mapped executable in each
 *
 * Found by the address of its mm, which is held (not its memory: that goes with its last user),
 * so that no other one comes to the same place. Those without users are let go in passing.
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "user/maps.h"
#include "user/user.h"

#define SPACE_BITS	10
#define FIRST_SWEEP	64

/**
 * struct space - an address space
 * @node:	in the table
 * @rcu:	by which it is freed
 * @mm:		held by mmgrab()
 * @maps:	what is mapped
 * @lock:	who looks at it later puts what he saw here later
 */
struct space {
	struct hlist_node node;
	struct rcu_head rcu;
	struct mm_struct *mm;
	struct kprof_maps __rcu *maps;
	struct mutex lock;	/* around looking, and putting what was seen into maps */
};

static DEFINE_HASHTABLE(table, SPACE_BITS);
static DECLARE_RWSEM(sem);		/* read: the table is in use; write: opened or closed */
static DEFINE_MUTEX(table_lock);	/* inside sem; who adds and removes */
static bool is_open;
static u32 used, next_sweep;
static atomic64_t failed;

static struct space *find(const struct mm_struct *mm)
{
	struct space *space;

	hash_for_each_possible_rcu_notrace(table, space, node, (unsigned long)mm)
		if (space->mm == mm)
			return space;
	return NULL;
}

static void remove(struct space *space)
{
	hash_del_rcu(&space->node);
	kvfree_rcu(rcu_dereference_protected(space->maps, true), rcu);
	mmdrop(space->mm);
	kfree_rcu(space, rcu);
	WRITE_ONCE(used, used - 1);
}

/* Let go those without users, who do not come back; often enough for half of all to be alive. */
static void sweep(void)
{
	struct hlist_node *next;
	struct space *space;
	u32 i;

	hash_for_each_safe(table, i, next, space, node)
		if (!atomic_read(&space->mm->mm_users))
			remove(space);
	next_sweep = 2 * used + FIRST_SWEEP;
}

static struct space *add(struct mm_struct *mm)
{
	struct space *space;

	if (used >= next_sweep)
		sweep();
	space = kzalloc(sizeof(*space), GFP_KERNEL);
	if (!space)
		return NULL;
	mmgrab(mm);
	space->mm = mm;
	mutex_init(&space->lock);
	hash_add_rcu(table, &space->node, (unsigned long)mm);
	WRITE_ONCE(used, used + 1);
	return space;
}

static struct space *find_or_add(struct mm_struct *mm)
{
	struct space *space;

	mutex_lock(&table_lock);
	space = find(mm) ?: add(mm);
	mutex_unlock(&table_lock);
	return space;
}

static void replace_maps(struct space *space, pid_t tgid)
{
	struct kprof_maps *maps;

	mutex_lock(&space->lock);
	maps = kprof_maps_make(space->mm, tgid);
	if (maps)
		maps = rcu_replace_pointer(space->maps, maps, lockdep_is_held(&space->lock));
	else
		atomic64_inc(&failed);
	mutex_unlock(&space->lock);
	if (maps)
		kvfree_rcu(maps, rcu);
}

/**
 * kprof_spaces_update() - look anew at what is mapped in an address space
 * @mm:		the address space, of which the caller is, or holds, a user
 * @task:	whose it is
 *
 * Context: sleeps, without a lock of mm.
 */
void kprof_spaces_update(struct mm_struct *mm, struct task_struct *task)
{
	struct space *space;

	down_read(&sem);
	if (is_open) {
		space = find_or_add(mm);
		if (space)
			replace_maps(space, task_tgid_nr(task));
		else
			atomic64_inc(&failed);
	}
	up_read(&sem);
}

/**
 * kprof_spaces_find() - what is mapped executable in an address space
 * @mm:		the address space
 *
 * Context: any, NMI included; preemption is disabled, and what is returned is good for so long.
 * Return: NULL where that is not known.
 */
const struct kprof_maps *kprof_spaces_find(const struct mm_struct *mm)
{
	const struct space *space = find(mm);

	return space ? rcu_dereference_sched_check(space->maps, true) : NULL;
}

/**
 * kprof_spaces_open() - from now on address spaces are remembered
 *
 * Context: sleeps.
 */
void kprof_spaces_open(void)
{
	down_write(&sem);
	next_sweep = FIRST_SWEEP;
	is_open = true;
	up_write(&sem);
}

/**
 * kprof_spaces_close() - forget all of them
 *
 * Context: sleeps; nobody takes a user stack any more.
 */
void kprof_spaces_close(void)
{
	struct hlist_node *next;
	struct space *space;
	u32 i;

	down_write(&sem);
	is_open = false;
	hash_for_each_safe(table, i, next, space, node)
		remove(space);
	up_write(&sem);
}

/**
 * kprof_spaces_nr() - how many address spaces are remembered
 *
 * Context: any. Return: the number.
 */
u32 kprof_spaces_nr(void)
{
	return READ_ONCE(used);
}

/**
 * kprof_spaces_failed() - how often an address space could not be looked at
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_spaces_failed(void)
{
	return atomic64_read(&failed);
}
