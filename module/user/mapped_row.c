// SPDX-License-Identifier: GPL-2.0-only
/*
 * mapped_row.c - the files that processes have mapped
 *
 * A file that was rewritten counts as a different file: its identity includes size and mtime. Of
 * each there is a name and what is needed to find it again, but not the file itself.
 *
 * A file gets a number when the first sample is taken in it, or near it; see numbers.c. Without
 * one, it is forgotten with the last mapping of it. So there are as many of these as processes have
 * mapped, and numbers are for those that somebody will ask for.
 */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "user/attributes.h"
#include "user/mapped.h"
#include "user/mapped_row.h"

#define FIRST_BITS	9

/* For what follows; nobody who holds it waits for anything but a CPU. */
static DEFINE_MUTEX(lock);
static struct hlist_head *buckets;
static u32 bits;
static u32 known;

static atomic64_t failed;

/* For code that a process has generated, the process is part of the identity; for files, not. */
static u32 owner_of(const struct kprof_mapped *mapped)
{
	return mapped->kind == KPROF_MAPPED_FILE ? 0 : mapped->tgid;
}

static u32 hash_of(const struct kprof_mapped *mapped)
{
	return hash_64(mapped->ino ^ owner_of(mapped) ^ mapped->mtime, bits);
}

static bool is_same(const struct kprof_mapped *a, const struct kprof_mapped *b)
{
	return a->kind == b->kind && a->dev == b->dev && a->ino == b->ino &&
	       a->size == b->size && a->mtime == b->mtime && owner_of(a) == owner_of(b);
}

/* With a reference for the caller. */
static struct kprof_mapped_row *find(const struct kprof_mapped *mapped)
{
	struct kprof_mapped_row *row;

	if (!buckets)
		return NULL;
	hlist_for_each_entry(row, &buckets[hash_of(mapped)], node)
		if (is_same(&row->mapped, mapped)) {
			atomic_inc(&row->refs);
			return row;
		}
	return NULL;
}

static char *path_of(struct file *file)
{
	char *room = kmalloc(PATH_MAX, GFP_KERNEL), *path;

	if (!room)
		return NULL;
	path = d_path(&file->f_path, room, PATH_MAX);
	path = kstrdup(IS_ERR(path) ? "?" : path, KPROF_GFP_PROCESS);
	kfree(room);
	return path;
}

static void free_row(struct kprof_mapped_row *row)
{
	if (row->mapped.kind == KPROF_MAPPED_FILE || row->mapped.kind == KPROF_MAPPED_DATA)
		kfree(row->mapped.path);
	kvfree(row->mapped.rules);
	kfree(row);
}

static void look_at_inode(struct kprof_mapped_row *row, const struct file *file)
{
	const struct inode *inode = file_inode(file);
	struct timespec64 mtime = inode_get_mtime(inode);

	row->inode = inode;
	row->ino = inode->i_ino;
	row->size = i_size_read(inode);
	row->mtime = timespec64_to_ns(&mtime);
}

/* Add what stat() does not return. This may sleep on the file, so no lock is held. */
static struct kprof_mapped_row *make_row(const struct kprof_mapped *mapped, struct file *file)
{
	static const char * const names[KPROF_NR_MAPPED_KINDS] = {
		[KPROF_MAPPED_VDSO] = "[vdso]",
		[KPROF_MAPPED_VDSO32] = "[vdso32]",
		[KPROF_MAPPED_ANON] = "[anon]",
	};
	struct kprof_mapped_row *row = kzalloc(sizeof(*row), KPROF_GFP_PROCESS);

	if (!row)
		return NULL;
	atomic_set(&row->refs, 1);
	row->mapped = *mapped;
	row->mapped.path = file ? path_of(file) : names[mapped->kind];
	if (mapped->kind == KPROF_MAPPED_FILE)
		row->mapped.build_id_len = kprof_mapped_build_id(file, row->mapped.build_id);
	if (file)
		look_at_inode(row, file);
	if (!row->mapped.path) {
		kfree(row);
		return NULL;
	}
	return row;
}

