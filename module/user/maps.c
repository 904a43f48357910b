// SPDX-License-Identifier: GPL-2.0-only
/*
 * maps.c - records the executable mappings of a process at one moment
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nospec.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "compat.h"
#include "uapi/kprof.h"
#include "user/mapped.h"
#include "user/maps.h"
#include "user/pins.h"
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

/**
 * struct kprof_mapped_from - what is mapped: if it is the same again, so is its place
 * @inode:	of the file, only to be compared, as it may be gone; NULL if there is no file
 * @ino:	with the following, tells it from another one at this address
 * @size:	of the file
 * @mtime:	of the file, in nanoseconds
 * @offset:	of the mapping in it
 * @kind:	enum kprof_mapped_kind
 */
struct kprof_mapped_from {
	const struct inode *inode;
	u64 ino;
	u64 size;
	s64 mtime;
	u64 offset;
	enum kprof_mapped_kind kind;
};

static atomic64_t left_out;

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

/* Return: number of mappings, even if there is no room for all; -EAGAIN: @mm is locked. */
static int collect(struct mm_struct *mm, struct seen *seen, int room, unsigned long until)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;
	int nr = 0;

	if (!lock(mm, until))
		return -EAGAIN;
	for_each_vma(vmi, vma) {
		/* An address above this does not fit into a place. */
		if (!(vma->vm_flags & VM_EXEC) || vma->vm_end > KPROF_USER_MASK)
			continue;
		if (nr < room)
			look_at(vma, &seen[nr]);
		nr++;
	}
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

static u32 file_of(const struct seen *seen, u32 tgid)
{
	return seen->file ? kprof_mapped_file(seen->file, seen->kind, tgid) :
			    kprof_mapped_other(seen->kind, tgid);
}

static void find_out(struct kprof_mapped_from *from, const struct seen *seen)
{
	const struct inode *inode = seen->file ? file_inode(seen->file) : NULL;
	struct timespec64 mtime;

	*from = (struct kprof_mapped_from) { .offset = seen->offset, .kind = seen->kind };
	if (!inode)
		return;
	from->inode = inode;
	from->ino = inode->i_ino;
	from->size = i_size_read(inode);
	mtime = inode_get_mtime(inode);
	from->mtime = timespec64_to_ns(&mtime);
}

static bool is_same(const struct kprof_mapped_from *a, const struct kprof_mapped_from *b)
{
	return a->inode == b->inode && a->ino == b->ino && a->size == b->size &&
	       a->mtime == b->mtime && a->offset == b->offset && a->kind == b->kind;
}

/* A process that maps one more file has the others where they were. Return: 0 if not known. */
static u64 known_place(const struct mm_struct *mm, const struct seen *seen,
		       const struct kprof_mapped_from *from)
{
	const struct kprof_maps *maps;
	const struct kprof_map *map;
	u64 place = 0;

	preempt_disable();
	maps = kprof_spaces_find(mm);
	map = maps ? kprof_maps_find(maps, seen->start) : NULL;
	if (map && map->start == seen->start && map->end == seen->end &&
	    KPROF_USER_FILE(map->place) && is_same(&maps->from[map - maps->map], from))
		place = map->place;
	preempt_enable();
	return place;
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
 *
 * This may sleep on locks that are taken before that of mm, so it comes after collect().
 */
static u64 place_of(const struct seen *seen, u32 tgid)
{
	struct seen at = *seen;
	u32 file;

	if (at.file && !kprof_mapped_is_program(at.file)) {
		at.kind = KPROF_MAPPED_DATA;
		at.offset = at.start;
	}
	file = fits(&at) ? file_of(&at, tgid) : 0;
	return file ? (u64)file << KPROF_USER_SHIFT | at.offset : at.start;
}

static struct kprof_maps *make(const struct mm_struct *mm, const struct seen *seen, int nr,
			       u32 tgid)
{
	struct kprof_maps *maps = kvmalloc(struct_size(maps, map, nr) + nr * sizeof(*maps->from),
					   GFP_KERNEL);
	int i;

	if (!maps)
		return NULL;
	maps->nr = nr;
	maps->from = (void *)&maps->map[nr];
	/* Who stops the profiler waits for this. */
	for (i = 0; i < nr && kprof_spaces_are_open(); i++) {
		find_out(&maps->from[i], &seen[i]);
		maps->map[i] = (struct kprof_map) {
			.start = seen[i].start,
			.end = seen[i].end,
			.place = known_place(mm, &seen[i], &maps->from[i]) ?:
				 place_of(&seen[i], tgid),
		};
		if (seen[i].file)
			kprof_pins_offer(KPROF_USER_FILE(maps->map[i].place), seen[i].file);
	}
	return maps;
}

/**
 * kprof_maps_make() - record the executable mappings of a process
 * @mm:		its memory, which has a user
 * @tgid:	the process
 * @until:	in jiffies, until when to try to lock @mm
 *
 * Context: sleeps. Return: the mappings; NULL if there is no memory; ERR_PTR(-EAGAIN) if @mm was
 * locked all the time, the caller is being killed, or no address spaces are recorded any more.
 */
struct kprof_maps *kprof_maps_make(struct mm_struct *mm, u32 tgid, unsigned long until)
{
	int room = FIRST_ROOM, nr;
	struct kprof_maps *maps;
	struct seen *seen;

	for (;;) {
		seen = kvcalloc(room, sizeof(*seen), GFP_KERNEL);
		if (!seen)
			return NULL;
		nr = collect(mm, seen, room, until);
		if (nr <= room || room == MAX_MAPS)
			break;
		let_go(seen, room);
		room = min(2 * nr, MAX_MAPS);
	}
	if (nr > room)
		atomic64_add(nr - room, &left_out);
	nr = min(nr, room);
	maps = nr < 0 ? ERR_PTR(nr) : make(mm, seen, nr, tgid);
	let_go(seen, nr);
	return maps;
}

/**
 * kprof_maps_find() - find the executable mapping at an address
 * @maps:	mappings of a process
 * @addr:	the address
 *
 * Context: any, NMI included. Return: the mapping, NULL if there is none.
 */
const struct kprof_map *kprof_maps_find(const struct kprof_maps *maps, unsigned long addr)
{
	u32 low = 0, high = maps->nr, middle;

	while (low < high) {
		/* Stays near the table where the processor speculates past the end of the loop. */
		middle = (low + high) / 2;
		if (addr >= maps->map[middle].end)
			low = middle + 1;
		else if (addr < maps->map[middle].start)
			high = middle;
		else
			return &maps->map[array_index_nospec(middle, maps->nr)];
	}
	return NULL;
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
