// SPDX-License-Identifier: GPL-2.0-only
/*
 * mapped.c - append-only table of the files that places in user stacks are in
 *
 * A file that was rewritten counts as a different file: its identity includes size and mtime. The
 * table keeps its name and what is needed to find it again, but not the file itself.
 */
#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/limits.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "user/attributes.h"
#include "user/mapped.h"
#include "user/rules.h"

#define FILE_BITS	9

/* An entry of the table, linked into its hash bucket. */
struct row {
	struct kprof_mapped mapped;
	u32 next;	/* next row with the same hash; 0: none */
};

static DEFINE_MUTEX(lock);
static struct row *table[KPROF_MAX_MAPPED + 1];
static u32 first[1 << FILE_BITS];
static u32 used;
static atomic64_t failed;
static u32 nr_rules;		/* how many rows have rules */
static size_t rules_bytes;
static atomic64_t rules_refused;

/* For code that a process has generated, the process is part of the identity; for files, not. */
static u32 owner_of(const struct kprof_mapped *mapped)
{
	return mapped->kind == KPROF_MAPPED_FILE ? 0 : mapped->tgid;
}

static u32 hash_of(const struct kprof_mapped *mapped)
{
	return hash_64(mapped->ino ^ owner_of(mapped) ^ mapped->mtime, FILE_BITS);
}

static bool is_same(const struct kprof_mapped *a, const struct kprof_mapped *b)
{
	return a->kind == b->kind && a->dev == b->dev && a->ino == b->ino &&
	       a->size == b->size && a->mtime == b->mtime && owner_of(a) == owner_of(b);
}

static u32 find(const struct kprof_mapped *mapped, u32 hash)
{
	u32 id;

	for (id = first[hash]; id; id = table[id]->next)
		if (is_same(&table[id]->mapped, mapped))
			break;
	return id;
}

static char *path_of(struct file *file)
{
	char *room = kmalloc(PATH_MAX, GFP_KERNEL), *path;

	if (!room)
		return NULL;
	path = d_path(&file->f_path, room, PATH_MAX);
	path = kstrdup(IS_ERR(path) ? "?" : path, GFP_KERNEL);
	kfree(room);
	return path;
}

static void free_row(struct row *row)
{
	if (row->mapped.kind == KPROF_MAPPED_FILE || row->mapped.kind == KPROF_MAPPED_DATA)
		kfree(row->mapped.path);
	kvfree(row->mapped.rules);
	kfree(row);
}

/* Add what stat() does not return. This may sleep, so no lock is held. */
static struct row *make_row(const struct kprof_mapped *mapped, struct file *file)
{
	static const char * const names[KPROF_NR_MAPPED_KINDS] = {
		[KPROF_MAPPED_VDSO] = "[vdso]",
		[KPROF_MAPPED_VDSO32] = "[vdso32]",
		[KPROF_MAPPED_ANON] = "[anon]",
	};
	struct row *row = kzalloc(sizeof(*row), GFP_KERNEL);

	if (!row)
		return NULL;
	row->mapped = *mapped;
	row->mapped.path = file ? path_of(file) : names[mapped->kind];
	if (mapped->kind == KPROF_MAPPED_FILE)
		row->mapped.build_id_len = kprof_mapped_build_id(file, row->mapped.build_id);
	if (!row->mapped.path) {
		kfree(row);
		return NULL;
	}
	return row;
}

static u32 insert(struct row *row, u32 hash)
{
	u32 id = used + 1;

	if (used == KPROF_MAX_MAPPED)
		return 0;
	row->next = first[hash];
	first[hash] = id;
	table[id] = row;
	/* Pairs with get(): whoever sees the number sees the row. */
	smp_store_release(&used, id);
	return id;
}

static u32 find_locked(const struct kprof_mapped *mapped, u32 hash)
{
	u32 id;

	mutex_lock(&lock);
	id = find(mapped, hash);
	mutex_unlock(&lock);
	return id;
}

static u32 find_or_add(struct kprof_mapped *mapped, struct file *file)
{
	u32 hash = hash_of(mapped), id = find_locked(mapped, hash);
	struct row *row;

	if (id)
		return id;
	row = READ_ONCE(used) < KPROF_MAX_MAPPED ? make_row(mapped, file) : NULL;
	if (row) {
		mutex_lock(&lock);
		/* Another task may have been faster. */
		id = find(mapped, hash);
		if (!id)
			id = insert(row, hash);
		if (!id || table[id] != row)
			free_row(row);
		mutex_unlock(&lock);
	}
	if (!id)
		atomic64_inc(&failed);
	return id;
}

/*
 * NULL if there is no such file. A sampled process decides on the number; where the processor
 * guesses wrong whether there is such a file, it must not follow what is beyond the table.
 */
static struct kprof_mapped *get(u32 id)
{
	/* Pairs with insert(). */
	const u32 nr = smp_load_acquire(&used);

	return id && id <= nr ? &table[array_index_nospec(id, nr + 1)]->mapped : NULL;
}

