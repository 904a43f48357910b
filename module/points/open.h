/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.h - the spans that have begun and not ended yet
 *
 * A table that all CPUs share: a span may end on another than it began on. It has groups of
 * KPROF_OPEN_WAYS slots; a key belongs into one group. A slot is taken, and let go, by
 * compare-and-exchange on its state, which carries a number that goes up each time: who saw
 * a key beside a state that is still the same has seen it right.
 */
#ifndef KPROF_OPEN_H
#define KPROF_OPEN_H

#include <linux/types.h>

#include "calls/call.h"

#define KPROF_OPEN_WAYS	8

/**
 * struct kprof_open - a span that has begun
 * @call:	its beginning
 * @bytes:	its size, where it has one
 * @slot:	where it is in the table
 */
struct kprof_open {
	struct kprof_call call;
	u64 bytes;
	u32 slot;
};

int kprof_open_init(u32 capacity);
void kprof_open_exit(void);
size_t kprof_open_size(u32 capacity);
u32 kprof_open_capacity(void);

struct kprof_open *kprof_open_claim(u16 source, u64 key, bool *replaced);
void kprof_open_publish(struct kprof_open *open);
struct kprof_open *kprof_open_take(u16 source, u64 key);
void kprof_open_release(struct kprof_open *open);

bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open);
u64 kprof_open_count(u16 source);
u64 kprof_open_forget(u16 source);

#endif /* KPROF_OPEN_H */
