// SPDX-License-Identifier: GPL-2.0-only
/*
 * spaces.c - the known address spaces, and the executable mappings in each
 *
 * An address space is found by the address of its mm. mmgrab() holds the mm, so that this address
 * is not reused (but not its memory, which goes with its last user). Address spaces without users
 * are removed from time to time, and in passing.
 *
 * Mappings are looked at without a lock of this file: that asks file systems, which may take as
 * long as they like. Nobody who stops the profiler waits for them.
 *
 * There may be some hundred address spaces, or a hundred thousand, and samples search for one in
 * NMI. So they are divided into shards, each with its own lock and as many buckets as it needs.
 * An address space is linked into two tables in turn: the one in use, and the one that replaces it
 * when there are too many for it. So a search finds it in either, and never a table that is half
 * made.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "user/maps.h"
#include "user/user.h"

#define SHARD_BITS	6
#define NR_SHARDS	BIT(SHARD_BITS)
#define FIRST_BITS	4	/* buckets of a shard */
#define MAX_BITS	16
#define FIRST_SWEEP	4

/* In a window of time, a process may leave so many bytes of old mappings to RCU. */
#define WINDOW		(HZ / 10 ?: 1)
#define ALLOWANCE	SZ_1M

/**
 * struct space - an address space
 * @node:	in the tables
 * @rcu:	frees it after an RCU grace period
 * @mm:		held by mmgrab()
 * @maps:	its mappings
 * @changes:	number of times that something was mapped, or is not mapped any more
 * @ticket:	of the one who has looked at them
 * @window:	when the time for which @spent counts began, in jiffies
 * @spent:	bytes of old mappings
 */
struct space {
	struct hlist_node node[2];
	struct rcu_head rcu;
	struct mm_struct *mm;
	struct kprof_maps __rcu *maps;
	atomic_t changes;
	u64 ticket;
	unsigned long window;
	size_t spent;
};

/**
 * struct buckets - the table of a shard
 * @rcu:	frees it after an RCU grace period
 * @bits:	number of bits of a bucket's number
 * @which:	which of its nodes links an address space
 * @head:	the buckets
 */
struct buckets {
	struct rcu_head rcu;
	u32 bits;
	u32 which;
	struct hlist_head head[];
};

/**
 * struct shard - a part of all address spaces
 * @lock:	held to change any of these; nobody who holds it waits for anything but a CPU
 * @buckets:	its table; NULL: there is none
 * @replaced:	an RCU grace period that has to be over before the table is replaced again
 * @used:	number of address spaces
 * @next_sweep:	if there are so many, those without users are removed
 */
struct shard {
	struct mutex lock;	/* see above */
	struct buckets __rcu *buckets;
	unsigned long replaced;
	u32 used;
	u32 next_sweep;
};

static struct shard shards[NR_SHARDS];
static bool is_open;
static u64 opened;	/* a ticket; those before it are of an earlier start, as their maps are */
static atomic64_t tickets;
static atomic64_t failed, limited;

static void sweep_all(struct work_struct *unused);
static DECLARE_DELAYED_WORK(sweeper, sweep_all);

static u32 hash_of(const struct mm_struct *mm)
{
	return hash_ptr(mm, 32);
}

static struct shard *shard_of(u32 hash)
{
	return &shards[hash >> (32 - SHARD_BITS)];
}

static struct hlist_head *bucket_of(struct buckets *buckets, u32 hash)
{
	return &buckets->head[hash & ((1U << buckets->bits) - 1)];
}

static struct buckets *buckets_of(struct shard *shard)
{
	return rcu_dereference_protected(shard->buckets, lockdep_is_held(&shard->lock));
}

static struct space *find(const struct mm_struct *mm)
{
	u32 hash = hash_of(mm);
	struct buckets *buckets = rcu_dereference_raw(shard_of(hash)->buckets);
	struct space *space;

	if (!buckets)
		return NULL;
	hlist_for_each_entry_rcu_notrace(space, bucket_of(buckets, hash), node[buckets->which])
		if (space->mm == mm)
			return space;
	return NULL;
}

static void remove(struct shard *shard, struct space *space)
{
	hlist_del_rcu(&space->node[buckets_of(shard)->which]);
	kprof_maps_free(rcu_dereference_protected(space->maps, true));
	mmdrop(space->mm);
	kfree_rcu(space, rcu);
	WRITE_ONCE(shard->used, shard->used - 1);
}

/* Remove the address spaces without users, or all. */
static void sweep(struct shard *shard, bool all)
{
	struct buckets *buckets = buckets_of(shard);
	struct hlist_node *next;
	struct space *space;
	u32 i;

	for (i = 0; buckets && i < 1U << buckets->bits; i++)
		hlist_for_each_entry_safe(space, next, &buckets->head[i], node[buckets->which])
			if (all || !atomic_read(&space->mm->mm_users))
				remove(shard, space);
	shard->next_sweep = 2 * shard->used + FIRST_SWEEP;
}