/* Are there so many files that a bucket has more than two on average? */
static bool is_crowded(void)
{
	return !buckets || known > 2U << bits;
}

static void use_buckets(struct hlist_head *fresh, u32 fresh_bits)
{
	u32 nr = buckets ? 1U << bits : 0, i;
	struct hlist_head *old = buckets;
	struct hlist_node *next;
	struct kprof_mapped_row *row;

	buckets = fresh;
	bits = fresh_bits;
	for (i = 0; i < nr; i++)
		hlist_for_each_entry_safe(row, next, &old[i], node)
			hlist_add_head(&row->node, &buckets[hash_of(&row->mapped)]);
	kvfree(old);
}

/* Without @lock; the table stays as it is if there is no memory. */
static void make_room(void)
{
	struct hlist_head *fresh;
	u32 fresh_bits;

	mutex_lock(&lock);
	fresh_bits = is_crowded() ? (buckets ? bits + 2 : FIRST_BITS) : 0;
	mutex_unlock(&lock);
	if (!fresh_bits)
		return;
	fresh = kvcalloc(1UL << fresh_bits, sizeof(*fresh), GFP_KERNEL);
	mutex_lock(&lock);
	if (fresh && is_crowded() && (!buckets || fresh_bits > bits))
		use_buckets(fresh, fresh_bits);
	else
		kvfree(fresh);
	mutex_unlock(&lock);
}

static struct kprof_mapped_row *find_locked(const struct kprof_mapped *mapped)
{
	struct kprof_mapped_row *row;

	mutex_lock(&lock);
	row = find(mapped);
	mutex_unlock(&lock);
	return row;
}

/* Add a row, unless another task was faster. Return: the row, with a reference for the caller. */
static struct kprof_mapped_row *add(struct kprof_mapped_row *fresh)
{
	struct kprof_mapped_row *row = NULL;

	make_room();
	mutex_lock(&lock);
	if (buckets) {
		row = find(&fresh->mapped);
		if (!row) {
			row = fresh;
			hlist_add_head(&row->node, &buckets[hash_of(&row->mapped)]);
			WRITE_ONCE(known, known + 1);
		}
	}
	mutex_unlock(&lock);
	if (row != fresh)
		free_row(fresh);
	return row;
}

static struct kprof_mapped *find_or_add(const struct kprof_mapped *mapped, struct file *file)
{
	struct kprof_mapped_row *row = find_locked(mapped), *fresh;

	if (!row) {
		fresh = make_row(mapped, file);
		row = fresh ? add(fresh) : NULL;
	}
	if (!row)
		atomic64_inc(&failed);
	return row ? &row->mapped : NULL;
}

/**
 * kprof_mapped_file() - get a file
 * @file:	the file
 * @kind:	KPROF_MAPPED_FILE, or KPROF_MAPPED_DATA, which is another one in each process
 * @tgid:	a process that has mapped it
 *
 * Context: sleeps, without a lock of mm. Return: the file, which the caller holds until
 * kprof_mapped_put(); NULL if there is no memory, or the file cannot be looked at. That is counted.
 */
struct kprof_mapped *kprof_mapped_file(struct file *file, enum kprof_mapped_kind kind, u32 tgid)
{
	struct kprof_mapped mapped = { .kind = kind, .tgid = tgid };
	struct kprof_attributes of;

	if (!kprof_file_attributes(file, &of)) {
		atomic64_inc(&failed);
		return NULL;
	}
	mapped.dev = of.dev;
	mapped.ino = of.ino;
	mapped.is_far = of.is_far;
	/* A process that generates code writes to its file, and lets it grow. */
	if (kind == KPROF_MAPPED_FILE) {
		mapped.size = of.size;
		mapped.mtime = of.mtime;
	}
	return find_or_add(&mapped, file);
}

