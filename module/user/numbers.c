// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers.c - the table of the files that have numbers, and their rules
 *
 * A sample gives a file its number, in whatever context it is. The number never means another file,
 * as stacks and readers have it. The table is written without a lock: a row is never changed, only
 * added, until the table is emptied while nothing takes samples.
 * Each user has a share of it. What finds no room has the number of one row that stands for all of
 * these, so that stacks with such places read the same, and do not fill the table of stacks.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "user/mapped.h"
#include "user/mapped_row.h"
#include "user/rules.h"
#include "user/share.h"

/* The last row is for all that find no room. */
#define MAX_OWN		(KPROF_MAX_MAPPED - 1)

static struct kprof_mapped_row *table[KPROF_MAX_MAPPED + 1];
static atomic_t used;
static atomic64_t full;

/* For what follows; nobody who holds it waits for anything but a CPU. */
static DEFINE_MUTEX(lock);
static u32 nr_rules;		/* how many rows have rules */
static size_t rules_bytes;
static atomic64_t rules_refused;

u32 kprof_mapped_full __read_mostly;

/* NULL if the last row is taken. */
static struct kprof_mapped_row **new_row(u32 *id)
{
	/* Check first, or the counter of a full table would grow without bound. */
	if (atomic_read(&used) >= KPROF_MAX_MAPPED)
		return NULL;
	*id = atomic_inc_return(&used);
	return *id <= KPROF_MAX_MAPPED ? &table[*id] : NULL;
}

static u32 number_of_full(void)
{
	static struct kprof_mapped_row rest = {
		.mapped = { .kind = KPROF_MAPPED_FULL, .path = "[file table full]" },
	};
	u32 id = READ_ONCE(kprof_mapped_full);
	struct kprof_mapped_row **row;

	atomic64_inc(&full);
	if (id)
		return id;
	row = new_row(&id);
	if (!row)
		return READ_ONCE(kprof_mapped_full);
	/* Pairs with kprof_mapped_get(). Should two be added at once, the rows read the same. */
	smp_store_release(row, &rest);
	WRITE_ONCE(kprof_mapped_full, id);
	return id;
}

/**
 * kprof_mapped_id() - the number of a file
 * @mapped:	the file
 *
 * Context: any, NMI included. Return: the number; 0 if it has none yet.
 */
u32 kprof_mapped_id(const struct kprof_mapped *mapped)
{
	return READ_ONCE(kprof_mapped_row_of(mapped)->id);
}

/**
 * kprof_mapped_number() - the number of a file, which gets one if it has none
 * @mapped:	the file, of a mapping that cannot go meanwhile
 * @share:	what the user has taken, by whose process
 *
 * Context: any, NMI included. Return: the number; if the user's share is used up, that of the row
 * for all files without one; 0 if there is not even room for that row.
 */
u32 kprof_mapped_number(struct kprof_mapped *mapped, struct kprof_share *share)
{
	u32 id = kprof_mapped_id(mapped), other, left;
	struct kprof_mapped_row **row;

	if (id)
		return id;
	left = MAX_OWN - min_t(u32, atomic_read(&used), MAX_OWN);
	row = kprof_share_take(share, left) ? new_row(&id) : NULL;
	if (!row)
		return number_of_full();
	/* Pairs with kprof_mapped_get(): whoever sees the number sees the row. */
	smp_store_release(row, kprof_mapped_row_of(mapped));
	/* Whoever is second has given it a second row, which nobody will refer to. */
	other = cmpxchg(&kprof_mapped_row_of(mapped)->id, 0, id);
	return other ?: id;
}

/*
 * NULL if there is no such file. A sampled process decides on the number; where the processor
 * guesses wrong whether there is such a file, it must not follow what is beyond the table.
 */
static struct kprof_mapped *get(u32 id)
{
	struct kprof_mapped_row *row;

	if (id >= ARRAY_SIZE(table))
		return NULL;
	/* Pairs with kprof_mapped_number(). */
	row = smp_load_acquire(&table[array_index_nospec(id, (u32)ARRAY_SIZE(table))]);
	return row ? &row->mapped : NULL;
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
 * kprof_mapped_row() - look up the rows of the table one after the other
 * @id:		the number, from 1 on
 *
 * Context: sleeps; the table is not emptied meanwhile. Return: NULL behind the last row.
 */
const struct kprof_mapped *kprof_mapped_row(u32 id)
{
	if (id > min_t(u32, atomic_read(&used), KPROF_MAX_MAPPED))
		return NULL;
	/* A sample is between taking the number and storing the row. */
	while (!kprof_mapped_get(id))
		cond_resched();
	return kprof_mapped_get(id);
}

/**
 * kprof_mapped_totals() - what there is of files
 * @sum:	where that goes
 *
 * Context: any.
 */
void kprof_mapped_totals(struct kprof_mapped_totals *sum)
{
	*sum = (struct kprof_mapped_totals) {
		.rows = min_t(u32, atomic_read(&used), KPROF_MAX_MAPPED),
		.known = kprof_mapped_known(),
		.failed = kprof_mapped_failed(),
		.full = atomic64_read(&full),
	};
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
 * Context: sleeps; no stack refers to the table any more, and nothing takes samples.
 */
void kprof_mapped_clear(void)
{
	mutex_lock(&lock);
	memset(table, 0, sizeof(table));
	atomic_set(&used, 0);
	kprof_mapped_full = 0;
	kprof_mapped_forget_numbers();
	nr_rules = 0;
	rules_bytes = 0;
	kprof_rules_forget();
	mutex_unlock(&lock);
	kprof_shares_clear();
}
