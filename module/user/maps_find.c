// SPDX-License-Identifier: GPL-2.0-only
/*
 * maps_find.c - what is mapped at an address, and what is not known of it as it has changed
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/nospec.h>

#include "uapi/kprof.h"
#include "user/mapped.h"
#include "user/maps.h"

/**
 * kprof_maps_spoil() - what is mapped at some addresses may change: nothing is known of it any more
 * @maps:	mappings of a process
 * @from:	the first address
 * @to:		the first address after them
 *
 * One range is kept for each process, which contains all that have changed.
 *
 * Context: any.
 */
void kprof_maps_spoil(const struct kprof_maps *maps, unsigned long from, unsigned long to)
{
	struct kprof_maps *spoilt = (struct kprof_maps *)maps;
	unsigned long seen = READ_ONCE(spoilt->dirty_from);

	/* The beginning first: without an end, there is no range. */
	while (from < seen && !try_cmpxchg(&spoilt->dirty_from, &seen, from))
		;
	seen = READ_ONCE(spoilt->dirty_to);
	while (to > seen && !try_cmpxchg(&spoilt->dirty_to, &seen, to))
		;
}

/**
 * kprof_maps_within() - is there an executable mapping at some addresses
 * @maps:	mappings of a process
 * @from:	the first address
 * @to:		the first address after them
 *
 * Context: any, NMI included. Return: whether there was one when they were recorded.
 */
bool kprof_maps_within(const struct kprof_maps *maps, unsigned long from, unsigned long to)
{
	u32 low = 0, high = maps->nr, middle;

	/* Find the first one that ends after @from. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (maps->map[middle].end <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < maps->nr && maps->map[low].start < to;
}

static __always_inline const struct kprof_map *search(const struct kprof_maps *maps,
						      unsigned long addr)
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
 * kprof_maps_look() - find the executable mapping at an address, to look at it only
 * @maps:	mappings of a process
 * @addr:	the address
 *
 * Context: any, NMI included. Return: the mapping as it was recorded, NULL if there is none.
 */
const struct kprof_map *kprof_maps_look(const struct kprof_maps *maps, unsigned long addr)
{
	return search(maps, addr);
}

/**
 * kprof_maps_number() - the number of the file of a mapping, which gets one if it has none
 * @maps:	mappings of a process
 * @map:	one of them
 *
 * Context: any, NMI included; preemption is disabled since @maps were found. Return: the number; 0
 * if the mapping is of no file.
 */
u32 kprof_maps_number(const struct kprof_maps *maps, const struct kprof_map *map)
{
	u64 place = READ_ONCE(map->place);
	u32 id = KPROF_USER_FILE(place);

	if (!map->mapped || (id && id != READ_ONCE(kprof_mapped_full)))
		return id;
	id = kprof_mapped_number(map->mapped, maps->share);
	WRITE_ONCE(((struct kprof_map *)map)->place,
		   (u64)id << KPROF_USER_SHIFT | KPROF_USER_OFFSET(place));
	return id;
}

/**
 * kprof_maps_find() - find the executable mapping at an address, for a sample
 * @maps:	mappings of a process
 * @addr:	the address
 *
 * Context: any, NMI included; preemption is disabled since @maps were found. Return: the mapping,
 * whose file may have no number yet; NULL if there is none, or it may have changed since.
 */
const struct kprof_map *kprof_maps_find(const struct kprof_maps *maps, unsigned long addr)
{
	const struct kprof_map *map = search(maps, addr);

	if (!map || kprof_maps_are_dirty(maps, map->start, map->end))
		return NULL;
	return map;
}
