/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.h - executable mappings of each process
 */
#ifndef KPROF_MAPS_H
#define KPROF_MAPS_H

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct kprof_mapped;
struct kprof_share;
struct mm_struct;
struct task_struct;

/**
 * struct kprof_map - an executable mapping
 * @start:	its first address
 * @end:	the first address after it
 * @place:	the place of @start: a file and an offset in it, see uapi/kprof.h. The file has no
 *		number until kprof_maps_number() gives it one
 * @mapped:	the file, which the maps hold; NULL: @place is an address
 */
struct kprof_map {
	unsigned long start;
	unsigned long end;
	u64 place;
	struct kprof_mapped *mapped;
};

/**
 * struct kprof_maps - the mappings of a process at one moment; replaced where they change
 * @rcu:	leads to @garbage after an RCU grace period
 * @garbage:	in the list of those that are to be freed
 * @share:	of the user whose process it is; NULL: there was no memory for it
 * @made:	when, in jiffies
 * @bytes:	what this structure takes
 * @dirty_from:	what is mapped from here on to @dirty_to may have changed since, so that nothing is
 *		known of it; nothing has if @dirty_to is 0
 * @dirty_to:	see there
 * @nr:		number of entries in @map
 * @map:	sorted by address
 */
struct kprof_maps {
	struct rcu_head rcu;
	struct llist_node garbage;
	struct kprof_share *share;
	unsigned long made;
	size_t bytes;
	unsigned long dirty_from;
	unsigned long dirty_to;
	u32 nr;
	struct kprof_map map[];
};

/* In jiffies: for how long a process tries to lock its own memory, before it goes on without. */
#define KPROF_OWN_PATIENCE	HZ

struct kprof_maps *kprof_maps_make(struct mm_struct *mm, struct task_struct *task,
				   unsigned long until);
void kprof_maps_free(struct kprof_maps *maps);
void kprof_maps_drain(void);
const struct kprof_map *kprof_maps_find(const struct kprof_maps *maps, unsigned long addr);
const struct kprof_map *kprof_maps_look(const struct kprof_maps *maps, unsigned long addr);
bool kprof_maps_within(const struct kprof_maps *maps, unsigned long from, unsigned long to);
u32 kprof_maps_number(const struct kprof_maps *maps, const struct kprof_map *map);
void kprof_maps_spoil(const struct kprof_maps *maps, unsigned long from, unsigned long to);

/* Is something not known of these addresses, because it has changed since? */
static inline bool kprof_maps_are_dirty(const struct kprof_maps *maps, unsigned long from,
					unsigned long to)
{
	return unlikely(READ_ONCE(maps->dirty_to)) && from < READ_ONCE(maps->dirty_to) &&
	       to > READ_ONCE(maps->dirty_from);
}

const struct kprof_maps *kprof_spaces_find(const struct mm_struct *mm);
bool kprof_spaces_update(struct mm_struct *mm, struct task_struct *task, unsigned long until);
bool kprof_spaces_are_open(void);
void kprof_spaces_spoil(const struct mm_struct *mm, unsigned long from, unsigned long to);
void kprof_spaces_open(void);
void kprof_spaces_close(void);
u64 kprof_spaces_failed(void);
u64 kprof_spaces_limited(void);

#endif /* KPROF_MAPS_H */
