// SPDX-License-Identifier: GPL-2.0-only
/*
 * share.c - how many rows of a table each user has taken
 *
 * A user may take a row as long as more rows are free than this user has. So one user gets half of
 * the table at most, two users a third each, and there is always something left for the next one.
 * Users of a user namespace are one user: the owner of the namespace, who can make as many of them
 * as he likes.
 */
#include <linux/atomic.h>
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "user/share.h"

#define USER_BITS	6

/**
 * struct kprof_share - what a user has taken
 * @node:	in the table of users
 * @user:	the user
 * @refs:	number of holders
 * @rows:	number of rows
 */
struct kprof_share {
	struct hlist_node node;
	kuid_t user;
	u32 refs;
	atomic_t rows;
};

static DEFINE_MUTEX(lock);	/* nobody who holds it waits for anything but a CPU */
static DEFINE_HASHTABLE(users, USER_BITS);

static kuid_t user_of(struct task_struct *task)
{
	const struct user_namespace *space;
	const struct cred *cred;
	kuid_t user;

	rcu_read_lock();
	cred = __task_cred(task);
	space = cred->user_ns;
	user = cred->uid;
	if (space != &init_user_ns) {
		while (space->parent && space->parent != &init_user_ns)
			space = space->parent;
		user = space->owner;
	}
	rcu_read_unlock();
	return user;
}

static struct kprof_share *find(kuid_t user)
{
	struct kprof_share *share;

	hash_for_each_possible(users, share, node, __kuid_val(user))
		if (uid_eq(share->user, user))
			return share;
	return NULL;
}

/**
 * kprof_share_get() - the share of the user that a task belongs to
 * @task:	the task
 *
 * Context: sleeps. Return: the share, which the caller holds; NULL if there is no memory.
 */
struct kprof_share *kprof_share_get(struct task_struct *task)
{
	kuid_t user = user_of(task);
	struct kprof_share *share, *fresh = NULL;

	mutex_lock(&lock);
	share = find(user);
	if (!share) {
		mutex_unlock(&lock);
		fresh = kzalloc(sizeof(*fresh), GFP_KERNEL);
		mutex_lock(&lock);
		share = find(user);
	}
	if (!share && fresh) {
		share = fresh;
		fresh = NULL;
		share->user = user;
		hash_add(users, &share->node, __kuid_val(user));
	}
	if (share)
		share->refs++;
	mutex_unlock(&lock);
	kfree(fresh);
	return share;
}

static void free_unused(struct kprof_share *share)
{
	if (share->refs || atomic_read(&share->rows))
		return;
	hash_del(&share->node);
	kfree(share);
}

/**
 * kprof_share_put() - undo kprof_share_get()
 * @share:	the share, or NULL
 *
 * What the user has taken stays counted.
 *
 * Context: sleeps.
 */
void kprof_share_put(struct kprof_share *share)
{
	if (!share)
		return;
	mutex_lock(&lock);
	share->refs--;
	free_unused(share);
	mutex_unlock(&lock);
}

/**
 * kprof_share_take() - take a row for a user, if the share allows it
 * @share:	the share, which somebody holds; NULL: there was no memory for it
 * @left:	number of rows that are free
 *
 * Context: any, NMI included. Return: whether it was taken.
 */
bool kprof_share_take(struct kprof_share *share, u32 left)
{
	if (!share || atomic_read(&share->rows) >= left)
		return false;
	atomic_inc(&share->rows);
	return true;
}

/**
 * kprof_shares_clear() - all rows are free again
 *
 * Context: sleeps; nobody takes rows meanwhile.
 */
void kprof_shares_clear(void)
{
	struct kprof_share *share;
	struct hlist_node *next;
	u32 i;

	mutex_lock(&lock);
	hash_for_each_safe(users, i, next, share, node) {
		atomic_set(&share->rows, 0);
		free_unused(share);
	}
	mutex_unlock(&lock);
}
