// SPDX-License-Identifier: GPL-2.0-only
/*
 * open.c - the spans that have begun and not ended yet: a table without locks
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/vmalloc.h>

#include "points/open.h"

struct slot {
	u64 state;
	u64 key;
};

static struct slot *slots;
static struct kprof_open *opens;
static u8 *reach;	/* of each group: how many slots, from its first, were ever taken */
static u32 nr_groups;

static u64 open_of(u16 source)
{
	return KPROF_SLOT_OPEN | ((u64)source << KPROF_SLOT_SOURCE);
}

static __always_inline u32 group_of(u16 source, u64 key)
{
	return hash_64(key + source * 0x9e3779b9ULL, 32) & (nr_groups - 1);
}

/* The slot is in hand from now on, unless it is another's meanwhile. */
static __always_inline bool grab(struct slot *slot, u64 seen, u16 source)
{
	u64 busy = KPROF_SLOT_BUSY | ((u64)source << KPROF_SLOT_SOURCE);
	u64 mine = (seen & ~KPROF_SLOT_WHOSE) + KPROF_SLOT_TURN + busy;

	return cmpxchg(&slot->state, seen, mine) == seen;
}

static __always_inline struct kprof_open *in_hand(struct slot *slot, u64 key, bool replaced)
{
	struct kprof_open *open = &opens[slot - slots];

	WRITE_ONCE(slot->key, key);
	open->state = &slot->state;
	open->replaced = replaced;
	return open;
}

static void extend(u32 group, u8 nr)
{
	u8 seen;

	do {
		seen = READ_ONCE(reach[group]);
	} while (seen < nr && cmpxchg(&reach[group], seen, nr) != seen);
}

/* Any free slot of a group. */
static noinline struct kprof_open *claim_any(u32 group, u16 source, u64 key)
{
	struct slot *slot = &slots[group * KPROF_OPEN_WAYS];
	u64 seen;
	u8 i;

	for (i = 0; i < KPROF_OPEN_WAYS; i++, slot++) {
		seen = READ_ONCE(slot->state);
		if (seen & KPROF_SLOT_WHOSE)
			continue;
		extend(group, i + 1);
		if (grab(slot, seen, source))
			return in_hand(slot, key, false);
	}
	return NULL;
}
NOKPROBE_SYMBOL(claim_any);

/**
 * kprof_open_claim() - a span begins: take a slot for it
 * @source:	whose span it is
 * @key:	what joins it with its end
 *
 * Another one with that key that had begun is forgotten: the span says that it was.
 *
 * Context: any, NMI included. Return: the span, in hand until kprof_open_publish() or
 * kprof_open_release(); NULL if its group is full.
 */
struct kprof_open *kprof_open_claim(u16 source, u64 key)
{
	u32 group = group_of(source, key);
	struct slot *slot = &slots[group * KPROF_OPEN_WAYS];
	struct slot *end = slot + READ_ONCE(reach[group]), *free = NULL;
	const u64 mine = open_of(source);
	u64 seen, whose, free_state = 0;

	for (; slot < end; slot++) {
		seen = smp_load_acquire(&slot->state);	/* the key is of this state or later */
		whose = seen & KPROF_SLOT_WHOSE;
		if (!whose) {
			free = slot;
			free_state = seen;
		} else if (whose == mine && READ_ONCE(slot->key) == key &&
			   grab(slot, seen, source)) {
			return in_hand(slot, key, true);
		}
	}
	if (likely(free && grab(free, free_state, source)))
		return in_hand(free, key, false);
	return claim_any(group, source, key);
}
NOKPROBE_SYMBOL(kprof_open_claim);

/**
 * kprof_open_take() - a span ends
 * @source:	whose span it is
 * @key:	what joins it with its beginning
 *
 * Context: any, NMI included. Return: the span, in hand until kprof_open_release(); NULL if
 * none has begun.
 */
struct kprof_open *kprof_open_take(u16 source, u64 key)
{
	u32 group = group_of(source, key);
	struct slot *slot = &slots[group * KPROF_OPEN_WAYS];
	struct slot *end = slot + READ_ONCE(reach[group]);
	const u64 mine = open_of(source);
	u64 seen;

