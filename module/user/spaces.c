// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces.c - the known address spaces, and the executable mappings in each
 *
 * An address space is found by the address of its mm. mmgrab() holds the mm, so that this address
 * is not reused (but not its memory, which goes with its last user). Address spaces without users
 * are removed in passing.
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
 * @rcu:	frees it after an RCU grace period
 * @mm:		held by mmgrab()
 * @maps:	its mappings
 * @lock:	makes those who look at the mappings later also store them later
 */
struct space {
	struct hlist_node node;
	struct rcu_head rcu;
	struct mm_struct *mm;
	struct kprof_maps __rcu *maps;
	struct mutex lock;	/* held while looking at the mappings, and storing them in maps */
};

static DEFINE_HASHTABLE(table, SPACE_BITS);
static DECLARE_RWSEM(sem);		/* read: the table is in use; write: opened or closed */
static DEFINE_MUTEX(table_lock);	/* inside sem; held to add and remove */
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

/* Remove address spaces without users. Done often enough that about half of all are in use. */
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
 * kprof_spaces_update() - record again what is mapped in an address space
 * @mm:		the address space; the caller is, or holds, a user of it
 * @task:	a task that has it
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
 * kprof_spaces_find() - the executable mappings in an address space
 * @mm:		the address space
 *
 * Context: any, NMI included; preemption is disabled, and the result is valid for as long.
 * Return: the mappings; NULL if they are not known.
 */
const struct kprof_maps *kprof_spaces_find(const struct mm_struct *mm)
{
	const struct space *space = find(mm);

	return space ? rcu_dereference_sched_check(space->maps, true) : NULL;
}

/**
 * kprof_spaces_open() - start recording address spaces
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
 * kprof_spaces_close() - stop recording, and remove all address spaces
 *
 * Context: sleeps; no more user stacks are taken.
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
 * kprof_spaces_nr() - number of address spaces recorded
 *
 * Context: any. Return: the number.
 */
u32 kprof_spaces_nr(void)
{
	return READ_ONCE(used);
}

/**
 * kprof_spaces_failed() - number of times that an address space could not be recorded
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_spaces_failed(void)
{
	return atomic64_read(&failed);
}