/* What dead processes had mapped is freed within some seconds. This takes a hundredth of a CPU. */
static void sweep_all(struct work_struct *unused)
{
	unsigned long begin = jiffies;
	u32 i;

	for (i = 0; i < NR_SHARDS; i++) {
		mutex_lock(&shards[i].lock);
		sweep(&shards[i], false);
		mutex_unlock(&shards[i].lock);
		cond_resched();
	}
	queue_delayed_work(system_dfl_wq, &sweeper,
			   max_t(unsigned long, HZ, 100 * (jiffies - begin)));
}

static void add(struct shard *shard, struct space *space, struct mm_struct *mm)
{
	struct buckets *buckets;

	if (shard->used >= shard->next_sweep)
		sweep(shard, false);
	buckets = buckets_of(shard);
	mmgrab(mm);
	space->mm = mm;
	space->window = jiffies;
	hlist_add_head_rcu(&space->node[buckets->which], bucket_of(buckets, hash_of(mm)));
	WRITE_ONCE(shard->used, shard->used + 1);
}

/* Is what was looked at with this ticket of this start? With the lock of the shard. */
static bool is_current(u64 ticket)
{
	/* Pairs with kprof_spaces_open(). */
	return smp_load_acquire(&is_open) && ticket > READ_ONCE(opened);
}

/* Are there more address spaces than twice the buckets, and may the table be replaced? */
static bool is_crowded(struct shard *shard)
{
	struct buckets *buckets = buckets_of(shard);

	return !buckets || (shard->used > 2U << buckets->bits && buckets->bits < MAX_BITS &&
			    poll_state_synchronize_rcu(shard->replaced));
}

static void use_buckets(struct shard *shard, struct buckets *fresh)
{
	struct buckets *old = buckets_of(shard);
	struct space *space;
	u32 i;

	fresh->which = old ? !old->which : 0;
	for (i = 0; old && i < 1U << old->bits; i++)
		hlist_for_each_entry(space, &old->head[i], node[old->which])
			hlist_add_head(&space->node[fresh->which],
				       bucket_of(fresh, hash_of(space->mm)));
	rcu_assign_pointer(shard->buckets, fresh);
	shard->replaced = get_state_synchronize_rcu();
	if (old)
		kvfree_rcu(old, rcu);
}

/* If there is no memory for a larger table, the one in use is as good, only slower. */
static void make_room(struct shard *shard)
{
	struct buckets *fresh;
	u32 bits = 0;

	mutex_lock(&shard->lock);
	if (is_crowded(shard))
		bits = shard->buckets ? min(buckets_of(shard)->bits + 2, MAX_BITS) : FIRST_BITS;
	mutex_unlock(&shard->lock);
	if (!bits)
		return;
	fresh = kvzalloc(struct_size(fresh, head, 1UL << bits), GFP_KERNEL);
	if (!fresh)
		return;
	fresh->bits = bits;
	mutex_lock(&shard->lock);
	if (is_open && is_crowded(shard) && (!shard->buckets || bits > buckets_of(shard)->bits)) {
		use_buckets(shard, fresh);
		fresh = NULL;
	}
	mutex_unlock(&shard->lock);
	kvfree(fresh);
}

static bool is_new_window(const struct space *space)
{
	return time_after(jiffies, READ_ONCE(space->window) + WINDOW);
}

static void account(struct space *space, size_t bytes)
{
	if (is_new_window(space)) {
		space->spent = 0;
		WRITE_ONCE(space->window, jiffies);
	}
	WRITE_ONCE(space->spent, space->spent + bytes);
}

/*
 * May a process have its mappings recorded again now? If not, what has changed stays unknown until
 * they are. @changes: how many of these changes have happened.
 */
static bool is_allowed(const struct mm_struct *mm, int *changes)
{
	const struct space *space;
	bool is_allowed = true;

	preempt_disable();
	space = find(mm);
	*changes = space ? atomic_read(&space->changes) : 0;
	if (space)
		is_allowed = is_new_window(space) || READ_ONCE(space->spent) < ALLOWANCE;
	preempt_enable();
	return is_allowed;
}

/*
 * Whoever has the later ticket has looked later, so at everything that those before had to
 * report. But what has changed since he began to look, he may not have seen. Return: the maps that
 * are not needed any more.
 */
static struct kprof_maps *store(struct space *space, struct kprof_maps *maps, u64 ticket,
				int changes)
{
	struct kprof_maps *old = rcu_dereference_protected(space->maps, true);

	if (ticket < space->ticket)
		return maps;
	space->ticket = ticket;
	if (old)
		account(space, old->bytes);
	if (old && atomic_read(&space->changes) != changes)
		kprof_maps_spoil(maps, old->dirty_from, old->dirty_to);
	rcu_assign_pointer(space->maps, maps);
	/* Pairs with kprof_spaces_spoil(): either it sees the new maps, or this its change. */
	smp_mb();
	if (old && atomic_read(&space->changes) != changes)
		kprof_maps_spoil(maps, old->dirty_from, old->dirty_to);
	return old;
}

