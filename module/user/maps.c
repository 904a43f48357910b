// SPDX-License-Identifier: GPL-2.0-only
/*
 * maps.c - records the executable mappings of a process at one moment
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/llist.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "base/ids.h"
#include "compat.h"
#include "uapi/kprof.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/pins.h"
#include "user/share.h"
#include "user/user.h"

/* Programs have tens of mappings. Those above MAX_MAPS are left out, and counted. */
#define FIRST_ROOM	64
#define MAX_MAPS	4096

/* How long to wait before the memory of a process is tried to be locked again. */
#define FIRST_NAP_US	20u
#define LAST_NAP_US	2000u

/**
 * struct seen - a mapping of the process
 * @start:	its first address
 * @end:	the first address after it
 * @offset:	offset of @start in @file
 * @file:	a reference is held; NULL: @kind says what it is
 * @kind:	enum kprof_mapped_kind
 */
struct seen {
	unsigned long start;
	unsigned long end;
	u64 offset;
	struct file *file;
	enum kprof_mapped_kind kind;
};

static LLIST_HEAD(garbage);
static bool are_freed;	/* since kprof_maps_drain() */
static atomic64_t left_out;
static atomic_long_t bytes;

static void look_at(const struct vm_area_struct *vma, struct seen *seen)
{
	*seen = (struct seen) {
		.start = vma->vm_start,
		.end = vma->vm_end,
		.offset = vma->vm_start,
		.kind = KPROF_MAPPED_ANON,
	};
	if (vma->vm_file) {
		seen->kind = KPROF_MAPPED_FILE;
		seen->file = get_file(vma->vm_file);
		seen->offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	} else if (vma->vm_start == (unsigned long)vma->vm_mm->context.vdso) {
		seen->kind = vma->vm_start >> 32 ? KPROF_MAPPED_VDSO : KPROF_MAPPED_VDSO32;
		seen->offset = 0;
	}
}

/*
 * Another thread of the process may have the lock for as long as it likes: it may map a file whose
 * server does not answer. Whoever is in the queue for the lock cannot leave it, so nobody queues.
 * Return: whether it is locked; false also if the caller is being killed, or the result is not
 * wanted any more.
 */
static bool lock(struct mm_struct *mm, unsigned long until)
{
	unsigned int us = FIRST_NAP_US;

	while (!mmap_read_trylock(mm)) {
		if (fatal_signal_pending(current) || !kprof_spaces_are_open() ||
		    time_after(jiffies, until))
			return false;
		usleep_range(us, 2 * us);
		us = min(2 * us, LAST_NAP_US);
	}
	return true;
}

static bool is_code(const struct vm_area_struct *vma)
{
	/* An address above this does not fit into a place. */
	return (vma->vm_flags & VM_EXEC) && vma->vm_end <= KPROF_USER_MASK;
}

/**
 * struct choice - which mappings there is room for
 * @nr:		number of mappings of files; the vDSO counts as one
 * @others:	of memory that no file has
 * @room:	for so many of both
 *
 * Those of files come first: their names are known. Of too many of these, the outer ones stay: the
 * program is at the lowest addresses, and its libraries are at the highest.
 */
struct choice {
	u32 nr;
	u32 others;
	u32 room;
};

static bool has_name(const struct vm_area_struct *vma)
{
	return vma->vm_file || vma->vm_start == (unsigned long)vma->vm_mm->context.vdso;
}

/* @i: it is the one of that number, of its kind. */
static bool is_chosen(const struct choice *all, const struct vm_area_struct *vma, u32 i)
{
	u32 low = all->room / 2;

	if (!has_name(vma))
		return i < all->room - min(all->nr, all->room);
	return all->nr <= all->room || i < low || i >= all->nr - (all->room - low);
}

static void count(struct mm_struct *mm, struct choice *all)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;

	for_each_vma(vmi, vma)
		if (is_code(vma))
			++*(has_name(vma) ? &all->nr : &all->others);
}

