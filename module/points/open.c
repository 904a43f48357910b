// SPDX-License-Identifier: GPL-2.0-only
/*
 * open.c - lockless table of open spans, which have begun and not ended yet
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/vmalloc.h>

#include "base/available.h"
#include "points/open.h"

struct slot {
	u64 state;
	u64 key;
};

static struct slot *slots;
static struct kprof_open *opens;
static u8 *reach;	/* for each group: number of slots, from the first, that were ever taken */
static u32 nr_groups;

static u64 open_of(u16 source)
{
	return KPROF_SLOT_OPEN | ((u64)source << KPROF_SLOT_SOURCE);
}

/* Is a slot open for a source: wanted or not? The two kinds differ in the lowest bit. */
static __always_inline bool is_of(u64 state, u64 open)
{
	return ((state & KPROF_SLOT_WHOSE) | 1) == (open | 1);
}

static __always_inline u32 group_of(u16 source, u64 key)
{
	return hash_64(key + source * 0x9e3779b9ULL, 32) & (nr_groups - 1);
}

/* Take a slot, unless somebody else has taken it meanwhile. */
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
	open->is_unwanted = false;
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
 * kprof_open_claim() - take a slot for a span that begins
 * @source:	the span's source
 * @key:	joins the beginning with its end
 *
 * If an earlier span with the same key is open, it is discarded, and @replaced is set.
 *
 * Context: any, NMI included. Return: the span, owned by the caller until kprof_open_publish()
 * or kprof_open_release(); NULL if its group is full.
 */
struct kprof_open *kprof_open_claim(u16 source, u64 key)
{
	u32 group = group_of(source, key);
	struct slot *slot = &slots[group * KPROF_OPEN_WAYS];
	struct slot *end = slot + READ_ONCE(reach[group]), *free = NULL;
	const u64 mine = open_of(source);
	u64 seen, whose, free_state = 0;

	for (; slot < end; slot++) {
		seen = smp_load_acquire(&slot->state);	/* the key is at least as new as this */
		whose = seen & KPROF_SLOT_WHOSE;
		if (!whose) {
			free = slot;
			free_state = seen;
		} else if (is_of(whose, mine) && READ_ONCE(slot->key) == key &&
			   grab(slot, seen, source)) {
			return in_hand(slot, key, whose == mine);
		}
	}
	if (likely(free && grab(free, free_state, source)))
		return in_hand(free, key, false);
	return claim_any(group, source, key);
}
NOKPROBE_SYMBOL(kprof_open_claim);

/* The open span of a key, which is taken or stays open; NULL if there is none. */
static __always_inline struct kprof_open *find(u16 source, u64 key, bool take)
{
	u32 group = group_of(source, key);
	struct slot *slot = &slots[group * KPROF_OPEN_WAYS];
	struct slot *end = slot + READ_ONCE(reach[group]);
	const u64 mine = open_of(source);
	u64 seen;

	for (; slot < end; slot++) {
		seen = smp_load_acquire(&slot->state);	/* the key is at least as new as this */
		if (is_of(seen, mine) && READ_ONCE(slot->key) == key &&
		    (!take || grab(slot, seen, source)))
			return &opens[slot - slots];
	}
	return NULL;
}

/**
 * kprof_open_take() - take the open span that ends
 * @source:	the span's source
 * @key:	joins the end with its beginning
 *
 * Context: any, NMI included. Return: the span, owned by the caller until kprof_open_release();
 * NULL if none has begun.
 */
struct kprof_open *kprof_open_take(u16 source, u64 key)
{
	return find(source, key, true);
}
NOKPROBE_SYMBOL(kprof_open_take);

/**
 * kprof_open_peek() - look at an open span, which stays open
 * @source:	the source of the span
 * @key:	joins the beginning with its end
 *
 * Context: any in which nothing else begins, ends or discards a span of that key. Return: the
 * span; NULL if none has begun.
 */
const struct kprof_open *kprof_open_peek(u16 source, u64 key)
{
	return find(source, key, false);
}

/**
 * kprof_open_next() - iterate over the open spans
 * @source:	the source of the spans
 * @at:		cursor; 0 at first
 * @open:	receives a copy of the next span
 *
 * A span that begins or ends meanwhile may be included or not.
 *
 * Context: any. Return: whether there was another one.
 */
bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open)
{
	u64 seen;
	u32 i;

	while (*at < nr_groups * KPROF_OPEN_WAYS) {
		i = (*at)++;
		seen = smp_load_acquire(&slots[i].state);	/* the span was complete before */
		if ((seen & KPROF_SLOT_WHOSE) != open_of(source))
			continue;
		/* A concurrent change is noticed below, and the copy is not used. */
		data_race(*open = opens[i]);
		smp_rmb();	/* a writer takes the slot before it changes the span */
		if (READ_ONCE(slots[i].state) == seen)
			return true;
	}
	return false;
}

/**
 * kprof_open_count() - count the open spans
 * @source:	the source of the spans
 *
 * Context: any. Return: number of spans.
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
 * kprof_open_forget() - discard the open spans, as they will not end
 * @source:	the source of the spans
 *
 * Context: none of them begins or ends meanwhile. Return: number of spans discarded.
 */
u64 kprof_open_forget(u16 source)
{
	u64 n = 0;
	u32 i;

	for (i = 0; i < nr_groups * KPROF_OPEN_WAYS; i++) {
		if (!is_of(slots[i].state, open_of(source)))
			continue;
		n += (slots[i].state & KPROF_SLOT_KIND) == KPROF_SLOT_OPEN;
		slots[i].state &= ~KPROF_SLOT_WHOSE;
	}
	return n;
}

static u32 groups_for(u32 capacity)
{
	return roundup_pow_of_two(DIV_ROUND_UP(capacity, KPROF_OPEN_WAYS));
}

/**
 * kprof_open_size() - how much memory the table takes
 * @capacity:	number of spans it must have room for
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
 * kprof_open_capacity() - number of spans the table has room for
 *
 * Context: any. Return: number of spans.
 */
u32 kprof_open_capacity(void)
{
	return nr_groups * KPROF_OPEN_WAYS;
}

/**
 * kprof_open_init() - allocate the table, and replace the old one
 * @capacity:	number of spans it must have room for; rounded up
 *
 * Context: sleeps; no span begins or ends meanwhile. Return: 0; or -ENOMEM, and the old
 * table is unchanged.
 */
int kprof_open_init(u32 capacity)
{
	u32 nr = groups_for(capacity) * KPROF_OPEN_WAYS;
	struct kprof_open *new_opens;
	struct slot *new_slots;
	u8 *new_reach;

	if (!kprof_is_available(kprof_open_size(capacity)))
		return -ENOMEM;
	new_slots = vzalloc((size_t)nr * sizeof(*slots));
	new_opens = vzalloc((size_t)nr * sizeof(*opens));
	new_reach = vzalloc(nr / KPROF_OPEN_WAYS);
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
 * kprof_open_exit() - free the table
 *
 * Context: sleeps; no span begins or ends from here on.
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
