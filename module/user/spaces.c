// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces.c - the known address spaces, and the executable mappings in each
 *
 * An address space is found by the address of its mm. mmgrab() holds the mm, so that this address
 * is not reused (but not its memory, which goes with its last user). Address spaces without users
 * are removed in passing.
 *
 * Mappings are looked at without a lock of this file: that asks file systems, which may take as
 * long as they like. Nobody who stops the profiler waits for them.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "base/ids.h"
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
 * @ticket:	of the one who has looked at them
 */
struct space {
	struct hlist_node node;
	struct rcu_head rcu;
	struct mm_struct *mm;
	struct kprof_maps __rcu *maps;
	u64 ticket;
};

/* @lock is held to change any of these; nobody who holds it waits for anything but a CPU. */
static DEFINE_MUTEX(lock);
static DEFINE_HASHTABLE(table, SPACE_BITS);
static bool is_open;
static u64 opened;	/* a ticket; those before it are of an earlier start, as their maps are */
static u32 used, next_sweep;
static atomic64_t tickets;
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

static void add(struct space *space, struct mm_struct *mm)
{
	if (used >= next_sweep)
		sweep();
	mmgrab(mm);
	space->mm = mm;
	hash_add_rcu(table, &space->node, (unsigned long)mm);
	WRITE_ONCE(used, used + 1);
}

/*
 * Whoever has the later ticket has looked later, so at everything that those before had to
 * report. Return: the maps that are not needed any more.
 */
static struct kprof_maps *store(struct space *space, struct kprof_maps *maps, u64 ticket)
{
	if (ticket < space->ticket)
		return maps;
	space->ticket = ticket;
	return rcu_replace_pointer(space->maps, maps, lockdep_is_held(&lock));
}

/**
 * kprof_spaces_update() - record again what is mapped in an address space
 * @mm:		the address space; the caller is, or holds, a user of it
 * @task:	a task that has it
 * @until:	in jiffies, until when to try where others have locked it
 *
 * Does nothing where no address spaces are recorded. If there is no memory, that is counted.
 *
 * Context: sleeps, without a lock of mm. Return: false if it was locked all the time.
 */
bool kprof_spaces_update(struct mm_struct *mm, struct task_struct *task, unsigned long until)
{
	struct space *fresh, *space;
	struct kprof_maps *maps;
	u64 ticket;

	if (!READ_ONCE(is_open))
		return true;
	ticket = atomic64_inc_return(&tickets);
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
	maps = fresh ? kprof_maps_make(mm, kprof_id_of_process(task), until) : NULL;
	if (PTR_ERR(maps) == -EAGAIN) {
		kfree(fresh);
		return !READ_ONCE(is_open);
	}
	if (!maps)
		atomic64_inc(&failed);
	mutex_lock(&lock);
	if (maps && is_open && ticket > opened) {
		space = find(mm);
		if (!space) {
			space = fresh;
			fresh = NULL;
			add(space, mm);
		}
		maps = store(space, maps, ticket);
	}
	mutex_unlock(&lock);
	kfree(fresh);
	if (maps)
		kvfree_rcu(maps, rcu);
	return true;
}

/**
 * kprof_spaces_are_open() - are address spaces recorded
 *
 * Context: any. Return: whether they are.
 */
bool kprof_spaces_are_open(void)
{
	return READ_ONCE(is_open);
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
	mutex_lock(&lock);
	next_sweep = FIRST_SWEEP;
	opened = atomic64_inc_return(&tickets);
	WRITE_ONCE(is_open, true);
	mutex_unlock(&lock);
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

	mutex_lock(&lock);
	WRITE_ONCE(is_open, false);
	hash_for_each_safe(table, i, next, space, node)
		remove(space);
	mutex_unlock(&lock);
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
