/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.h - executable mappings of each process
 */
#ifndef KPROF_MAPS_H
#define KPROF_MAPS_H

#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct mm_struct;
struct task_struct;

/**
 * struct kprof_map - an executable mapping
 * @start:	its first address
 * @end:	the first address after it
 * @place:	the place of @start: a file and an offset in it, see uapi/kprof.h
 */
struct kprof_map {
	unsigned long start;
	unsigned long end;
	u64 place;
};

struct kprof_mapped_from;

/**
 * struct kprof_maps - the mappings of a process at one moment; never changed, only replaced
 * @rcu:	frees it after an RCU grace period
 * @nr:		number of entries in @map
 * @from:	what is mapped, for each entry of @map; in the same memory
 * @map:	sorted by address
 */
struct kprof_maps {
	struct rcu_head rcu;
	u32 nr;
	struct kprof_mapped_from *from;
	struct kprof_map map[];
};

/* In jiffies: for how long a process tries to lock its own memory, before it goes on without. */
#define KPROF_OWN_PATIENCE	HZ

struct kprof_maps *kprof_maps_make(struct mm_struct *mm, u32 tgid, unsigned long until);
const struct kprof_map *kprof_maps_find(const struct kprof_maps *maps, unsigned long addr);

const struct kprof_maps *kprof_spaces_find(const struct mm_struct *mm);
bool kprof_spaces_update(struct mm_struct *mm, struct task_struct *task, unsigned long until);
bool kprof_spaces_are_open(void);
void kprof_spaces_open(void);
void kprof_spaces_close(void);

#endif /* KPROF_MAPS_H */
