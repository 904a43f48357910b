/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - the records of one CPU, on their way to a reader
 *
 * One CPU writes, interrupted by its own interrupts; one reader at a time
 * takes records out, from any CPU. When there is no room the newest record is
 * dropped and counted; one without memory, all zeroes, has room for none. Compiled
 * for the host too, by the unit tests.
 */
#ifndef KPROF_RING_H
#define KPROF_RING_H

#include <asm/local64.h>
#include <linux/cache.h>
#include <linux/types.h>

#include "uapi/kprof.h"

/**
 * struct kprof_ring - a ring of records
 * @rec:	the records
 * @size:	how many there are, a power of two: the bit that flips with each lap
 * @head:	records reserved since the start; the writing CPU's
 * @dropped:	records that found no room; the writing CPU's
 * @tail:	records taken out since the start; the reader's
 */
struct kprof_ring {
	struct kprof_record *rec;
	u64		size;
	u64		head ____cacheline_aligned_in_smp;
	local64_t	dropped;
	u64		tail ____cacheline_aligned_in_smp;
};

int kprof_ring_init(struct kprof_ring *ring, u32 kilobytes, int node);
void kprof_ring_free(struct kprof_ring *ring);
void kprof_ring_clear(struct kprof_ring *ring);
bool kprof_ring_put(struct kprof_ring *ring, const struct kprof_record *rec);
bool kprof_ring_put_pair(struct kprof_ring *ring, const struct kprof_record rec[2]);
u32 kprof_ring_peek(const struct kprof_ring *ring, struct kprof_record *to, u32 max);
void kprof_ring_skip(struct kprof_ring *ring, u32 nr);
bool kprof_ring_empty(const struct kprof_ring *ring);
u64 kprof_ring_fill(const struct kprof_ring *ring);
size_t kprof_ring_size(u32 kilobytes);

#endif /* KPROF_RING_H */
