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

#include <asm/barrier.h>
#include <linux/types.h>

#include "calls/calls.h"

#define KPROF_OPEN_WAYS	8

/**
 * struct kprof_open - a span that has begun
 * @call:	its beginning
 * @bytes:	its size, where it has one
 * @replaced:	another one with its key had begun, and is forgotten
 * @state:	of its slot in the table
 */
struct kprof_open {
	struct kprof_call call;
	u64 bytes;
	bool replaced;
	u64 *state;
};

/* A state: what the slot is, whose, and how often it has changed hands. */
#define KPROF_SLOT_FREE		0ULL
#define KPROF_SLOT_BUSY		1ULL	/* one has it in hand */
#define KPROF_SLOT_OPEN		2ULL
#define KPROF_SLOT_KIND		3ULL
#define KPROF_SLOT_SOURCE	2	/* the source's id begins at this bit */
#define KPROF_SLOT_TURN		(1ULL << 16)
#define KPROF_SLOT_WHOSE	(KPROF_SLOT_TURN - 1)

int kprof_open_init(u32 capacity);
void kprof_open_exit(void);
size_t kprof_open_size(u32 capacity);
u32 kprof_open_capacity(void);

struct kprof_open *kprof_open_claim(u16 source, u64 key);
struct kprof_open *kprof_open_take(u16 source, u64 key);

bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open);
u64 kprof_open_count(u16 source);
u64 kprof_open_forget(u16 source);

/**
 * kprof_open_publish() - a span has begun: its end may come
 * @open:	in hand, and filled in
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_publish(struct kprof_open *open)
{
	/* Who sees it open sees its beginning. */
	smp_store_release(open->state, *open->state + KPROF_SLOT_OPEN - KPROF_SLOT_BUSY);
}

/**
 * kprof_open_release() - a span is over
 * @open:	in hand
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_release(struct kprof_open *open)
{
	/* Whoever takes it next comes after all that was done with it. */
	smp_store_release(open->state, *open->state & ~KPROF_SLOT_WHOSE);
}

#endif /* KPROF_OPEN_H */