static int take(struct mm_struct *mm, struct seen *seen, const struct choice *all)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;
	u32 nr = 0, files = 0, others = 0;

	for_each_vma(vmi, vma)
		if (is_code(vma) && is_chosen(all, vma, has_name(vma) ? files++ : others++))
			look_at(vma, &seen[nr++]);
	return nr;
}

/*
 * Return: number of mappings taken, of *@total that there are; -ENOSPC: these are more than @room;
 * -EAGAIN: @mm is locked.
 */
static int collect(struct mm_struct *mm, struct seen *seen, u32 room, u32 *total,
		   unsigned long until)
{
	struct choice all = { .room = room };
	int nr = -ENOSPC;

	if (!lock(mm, until))
		return -EAGAIN;
	count(mm, &all);
	*total = all.nr + all.others;
	if (*total <= room || room == MAX_MAPS)
		nr = take(mm, seen, &all);
	mmap_read_unlock(mm);
	return nr;
}

static void let_go(struct seen *seen, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		if (seen[i].file)
			fput(seen[i].file);
	kvfree(seen);
}

/* A process that maps one more file has the others where they were. */
static struct kprof_mapped *known_file(const struct mm_struct *mm, const struct seen *seen,
				       u32 tgid)
{
	struct kprof_mapped *mapped = NULL;
	const struct kprof_maps *maps;
	const struct kprof_map *map;

	preempt_disable();
	maps = kprof_spaces_find(mm);
	map = maps ? kprof_maps_look(maps, seen->start) : NULL;
	if (map && map->start == seen->start && map->mapped &&
	    kprof_mapped_is(map->mapped, seen->kind, tgid, seen->file)) {
		mapped = map->mapped;
		kprof_mapped_hold(mapped);
	}
	preempt_enable();
	return mapped;
}

/*
 * Anybody may map a file at an offset that needs more bits than a place has for it. They would
 * make another file's number of this one's, so what is mapped there is of no file.
 */
static bool fits(const struct seen *seen)
{
	return seen->offset <= KPROF_USER_MASK &&
	       seen->end - seen->start <= KPROF_USER_MASK - seen->offset + 1;
}

/*
 * Nobody but the process itself can tell what code is in a file that is no program, and it tells
 * of the addresses where it runs that code. So a place there is an address, as in memory of no
 * file.
 */
static void tell_data_from_programs(struct seen *seen)
{
	if (!seen->file || kprof_mapped_is_program(seen->file))
		return;
	seen->kind = KPROF_MAPPED_DATA;
	seen->offset = seen->start;
}

/* This may sleep on locks that are taken before that of mm, so it comes after collect(). */
static struct kprof_mapped *file_of(const struct mm_struct *mm, struct seen *seen, u32 tgid)
{
	struct kprof_mapped *mapped = known_file(mm, seen, tgid);

	if (mapped)
		return mapped;
	tell_data_from_programs(seen);
	if (!fits(seen))
		return NULL;
	return seen->file ? kprof_mapped_file(seen->file, seen->kind, tgid) :
			    kprof_mapped_other(seen->kind, tgid);
}

static void make_map(struct kprof_map *map, const struct mm_struct *mm, struct seen *seen, u32 tgid)
{
	u32 id;

	map->start = seen->start;
	map->end = seen->end;
	map->place = seen->start;
	map->mapped = file_of(mm, seen, tgid);
	if (!map->mapped)
		return;
	id = kprof_mapped_id(map->mapped);
	map->place = (u64)id << KPROF_USER_SHIFT | seen->offset;
	if (seen->file && id)
		kprof_pins_offer(id, seen->file);
}

static struct kprof_maps *make(struct mm_struct *mm, struct seen *seen, int nr,
			       struct task_struct *task)
{
	struct kprof_maps *maps = kvmalloc(struct_size(maps, map, nr), KPROF_GFP_PROCESS);
	u32 tgid = kprof_id_of_process(task);
	int i;

