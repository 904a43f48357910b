/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.h - the open spans, which have begun and not ended yet
 *
 * All CPUs share one table, as a span may end on a different CPU than it began on. The table has
 * groups of KPROF_OPEN_WAYS slots, and a key belongs to one group. A slot is taken and released
 * by compare-and-exchange on its state. The state has a counter that is incremented each time. If
 * the state has not changed after the key was read, the key is the right one.
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
 * @bytes:	its size, if it has one
 * @stack:	for a call in a program: the stack pointer before the call
 * @pid:	thread id of the task that it is about
 * @replaced:	an earlier span with the same key was open, and was discarded
 * @is_unwanted: a filter left it out, but it must be known where it goes on or ends; it is counted
 *		nowhere in this table
 * @state:	the state of its slot in the table
 */
struct kprof_open {
	struct kprof_call call;
	u64 bytes;
	unsigned long stack;
	u32 pid;
	bool replaced;
	bool is_unwanted;
	u64 *state;
};

/* A state has the kind of the slot, its source, and a counter of how often it was taken. */
#define KPROF_SLOT_FREE		0ULL
#define KPROF_SLOT_BUSY		1ULL	/* somebody is working on it */
#define KPROF_SLOT_OPEN		2ULL
#define KPROF_SLOT_UNWANTED	3ULL	/* open, but neither counted nor shown */
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
const struct kprof_open *kprof_open_peek(u16 source, u64 key);

bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open);
u64 kprof_open_count(u16 source);
u64 kprof_open_forget(u16 source);

/**
 * kprof_open_publish() - a span has begun, and may end from now on
 * @open:	owned by the caller, and filled in
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_publish(struct kprof_open *open)
{
	u64 kind = open->is_unwanted ? KPROF_SLOT_UNWANTED : KPROF_SLOT_OPEN;

	/* Whoever sees the span open sees its beginning. */
	smp_store_release(open->state, *open->state + kind - KPROF_SLOT_BUSY);
}

/**
 * kprof_open_release() - a span is over
 * @open:	owned by the caller
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_release(struct kprof_open *open)
{
	/* Orders all accesses to the span before the next owner's. */
	smp_store_release(open->state, *open->state & ~KPROF_SLOT_WHOSE);
}

#endif /* KPROF_OPEN_H */