/**
 * kprof_mapped_other() - get what is mapped and not of a file
 * @kind:	its kind
 * @tgid:	its process
 *
 * Context: sleeps. Return: as kprof_mapped_file().
 */
struct kprof_mapped *kprof_mapped_other(enum kprof_mapped_kind kind, u32 tgid)
{
	struct kprof_mapped mapped = {
		.kind = kind,
		.tgid = kind == KPROF_MAPPED_ANON ? tgid : 0,
	};

	return find_or_add(&mapped, NULL);
}

/**
 * kprof_mapped_is() - is what a process has mapped still the same
 * @mapped:	what it was
 * @kind:	what it is
 * @tgid:	the process
 * @file:	the file; NULL if there is none
 *
 * Context: any. Return: whether it is. False also for the same file by another inode: that takes
 * kprof_mapped_file().
 */
bool kprof_mapped_is(const struct kprof_mapped *mapped, enum kprof_mapped_kind kind, u32 tgid,
		     const struct file *file)
{
	const struct kprof_mapped_row *row = kprof_mapped_row_of(mapped);
	struct kprof_mapped_row now = { };

	if (mapped->kind != kind || (kind == KPROF_MAPPED_ANON && mapped->tgid != tgid))
		return false;
	if (!file)
		return true;
	look_at_inode(&now, file);
	return now.inode == row->inode && now.ino == row->ino && now.size == row->size &&
	       now.mtime == row->mtime;
}

/**
 * kprof_mapped_hold() - hold a file once more
 * @mapped:	a file that somebody holds
 *
 * Context: any.
 */
void kprof_mapped_hold(struct kprof_mapped *mapped)
{
	atomic_inc(&kprof_mapped_row_of(mapped)->refs);
}

/* Nobody has, or can get, a row that is not held, except by @lock, or by its number. */
static void free_unused(struct kprof_mapped_row *row)
{
	if (atomic_read(&row->refs) || READ_ONCE(row->id))
		return;
	hlist_del(&row->node);
	WRITE_ONCE(known, known - 1);
	free_row(row);
}

/**
 * kprof_mapped_put() - let go of a file
 * @mapped:	the file, or NULL
 *
 * Context: sleeps; nobody takes samples by the mapping of which this was the file.
 */
void kprof_mapped_put(struct kprof_mapped *mapped)
{
	if (!mapped)
		return;
	mutex_lock(&lock);
	if (atomic_dec_and_test(&kprof_mapped_row_of(mapped)->refs))
		free_unused(kprof_mapped_row_of(mapped));
	mutex_unlock(&lock);
}

/* Those that are mapped stay, without a number. */
static void forget(struct kprof_mapped_row *row)
{
	if (!READ_ONCE(row->id))
		return;
	kvfree(row->mapped.rules);
	row->mapped.rules = NULL;
	row->mapped.is_wanted = false;
	WRITE_ONCE(row->id, 0);
	free_unused(row);
}

/**
 * kprof_mapped_forget_numbers() - files have no numbers and no rules any more
 *
 * Those that are not mapped are forgotten.
 *
 * Context: sleeps; nothing takes samples.
 */
void kprof_mapped_forget_numbers(void)
{
	struct kprof_mapped_row *row;
	struct hlist_node *next;
	u32 i;

	mutex_lock(&lock);
	for (i = 0; buckets && i < 1U << bits; i++)
		hlist_for_each_entry_safe(row, next, &buckets[i], node)
			forget(row);
	if (!known) {
		kvfree(buckets);
		buckets = NULL;
	}
	mutex_unlock(&lock);
}

/**
 * kprof_mapped_known() - number of files that are mapped, or have a number
 *
 * Context: any. Return: the number.
 */
u32 kprof_mapped_known(void)
{
	return READ_ONCE(known);
}

/**
 * kprof_mapped_failed() - how often a file could not be looked at
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_mapped_failed(void)
{
	return atomic64_read(&failed);
}
