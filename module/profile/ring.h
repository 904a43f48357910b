/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - per-CPU ring of records for a reader
 *
 * Only one CPU writes a ring, and only its own interrupts interrupt it. One reader at
 * a time removes records, from any CPU. When the ring is full, the newest record is
 * dropped and counted. A ring without memory, all zeroes, is always full. The unit
 * tests compile this for the host, too.
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
 * @size:	number of records, a power of two: the bit of a position that flips each lap
 * @head:	number of records reserved so far; written by the ring's CPU
 * @dropped:	number of records that found no room; written by the ring's CPU
 * @tail:	number of records removed so far; written by the reader
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
