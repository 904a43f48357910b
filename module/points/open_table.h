/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open_table.h - takes spans from the table of open ones, and puts them there; for pass.h
 *
 * This is inline, as each span does both: a call would cost as much as what it does.
 */
#ifndef KPROF_OPEN_TABLE_H
#define KPROF_OPEN_TABLE_H

#include <asm/barrier.h>
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct kprof_open;

#define KPROF_OPEN_WAYS	8

/* A state has the kind of the slot, its source, and a counter of how often it was taken. */
#define KPROF_SLOT_FREE		0ULL
#define KPROF_SLOT_BUSY		1ULL	/* somebody is working on it */
#define KPROF_SLOT_OPEN		2ULL
#define KPROF_SLOT_UNWANTED	3ULL	/* open, but neither counted nor shown */
#define KPROF_SLOT_KIND		3ULL
#define KPROF_SLOT_SOURCE	2	/* the source's id begins at this bit */
#define KPROF_SLOT_TURN		(1ULL << 16)
#define KPROF_SLOT_WHOSE	(KPROF_SLOT_TURN - 1)

/**
 * struct kprof_slot - room for an open span
 * @state:	who has it; see open.h
 * @key:	joins the beginning with the end
 * @open:	the span; always the same
 */
struct kprof_slot {
	u64 state;
	u64 key;
	struct kprof_open *open;
};

/**
 * struct kprof_open_group - the slots that a key may be in
 * @end:	behind the last slot that was ever taken, and behind the first one
 * @strays:	at least as many as slots that are taken now, without the first one
 * @slot:	the slots
 *
 * Its size is a power of two, so that it is found by a shift.
 */
struct kprof_open_group {
	struct kprof_slot *end;
	atomic_t strays;
	struct kprof_slot slot[KPROF_OPEN_WAYS];
} __aligned(256);

/**
 * struct kprof_open_table - the open spans of all targets
 * @groups:	which spans are open
 * @opens:	the spans
 * @nr_groups:	number of groups, a power of two; 0 if there is no table
 * @mask:	@nr_groups less 1
 */
struct kprof_open_table {
	struct kprof_open_group *groups;
	struct kprof_open *opens;
	u32 nr_groups;
	u32 mask;
};

/**
 * struct kprof_open_owner - whose spans: what the table needs of a source
 * @open:	state of a slot that is open, without its counter
 * @salt:	added to keys, so that equal keys of two sources are in different groups
 * @overwritten: for points where spans begin: counts those that are discarded there, but not
 *		those that a filter left out
 *
 * It is made when a point is prepared, as it would cost six instructions each time.
 */
struct kprof_open_owner {
	u64 open;
	u64 salt;
	u64 __percpu *overwritten;
};

extern struct kprof_open_table kprof_open_table;

static __always_inline u64 kprof_slot_of(u16 source)
{
	return KPROF_SLOT_OPEN | ((u64)source << KPROF_SLOT_SOURCE);
}

static __always_inline struct kprof_open_owner kprof_open_owner_of(u16 source)
{
	return (struct kprof_open_owner) {
		.open = kprof_slot_of(source), .salt = source * 0x9e3779b9ULL,
	};
}

/* Is a slot open for a source: wanted or not? The two kinds differ in the lowest bit. */
static __always_inline bool kprof_slot_is_of(u64 state, u64 open)
{
	return ((state & KPROF_SLOT_WHOSE) | 1) == (open | 1);
}

static __always_inline struct kprof_open_group *
kprof_open_group(const struct kprof_open_owner *owner, u64 key)
{
	const struct kprof_open_table *table = &kprof_open_table;

	return &table->groups[hash_64(key + owner->salt, 32) & table->mask];
}

/**
 * struct kprof_held - a slot that somebody has taken, and works on
 * @slot:	the slot
 * @state:	its state, which nobody else changes
 *
 * Both are only in registers: from here on, nothing needs to be read from the slot. It is not the
 * value of a function that is not inline: for two words in one, gcc sets up a frame pointer.
 */
struct kprof_held {
	struct kprof_slot *slot;
	u64 state;
};

struct kprof_slot *kprof_open_claim_any(struct kprof_open_group *group,
					const struct kprof_open_owner *owner, u64 key);
struct kprof_slot *kprof_open_take_any(const struct kprof_open_owner *owner, u64 key);

/* The caller holds a slot, or there is none. Return: whether there is. */
static __always_inline bool kprof_open_hold(struct kprof_held *held, struct kprof_slot *slot)
{
	if (!slot)
		return false;
	*held = (struct kprof_held) { .slot = slot, .state = READ_ONCE(slot->state) };
	return true;
}