/**
 * kprof_mapped_file() - get the number of a file
 * @file:	the file
 * @kind:	KPROF_MAPPED_FILE, or KPROF_MAPPED_DATA, which has a number for each process
 * @tgid:	a process that has mapped it
 *
 * Context: sleeps, without a lock of mm. Return: the number, from 1 on; 0 if there is no room or
 * no memory for it, which is counted.
 */
u32 kprof_mapped_file(struct file *file, enum kprof_mapped_kind kind, u32 tgid)
{
	struct kprof_mapped mapped = { .kind = kind, .tgid = tgid };
	struct kprof_attributes of;

	if (!kprof_file_attributes(file, &of)) {
		atomic64_inc(&failed);
		return 0;
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
 * kprof_mapped_other() - get the number of a mapping that is not of a file
 * @kind:	its kind
 * @tgid:	its process
 *
 * Context: sleeps. Return: as kprof_mapped_file().
 */
u32 kprof_mapped_other(enum kprof_mapped_kind kind, u32 tgid)
{
	struct kprof_mapped mapped = {
		.kind = kind,
		.tgid = kind == KPROF_MAPPED_ANON ? tgid : 0,
	};

	return find_or_add(&mapped, NULL);
}

/**
 * kprof_mapped_get() - look up a file by number
 * @id:		any number
 *
 * Context: any; the table is not emptied meanwhile. Return: NULL if there is none.
 */
const struct kprof_mapped *kprof_mapped_get(u32 id)
{
	return get(id);
}

/**
 * kprof_mapped_used() - number of files in the table
 *
 * Context: any. Return: the number.
 */
u32 kprof_mapped_used(void)
{
	return READ_ONCE(used);
}

/**
 * kprof_mapped_failed() - number of times that a file got no number
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_mapped_failed(void)
{
	return atomic64_read(&failed);
}

/**
 * kprof_mapped_want() - note that the rules of a file would be of use
 * @id:		any number
 *
 * Context: as kprof_mapped_get().
 */
void kprof_mapped_want(u32 id)
{
	struct kprof_mapped *mapped = get(id);

	if (mapped && !READ_ONCE(mapped->is_wanted))
		WRITE_ONCE(mapped->is_wanted, true);
}

/**
 * kprof_mapped_nr_rules() - number of files that have been given rules
 *
 * Context: any. Return: the number.
 */
u32 kprof_mapped_nr_rules(void)
{
	return READ_ONCE(nr_rules);
}

/**
 * kprof_mapped_refuse_rules() - count rules that are too large to be looked at
 *
 * Context: any.
 */
void kprof_mapped_refuse_rules(void)
{
	atomic64_inc(&rules_refused);
}

static int give_rules(const struct kprof_rules_header *rules, size_t size, size_t limit)
{
	struct kprof_mapped *mapped = get(rules->file);

	if (!mapped)
		return -ENOENT;
	/* After a reset, files have other numbers. */
	if (!kprof_mapped_may_have_rules(mapped) || mapped->ino != rules->ino ||
	    mapped->size != rules->size || mapped->mtime != rules->mtime)
		return -ESTALE;
	if (mapped->rules)
		return -EEXIST;
	if (rules_bytes > limit || size > limit - rules_bytes) {
		atomic64_inc(&rules_refused);
		return -ENOSPC;
	}
	WRITE_ONCE(rules_bytes, rules_bytes + size);
	WRITE_ONCE(nr_rules, nr_rules + 1);
	/* Pairs with whoever looks for a rule: it sees all of them. */
	smp_store_release(&mapped->rules, rules);
	return 0;
}

/**
 * kprof_mapped_take_rules() - give rules to the file that they name
 * @rules:	kprof_rules_accept() has accepted them; from kvmalloc(); owned by the table from now
 *		on if this succeeds, and not changed any more
 * @size:	number of bytes
 * @limit:	number of bytes that all rules may take
 *
 * They stay until the table is emptied.
 *
 * Context: sleeps. Return: 0; -ENOENT if there is no such file; -ESTALE if it is another one, or
 * can have no rules; -EEXIST if it has some; -ENOSPC if there is no room, which is counted.
 */
int kprof_mapped_take_rules(const struct kprof_rules_header *rules, size_t size, size_t limit)
{
	int err;

	mutex_lock(&lock);
	err = give_rules(rules, size, limit);
	mutex_unlock(&lock);
	return err;
}

/**
 * kprof_mapped_rules_totals() - what rules there are
 * @sum:	where that goes
 *
 * Context: sleeps.
 */
void kprof_mapped_rules_totals(struct kprof_rules_totals *sum)
{
	mutex_lock(&lock);
	*sum = (struct kprof_rules_totals) {
		.files = nr_rules, .bytes = rules_bytes, .refused = atomic64_read(&rules_refused),
	};
	mutex_unlock(&lock);
}

/**
 * kprof_mapped_clear() - empty the table
 *
 * Context: sleeps; no stack and no map refers to the table any more.
 */
void kprof_mapped_clear(void)
{
	u32 id;

	mutex_lock(&lock);
	for (id = 1; id <= used; id++)
		free_row(table[id]);
	memset(first, 0, sizeof(first));
	used = 0;
	nr_rules = 0;
	rules_bytes = 0;
	kprof_rules_forget();
	mutex_unlock(&lock);
}
