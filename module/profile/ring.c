// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - per-CPU ring of records for a reader
 *
 * A record is reserved by moving the head, written, and committed by the phase
 * bit in its last word. The meaning of this bit flips with each lap of the ring.
 * An interrupt between reservation and commit reserves and commits the next
 * record. The reader stops at the first record that is not committed.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "profile/ring.h"

static u32 phase(const struct kprof_ring *ring, u64 position)
{
	return position & ring->size ? 0 : KPROF_INFO_PHASE;
}

static struct kprof_record *record_at(const struct kprof_ring *ring, u64 position)
{
	return &ring->rec[position & (ring->size - 1)];
}

static u64 slots_for(u32 kilobytes)
{
	return roundup_pow_of_two(kilobytes * 1024 / sizeof(struct kprof_record));
}

/**
 * kprof_ring_size() - memory a ring will take
 * @kilobytes:	its size; rounded up to a power of two
 *
 * Context: any. Return: bytes.
 */
size_t kprof_ring_size(u32 kilobytes)
{
	return slots_for(kilobytes) * sizeof(struct kprof_record);
}

/**
 * kprof_ring_init() - allocate a ring
 * @ring:	the ring, all zeroes except for the count of dropped records, which is kept
 * @kilobytes:	its size; rounded up to a power of two
 * @node:	NUMA node of its CPU
 *
 * Context: sleeps. Return: 0 or -ENOMEM.
 */
int kprof_ring_init(struct kprof_ring *ring, u32 kilobytes, int node)
{
	ring->size = slots_for(kilobytes);
	ring->rec = vzalloc_node(kprof_ring_size(kilobytes), node);
	return ring->rec ? 0 : -ENOMEM;
}

/**
 * kprof_ring_free() - free a ring
 * @ring:	the ring; may be all zeroes
 *
 * Context: sleeps; there are no more writers or readers.
 */
void kprof_ring_free(struct kprof_ring *ring)
{
	vfree(ring->rec);
	ring->rec = NULL;
	ring->size = 0;
}

/**
 * kprof_ring_clear() - discard all records and reset the count of dropped ones
 * @ring:	the ring
 *
 * Context: any; no writer or reader is active.
 */
void kprof_ring_clear(struct kprof_ring *ring)
{
	/* Behind the head, a ring that has not been filled yet is empty. */
	if (ring->size)
		memset(ring->rec, 0, sizeof(*ring->rec) * min_t(u64, ring->head, ring->size));
	ring->head = 0;
	ring->tail = 0;
	local64_set(&ring->dropped, 0);
}

/* Reserve @nr adjacent records, at *position. Return: false if full; the drop is counted. */
static __always_inline bool reserve(struct kprof_ring *ring, u32 nr, u64 *position)
{
	u64 head, tail;

	do {
		/* Read the tail first: an interrupt may move both past a head read before. */
		tail = smp_load_acquire(&ring->tail);
		head = READ_ONCE(ring->head);
		if (head + nr - tail > ring->size) {
			local64_add(nr, &ring->dropped);
			return false;
		}
	} while (cmpxchg_local(&ring->head, head, head + nr) != head);
	*position = head;
	return true;
}

static __always_inline void commit(struct kprof_ring *ring, u64 position,
				   const struct kprof_record *rec)
{
	struct kprof_record *slot = record_at(ring, position);

	slot->time = rec->time;
	slot->weight = rec->weight;
	slot->key = rec->key;
	slot->pid = rec->pid;
	/* This commits the record: pairs with kprof_ring_peek(). */
	smp_store_release(&slot->info,
			  (rec->info & ~KPROF_INFO_PHASE) | phase(ring, position));
}

/**
 * kprof_ring_put() - add a record
 * @ring:	the ring of the CPU this runs on
 * @rec:	the record; the phase bit of its info is set by the ring
 *
 * Context: any, NMI included, without migration.
 * Return: false if there was no room; then the record is dropped and counted.
 */
bool kprof_ring_put(struct kprof_ring *ring, const struct kprof_record *rec)
{
	u64 position;

	if (!reserve(ring, 1, &position))
		return false;
	commit(ring, position, rec);
	return true;
}

/**
 * kprof_ring_put_pair() - add two adjacent records
 * @ring:	the ring of the CPU this runs on
 * @rec:	the two records
 *
 * Context: any, NMI included, without migration.
 * Return: false if there was no room for both; then both are dropped and counted.
 */
bool kprof_ring_put_pair(struct kprof_ring *ring, const struct kprof_record rec[2])
{
	u64 position;

	if (!reserve(ring, 2, &position))
		return false;
	commit(ring, position, &rec[0]);
	commit(ring, position + 1, &rec[1]);
	return true;
}

/**
 * kprof_ring_peek() - copy the first records, but leave them in the ring
 * @ring:	the ring
 * @to:		where they go
 * @max:	maximum number of records
 *
 * Context: any; one reader at a time.
 * Return: number of records; 0 if the ring is empty or its first record is
 * still being written.
 */
u32 kprof_ring_peek(const struct kprof_ring *ring, struct kprof_record *to, u32 max)
{
	u64 tail = ring->tail;
	u32 n;

	if (!ring->size)
		return 0;
	for (n = 0; n < max; n++, tail++) {
		struct kprof_record *slot = record_at(ring, tail);
		/* pairs with commit() */
		u32 info = smp_load_acquire(&slot->info);

		if ((info & KPROF_INFO_PHASE) != phase(ring, tail))
			break;
		to[n] = *slot;
		to[n].info = info & ~KPROF_INFO_PHASE;
	}
	return n;
}

/**
 * kprof_ring_skip() - remove the first records
 * @ring:	the ring
 * @nr:		number of records; at most what kprof_ring_peek() has returned
 *
 * Context: any; one reader at a time.
 */
void kprof_ring_skip(struct kprof_ring *ring, u32 nr)
{
	/* This frees their room: pairs with reserve(). */
	smp_store_release(&ring->tail, ring->tail + nr);
}

/**
 * kprof_ring_empty() - is there nothing to read
 * @ring:	the ring
 *
 * Context: any. Return: whether kprof_ring_peek() would return 0 now.
 */
bool kprof_ring_empty(const struct kprof_ring *ring)
{
	u64 tail = READ_ONCE(ring->tail);

	return !ring->size || (READ_ONCE(record_at(ring, tail)->info) & KPROF_INFO_PHASE) !=
				      phase(ring, tail);
}

/**
 * kprof_ring_fill() - number of records waiting
 * @ring:	the ring
 *
 * Context: any. Return: number of records reserved and not yet removed.
 */
u64 kprof_ring_fill(const struct kprof_ring *ring)
{
	u64 tail = READ_ONCE(ring->tail);

	return READ_ONCE(ring->head) - tail;
}