/*
 * Take a slot, unless somebody else has taken it meanwhile. @whose: the part of @seen that tells
 * whose it is.
 */
static __always_inline bool kprof_slot_grab(struct kprof_held *held, struct kprof_slot *slot,
					    u64 seen, u64 whose, u64 open)
{
	u64 busy = open - KPROF_SLOT_OPEN + KPROF_SLOT_BUSY;
	u64 mine = seen - whose + KPROF_SLOT_TURN + busy;

	if (!try_cmpxchg(&slot->state, &seen, mine))
		return false;
	*held = (struct kprof_held) { .slot = slot, .state = mine };
	return true;
}

/* Of a first slot with state @seen: is no slot of its group taken? */
static __always_inline bool kprof_open_is_free(const struct kprof_open_group *group, u64 seen)
{
	return !((seen & KPROF_SLOT_WHOSE) | (u32)atomic_read(&group->strays));
}

/**
 * kprof_open_claim() - take a slot for a span that begins
 * @owner:	of the span's source, with @overwritten
 * @key:	joins the beginning with its end
 * @held:	set to the slot, held by the caller until kprof_open_publish() or
 *		kprof_open_release()
 *
 * An earlier span with the same key is discarded. Most keys are in the first slot of their group:
 * that is taken without looking at the others, unless one of these is taken, too.
 *
 * Context: any, NMI included. Return: whether there is one; else its group is full.
 */
static __always_inline bool kprof_open_claim(const struct kprof_open_owner *owner, u64 key,
					     struct kprof_held *held)
{
	struct kprof_open_group *group = kprof_open_group(owner, key);
	struct kprof_slot *slot = group->slot;
	const u64 seen = READ_ONCE(slot->state);

	if (unlikely(!kprof_open_is_free(group, seen) ||
		     !kprof_slot_grab(held, slot, seen, 0, owner->open)))
		return kprof_open_hold(held, kprof_open_claim_any(group, owner, key));
	WRITE_ONCE(slot->key, key);
	return true;
}

/**
 * kprof_open_take() - take the open span that ends, if it is where most are
 * @group:	what kprof_open_group() returns for @owner and @key
 * @owner:	of the span's source
 * @key:	joins the end with its beginning
 * @held:	set to its slot, held by the caller until kprof_open_release()
 *
 * Context: any, NMI included. Return: whether it is there, and no filter left it out. If not, ask
 * kprof_open_take_any().
 */
static __always_inline bool kprof_open_take(struct kprof_open_group *group,
					    const struct kprof_open_owner *owner, u64 key,
					    struct kprof_held *held)
{
	struct kprof_slot *slot = group->slot;
	/* The key is at least as new as this. */
	const u64 seen = smp_load_acquire(&slot->state), open = owner->open;

	if (unlikely((seen & KPROF_SLOT_WHOSE) != open || READ_ONCE(slot->key) != key))
		return false;
	return kprof_slot_grab(held, slot, seen, open, open);
}

/* Is no span open in a group? */
static __always_inline bool kprof_open_has_none(const struct kprof_open_group *group)
{
	return kprof_open_is_free(group, READ_ONCE(group->slot->state));
}

/**
 * kprof_open_publish() - a span has begun, and may end from now on
 * @held:	its slot; the span is filled in
 * @is_unwanted: a filter left it out
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_publish(struct kprof_held held, bool is_unwanted)
{
	u64 kind = is_unwanted ? KPROF_SLOT_UNWANTED : KPROF_SLOT_OPEN;

	/* Whoever sees the span open sees its beginning. */
	smp_store_release(&held.slot->state, held.state + kind - KPROF_SLOT_BUSY);
}

/* The first slot of a group is where no other one is: groups are aligned. */
static __always_inline bool kprof_slot_is_stray(const struct kprof_slot *slot)
{
	return (unsigned long)slot % sizeof(struct kprof_open_group) !=
	       offsetof(struct kprof_open_group, slot);
}

static __always_inline struct kprof_open_group *kprof_slot_group(struct kprof_slot *slot)
{
	return PTR_ALIGN_DOWN((struct kprof_open_group *)slot, sizeof(struct kprof_open_group));
}

/**
 * kprof_open_release() - a span is over
 * @held:	its slot
 *
 * Context: any, NMI included.
 */
static __always_inline void kprof_open_release(struct kprof_held held)
{
	/* Orders all accesses to the span before the next owner's. */
	smp_store_release(&held.slot->state, held.state & ~KPROF_SLOT_WHOSE);
	if (unlikely(kprof_slot_is_stray(held.slot)))
		atomic_dec(&kprof_slot_group(held.slot)->strays);
}

#endif /* KPROF_OPEN_TABLE_H */
