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

/* A state: what the slot is, whose, and how often it has changed hands. */
#define FREE		0ULL
#define BUSY		1ULL	/* one who has it in hand */
#define OPEN		2ULL
#define KIND		3ULL
#define SOURCE_SHIFT	2
#define TURN		(1ULL << 16)
#define WHOSE		(TURN - 1)

struct slot {
	u64 state;
	u64 key;
};

static struct slot *slots;
static struct kprof_open *opens;
static u32 nr_groups;

static u64 open_of(u16 source)
{
	return OPEN | ((u64)source << SOURCE_SHIFT);
}

static __always_inline u32 first_slot(u16 source, u64 key)
{
	return (hash_64(key + source * 0x9e3779b9ULL, 32) & (nr_groups - 1)) * KPROF_OPEN_WAYS;
}

/* The slot is in hand from now on, unless it is another's meanwhile. */
static __always_inline bool grab(struct slot *slot, u64 seen, u16 source)
{
	u64 mine = (seen & ~WHOSE) + TURN + (BUSY | ((u64)source << SOURCE_SHIFT));

	return cmpxchg(&slot->state, seen, mine) == seen;
}

static __always_inline bool grab_open(struct slot *slot, u16 source, u64 key)
{
	u64 seen = smp_load_acquire(&slot->state);	/* the key is of this state or later */

	return (seen & WHOSE) == open_of(source) && READ_ONCE(slot->key) == key &&
	       grab(slot, seen, source);
}

static struct kprof_open *in_hand(u32 at, u64 key)
{
	WRITE_ONCE(slots[at].key, key);
	opens[at].slot = at;
	return &opens[at];
}

/**
 * kprof_open_claim() - a span begins: take a slot for it
 * @source:	whose span it is
 * @key:	what joins it with its end
 * @replaced:	another one with that key had begun, and is forgotten now
 *
 * Context: any, NMI included. Return: the span, in hand until kprof_open_publish() or
 * kprof_open_release(); NULL if its group is full.
 */
struct kprof_open *kprof_open_claim(u16 source, u64 key, bool *replaced)
{
	u32 first = first_slot(source, key), i;
	u64 seen;

	*replaced = true;
	for (i = first; i < first + KPROF_OPEN_WAYS; i++)
		if (grab_open(&slots[i], source, key))
			return in_hand(i, key);
	*replaced = false;
	for (i = first; i < first + KPROF_OPEN_WAYS; i++) {
		seen = READ_ONCE(slots[i].state);
		if ((seen & KIND) == FREE && grab(&slots[i], seen, source))
			return in_hand(i, key);
	}
	return NULL;
}
NOKPROBE_SYMBOL(kprof_open_claim);

/**
 * kprof_open_publish() - a span has begun: its end may come
 * @open:	in hand, and filled in
 *
 * Context: any, NMI included.
 */
void kprof_open_publish(struct kprof_open *open)
{
	struct slot *slot = &slots[open->slot];

	/* Who sees it open sees its beginning. */
	smp_store_release(&slot->state, slot->state + OPEN - BUSY);
}
NOKPROBE_SYMBOL(kprof_open_publish);

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
	u32 first = first_slot(source, key), i;

	for (i = first; i < first + KPROF_OPEN_WAYS; i++)
		if (grab_open(&slots[i], source, key))
			return &opens[i];
	return NULL;
}
NOKPROBE_SYMBOL(kprof_open_take);

/**
 * kprof_open_release() - a span is over
 * @open:	in hand
 *
 * Context: any, NMI included.
 */
void kprof_open_release(struct kprof_open *open)
{
	struct slot *slot = &slots[open->slot];

	/* Whoever takes it next comes after all that was done with it. */
	smp_store_release(&slot->state, slot->state & ~WHOSE);
}
NOKPROBE_SYMBOL(kprof_open_release);

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
		if ((seen & WHOSE) != open_of(source))
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
		n += (READ_ONCE(slots[i].state) & WHOSE) == open_of(source);
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
		if ((slots[i].state & WHOSE) != open_of(source))
			continue;
		slots[i].state &= ~WHOSE;
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
	return (size_t)groups_for(capacity) * KPROF_OPEN_WAYS *
	       (sizeof(*slots) + sizeof(*opens));
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

	if (!new_slots || !new_opens) {
		vfree(new_slots);
		vfree(new_opens);
		return -ENOMEM;
	}
	kprof_open_exit();
	slots = new_slots;
	opens = new_opens;
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
	slots = NULL;
	opens = NULL;
	nr_groups = 0;
}