	for (; slot < end; slot++) {
		seen = smp_load_acquire(&slot->state);	/* the key is of this state or later */
		if ((seen & KPROF_SLOT_WHOSE) == mine && READ_ONCE(slot->key) == key &&
		    grab(slot, seen, source))
			return &opens[slot - slots];
	}
	return NULL;
}
NOKPROBE_SYMBOL(kprof_open_take);

/**
 * kprof_open_next() - go through the spans that are open
 * @source:	whose
 * @at:		0 at first
 * @open:	the next one goes there
 *
 * One that begins or ends meanwhile may be in or not.
 *
 * Context: any. Return: whether there is another one.
 */
bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open)
{
	u64 seen;
	u32 i;

	while (*at < nr_groups * KPROF_OPEN_WAYS) {
		i = (*at)++;
		seen = smp_load_acquire(&slots[i].state);	/* all of it was there before */
		if ((seen & KPROF_SLOT_WHOSE) != open_of(source))
			continue;
		/* What changes meanwhile is seen below, and not used. */
		data_race(*open = opens[i]);
		smp_rmb();	/* who changes it has taken the slot before */
		if (READ_ONCE(slots[i].state) == seen)
			return true;
	}
	return false;
}

/**
 * kprof_open_count() - how many spans are open
 * @source:	whose
 *
 * Context: any. Return: how many.
 */
u64 kprof_open_count(u16 source)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < nr_groups * KPROF_OPEN_WAYS; i++)
		n += (READ_ONCE(slots[i].state) & KPROF_SLOT_WHOSE) == open_of(source);
	return n;
}

/**
 * kprof_open_forget() - what is open will not end
 * @source:	whose
 *
 * Context: none of them begins or ends meanwhile. Return: how many there were.
 */
u64 kprof_open_forget(u16 source)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < nr_groups * KPROF_OPEN_WAYS; i++) {
		if ((slots[i].state & KPROF_SLOT_WHOSE) != open_of(source))
			continue;
		slots[i].state &= ~KPROF_SLOT_WHOSE;
		n++;
	}
	return n;
}

static u32 groups_for(u32 capacity)
{
	return roundup_pow_of_two(DIV_ROUND_UP(capacity, KPROF_OPEN_WAYS));
}

/**
 * kprof_open_size() - how much memory the table takes
 * @capacity:	how many spans it shall have room for
 *
 * Context: any. Return: bytes.
 */
size_t kprof_open_size(u32 capacity)
{
	if (!capacity)
		return 0;
	return (size_t)groups_for(capacity) *
	       (KPROF_OPEN_WAYS * (sizeof(*slots) + sizeof(*opens)) + sizeof(*reach));
}

/**
 * kprof_open_capacity() - how many spans there is room for
 *
 * Context: any. Return: how many.
 */
u32 kprof_open_capacity(void)
{
	return nr_groups * KPROF_OPEN_WAYS;
}

/**
 * kprof_open_init() - take the memory of the table, in place of what it has
 * @capacity:	how many spans it shall have room for; rounded up
 *
 * Context: sleeps; nothing begins or ends meanwhile. Return: 0, or -ENOMEM with the old one
 * as it was.
 */
int kprof_open_init(u32 capacity)
{
	u32 nr = groups_for(capacity) * KPROF_OPEN_WAYS;
	struct slot *new_slots = vzalloc((size_t)nr * sizeof(*slots));
	struct kprof_open *new_opens = vzalloc((size_t)nr * sizeof(*opens));
	u8 *new_reach = vzalloc(nr / KPROF_OPEN_WAYS);

	if (!new_slots || !new_opens || !new_reach) {
		vfree(new_slots);
		vfree(new_opens);
		vfree(new_reach);
		return -ENOMEM;
	}
	kprof_open_exit();
	slots = new_slots;
	opens = new_opens;
	reach = new_reach;
	nr_groups = nr / KPROF_OPEN_WAYS;
	return 0;
}

/**
 * kprof_open_exit() - give the memory of the table back
 *
 * Context: sleeps; nothing begins or ends any more.
 */
void kprof_open_exit(void)
{
	vfree(slots);
	vfree(opens);
	vfree(reach);
	slots = NULL;
	opens = NULL;
	reach = NULL;
	nr_groups = 0;
}