	if (!maps)
		return NULL;
	maps->share = kprof_share_get(task);
	maps->made = jiffies;
	maps->bytes = struct_size(maps, map, nr);
	maps->dirty_from = ULONG_MAX;
	maps->dirty_to = 0;
	/* Who stops the profiler waits for this. */
	for (i = 0; i < nr && kprof_spaces_are_open(); i++)
		make_map(&maps->map[i], mm, &seen[i], tgid);
	maps->nr = i;
	atomic_long_add(maps->bytes, &bytes);
	return maps;
}

/**
 * kprof_maps_make() - record the executable mappings of a process
 * @mm:		its memory, which has a user
 * @task:	a task that has it
 * @until:	in jiffies, until when to try to lock @mm
 *
 * Context: sleeps. Return: the mappings; NULL if there is no memory; ERR_PTR(-EAGAIN) if @mm was
 * locked all the time, the caller is being killed, or no address spaces are recorded any more.
 */
struct kprof_maps *kprof_maps_make(struct mm_struct *mm, struct task_struct *task,
				   unsigned long until)
{
	u32 room = FIRST_ROOM, total;
	struct kprof_maps *maps;
	struct seen *seen;
	int nr;

	for (;;) {
		seen = kvcalloc(room, sizeof(*seen), KPROF_GFP_PROCESS);
		if (!seen)
			return NULL;
		nr = collect(mm, seen, room, &total, until);
		if (nr != -ENOSPC)
			break;
		kvfree(seen);
		/* Until there is memory for them, there may be some more. */
		room = min_t(u32, total + total / 4, MAX_MAPS);
	}
	if (nr < 0) {
		kvfree(seen);
		return ERR_PTR(nr);
	}
	atomic64_add(total - nr, &left_out);
	maps = make(mm, seen, nr, task);
	let_go(seen, nr);
	return maps;
}

static void free_now(struct kprof_maps *maps)
{
	u32 i;

	for (i = 0; i < maps->nr; i++)
		kprof_mapped_put(maps->map[i].mapped);
	kprof_share_put(maps->share);
	atomic_long_sub(maps->bytes, &bytes);
	kvfree(maps);
}

static void free_garbage(struct work_struct *unused)
{
	struct kprof_maps *maps, *next;

	llist_for_each_entry_safe(maps, next, llist_del_all(&garbage), garbage) {
		free_now(maps);
		cond_resched();
	}
}

static DECLARE_WORK(free_work, free_garbage);

/* Nobody takes samples by these any more. But to let go of files, one has to sleep. */
static void is_unused(struct rcu_head *rcu)
{
	if (llist_add(&container_of(rcu, struct kprof_maps, rcu)->garbage, &garbage))
		queue_work(system_dfl_wq, &free_work);
}

/**
 * kprof_maps_free() - free mappings after an RCU grace period
 * @maps:	the mappings, or NULL
 *
 * Context: any but NMI.
 */
void kprof_maps_free(struct kprof_maps *maps)
{
	if (!maps)
		return;
	WRITE_ONCE(are_freed, true);
	call_rcu(&maps->rcu, is_unused);
}

/**
 * kprof_maps_drain() - wait until all mappings are free that are to be freed
 *
 * Context: sleeps.
 */
void kprof_maps_drain(void)
{
	if (!xchg(&are_freed, false))
		return;
	rcu_barrier();
	flush_work(&free_work);
}

/**
 * kprof_maps_bytes() - memory that the mappings of all processes take
 *
 * Context: any. Return: bytes.
 */
unsigned long kprof_maps_bytes(void)
{
	return atomic_long_read(&bytes);
}

/**
 * kprof_maps_left_out() - number of mappings left out because a process has too many
 *
 * Context: any. Return: the number, since load.
 */
u64 kprof_maps_left_out(void)
{
	return atomic64_read(&left_out);
}
