// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring.c - the records of one CPU, on their way to a reader
 *
 * A record is reserved by moving the head, written, and committed by the phase
 * bit in its last word: the bit that says "of this lap" flips with each lap.
 * An interrupt between reservation and commit reserves and commits the next
 * record; the reader stops in front of the first that is not committed.
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
 * kprof_ring_init() - take the memory of a ring
 * @ring:	the ring, all zeroes; what was dropped until now stays counted
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
 * kprof_ring_free() - give the memory of a ring back
 * @ring:	the ring; one that is all zeroes is fine
 *
 * Context: sleeps; no writer and no reader may be left.
 */
void kprof_ring_free(struct kprof_ring *ring)
{
	vfree(ring->rec);
	ring->rec = NULL;
	ring->size = 0;
}

/**
 * kprof_ring_clear() - forget every record and every drop
 * @ring:	the ring
 *
 * Context: any; no writer and no reader may be at work.
 */
void kprof_ring_clear(struct kprof_ring *ring)
{
	if (ring->size)
		memset(ring->rec, 0, sizeof(*ring->rec) * ring->size);
	ring->head = 0;
	ring->tail = 0;
	local64_set(&ring->dropped, 0);
}

/* Room for @nr records in a row, at *position; false, and counted, if there is none. */
static __always_inline bool reserve(struct kprof_ring *ring, u32 nr, u64 *position)
{
	u64 head, tail;

	do {
		/* The tail first: an interrupt may move both past an older head. */
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
	/* The commit: pairs with kprof_ring_peek(). */
	smp_store_release(&slot->info,
			  (rec->info & ~KPROF_INFO_PHASE) | phase(ring, position));
}

/**
 * kprof_ring_put() - add a record
 * @ring:	the ring of the CPU this runs on
 * @rec:	the record; the phase bit of its info is the ring's
 *
 * Context: any, NMI included, without migration.
 * Return: false if there was no room: the record is dropped and counted.
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
 * kprof_ring_put_pair() - add two records, with nothing in between
 * @ring:	the ring of the CPU this runs on
 * @rec:	both of them
 *
 * Context: any, NMI included, without migration.
 * Return: false if there was no room for both: both are dropped and counted.
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
 * kprof_ring_peek() - look at the first records; they stay
 * @ring:	the ring
 * @to:		where they go
 * @max:	how many at most
 *
 * Context: any; one reader at a time.
 * Return: how many there were; 0 if the ring is empty or its first record is
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
 * kprof_ring_skip() - take the first records out
 * @ring:	the ring
 * @nr:		how many; no more than kprof_ring_peek() has found
 *
 * Context: any; one reader at a time.
 */
void kprof_ring_skip(struct kprof_ring *ring, u32 nr)
{
	/* Their room is free: pairs with reserve(). */
	smp_store_release(&ring->tail, ring->tail + nr);
}

/**
 * kprof_ring_empty() - is there nothing to take
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
 * kprof_ring_fill() - records waiting
 * @ring:	the ring
 *
 * Context: any. Return: records reserved and not taken out.
 */
u64 kprof_ring_fill(const struct kprof_ring *ring)
{
	u64 tail = READ_ONCE(ring->tail);

	return READ_ONCE(ring->head) - tail;
}
