/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.h - per-CPU table of how often, and for how long, each key was seen
 *
 * A table is written only by its own CPU, which only its own interrupts can
 * interrupt. So CPU-local operations suffice, and no cache line is shared.
 * The unit tests compile this for the host, too.
 */
#ifndef KPROF_COUNTS_H
#define KPROF_COUNTS_H

#include <asm/local64.h>
#include <linux/types.h>

/**
 * struct kprof_count - a row
 * @key:	KPROF_KEY_*; 0 marks a free row
 * @n:		samples or calls
 * @weight:	sum of their weights: nanoseconds or events
 */
struct kprof_count {
	u64		key;
	local64_t	n;
	local64_t	weight;
};

struct kprof_counts {
	struct kprof_count *row;
	u32 mask;
};

int kprof_counts_init(struct kprof_counts *counts, u32 rows, int node);
void kprof_counts_init_none(struct kprof_counts *counts);
void kprof_counts_free(struct kprof_counts *counts);
void kprof_counts_clear(struct kprof_counts *counts);
bool kprof_counts_add(struct kprof_counts *counts, u64 key, u64 n, u64 weight);
u32 kprof_counts_used(const struct kprof_counts *counts);
size_t kprof_counts_size(u32 rows);

#endif /* KPROF_COUNTS_H */