/**
 * kprof_spaces_update() - record again what is mapped in an address space
 * @mm:		the address space; the caller is, or holds, a user of it
 * @task:	a task that has it
 * @until:	in jiffies, until when to try where others have locked it
 *
 * Does nothing where no address spaces are recorded, or if the process does that too often. Then
 * nothing is known of what it has changed. If there is no memory, that is counted.
 *
 * Context: sleeps, without a lock of mm. Return: false if it was locked all the time.
 */
bool kprof_spaces_update(struct mm_struct *mm, struct task_struct *task, unsigned long until)
{
	struct shard *shard = shard_of(hash_of(mm));
	struct space *fresh, *space;
	struct kprof_maps *maps;
	int changes;
	u64 ticket;

	if (!READ_ONCE(is_open))
		return true;
	if (!is_allowed(mm, &changes)) {
		atomic64_inc(&limited);
		return true;
	}
	ticket = atomic64_inc_return(&tickets);
	make_room(shard);
	fresh = kzalloc(sizeof(*fresh), KPROF_GFP_PROCESS);
	maps = fresh ? kprof_maps_make(mm, task, until) : NULL;
	if (PTR_ERR(maps) == -EAGAIN) {
		kfree(fresh);
		return !READ_ONCE(is_open);
	}
	mutex_lock(&shard->lock);
	if (!maps || (is_current(ticket) && !shard->buckets))
		atomic64_inc(&failed);
	if (maps && is_current(ticket) && shard->buckets) {
		space = find(mm);
		if (!space) {
			space = fresh;
			fresh = NULL;
			add(shard, space, mm);
		}
		maps = store(space, maps, ticket, changes);
	}
	mutex_unlock(&shard->lock);
	kfree(fresh);
	kprof_maps_free(maps);
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
 * kprof_spaces_spoil() - what is mapped at some addresses is changing
 * @mm:		the address space
 * @from:	the first address
 * @to:		the first address after them
 *
 * Nothing is known of these addresses from now on, until somebody who begins to look at the
 * mappings later has recorded them.
 *
 * Context: any but NMI; preemption is disabled.
 */
void kprof_spaces_spoil(const struct mm_struct *mm, unsigned long from, unsigned long to)
{
	const struct kprof_maps *maps = NULL, *now;
	struct space *space = find(mm);

	while (space && (now = rcu_dereference_sched_check(space->maps, true)) != maps) {
		maps = now;
		kprof_maps_spoil(maps, from, to);
		/* Ordered on both sides. Pairs with store(). */
		atomic_inc_return(&space->changes);
	}
}

/**
 * kprof_spaces_open() - start recording address spaces
 *
 * Context: sleeps.
 */
void kprof_spaces_open(void)
{
	static bool is_prepared;
	u32 i;

	for (i = 0; i < NR_SHARDS && !is_prepared; i++)
		mutex_init(&shards[i].lock);
	is_prepared = true;
	for (i = 0; i < NR_SHARDS; i++)
		shards[i].next_sweep = FIRST_SWEEP;
	WRITE_ONCE(opened, atomic64_inc_return(&tickets));
	/* Pairs with is_current(). */
	smp_store_release(&is_open, true);
	queue_delayed_work(system_dfl_wq, &sweeper, HZ);
}

static void close_shard(struct shard *shard)
{
	struct buckets *old;

	mutex_lock(&shard->lock);
	sweep(shard, true);
	old = buckets_of(shard);
	rcu_assign_pointer(shard->buckets, NULL);
	mutex_unlock(&shard->lock);
	if (old)
		kvfree_rcu(old, rcu);
}

/**
 * kprof_spaces_close() - stop recording, and remove all address spaces
 *
 * Context: sleeps; no more user stacks are taken.
 */
void kprof_spaces_close(void)
{
	u32 i;

	WRITE_ONCE(is_open, false);
	cancel_delayed_work_sync(&sweeper);
	/* Whoever takes a lock of these later sees that recording has stopped. */
	for (i = 0; i < NR_SHARDS; i++) {
		close_shard(&shards[i]);
		cond_resched();
	}
}

/**
 * kprof_spaces_nr() - number of address spaces recorded
 *
 * Context: any. Return: the number.
 */
u32 kprof_spaces_nr(void)
{
	u32 nr = 0, i;

	for (i = 0; i < NR_SHARDS; i++)
		nr += READ_ONCE(shards[i].used);
	return nr;
}

/**
 * kprof_spaces_failed() - number of times that there was no memory for an address space
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_spaces_failed(void)
{
	return atomic64_read(&failed);
}

/**
 * kprof_spaces_limited() - number of times that a process was not looked at, as it was just before
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_spaces_limited(void)
{
	return atomic64_read(&limited);
}
