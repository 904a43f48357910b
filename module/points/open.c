// SPDX-License-Identifier: GPL-2.0-only
/*
 * open.c - lockless table of open spans, which have begun and not ended yet
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/vmalloc.h>

#include "base/available.h"
#include "points/open.h"

struct kprof_open_table kprof_open_table;

static struct kprof_slot *slot_at(u32 i)
{
	return &kprof_open_table.groups[i / KPROF_OPEN_WAYS].slot[i % KPROF_OPEN_WAYS];
}

static void extend(struct kprof_open_group *group, struct kprof_slot *end)
{
	struct kprof_slot *seen;

	do {
		seen = READ_ONCE(group->end);
	} while (seen < end && cmpxchg(&group->end, seen, end) != seen);
}

/*
 * The slot of the open span of a key, which is held or stays open; NULL if there is none. @was is
 * the state it had.
 */
static struct kprof_slot *find(struct kprof_open_group *group, const struct kprof_open_owner *owner,
			       u64 key, bool take, u64 *was)
{
	struct kprof_slot *slot = group->slot, *end = READ_ONCE(group->end);
	struct kprof_held held;

	for (; slot < end; slot++) {
		*was = smp_load_acquire(&slot->state);	/* the key is at least as new as this */
		if (kprof_slot_is_of(*was, owner->open) && READ_ONCE(slot->key) == key &&
		    (!take || kprof_slot_grab(&held, slot, *was, *was & KPROF_SLOT_WHOSE,
					      owner->open)))
			return slot;
	}
	return NULL;
}

/*
 * Take a slot that is free. One that is not the first is announced before it is taken, so that
 * whoever looks at the first one alone does not miss a span that began earlier.
 */
static bool grab_free(struct kprof_open_group *group, struct kprof_slot *slot, u64 open)
{
	const u64 seen = READ_ONCE(slot->state);
	const bool is_stray = slot != group->slot;
	struct kprof_held held;

	if (seen & KPROF_SLOT_WHOSE)
		return false;
	extend(group, slot + 1);
	if (is_stray)
		atomic_inc(&group->strays);
	if (kprof_slot_grab(&held, slot, seen, 0, open))
		return true;
	if (is_stray)
		atomic_dec(&group->strays);
	return false;
}

/**
 * kprof_open_claim_any() - take any slot of a group for a span that begins
 * @group:	the group
 * @owner:	of the source of the span that begins, with @overwritten
 * @key:	its key
 *
 * Context: as kprof_open_claim(). Return: the slot; NULL if the group is full.
 */
struct kprof_slot *kprof_open_claim_any(struct kprof_open_group *group,
					const struct kprof_open_owner *owner, u64 key)
{
	struct kprof_slot *slot;
	u64 was;

	slot = find(group, owner, key, true, &was);
	if (slot) {
		if ((was & KPROF_SLOT_WHOSE) == owner->open)
			this_cpu_inc(*owner->overwritten);
		return slot;
	}
	for (slot = group->slot; slot < group->slot + KPROF_OPEN_WAYS; slot++) {
		if (!grab_free(group, slot, owner->open))
			continue;
		WRITE_ONCE(slot->key, key);
		return slot;
	}
	return NULL;
}
NOKPROBE_SYMBOL(kprof_open_claim_any);

/**
 * kprof_open_take_any() - take the open span that ends, or is left out, wherever it is
 * @owner:	of the span's source
 * @key:	joins the end with its beginning
 *
 * Context: any, NMI included. Return: its slot, held by the caller until kprof_open_release();
 * NULL if no such span has begun.
 */
struct kprof_slot *kprof_open_take_any(const struct kprof_open_owner *owner, u64 key)
{
	u64 was;

	return find(kprof_open_group(owner, key), owner, key, true, &was);
}
NOKPROBE_SYMBOL(kprof_open_take_any);

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
	const struct kprof_open_owner owner = kprof_open_owner_of(source);
	const struct kprof_slot *slot;
	u64 was;

	slot = find(kprof_open_group(&owner, key), &owner, key, false, &was);
	return slot ? slot->open : NULL;
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
	const struct kprof_slot *slot;
	u64 seen;

	while (*at < kprof_open_capacity()) {
		slot = slot_at((*at)++);
		seen = smp_load_acquire(&slot->state);	/* the span was complete before */
		if ((seen & KPROF_SLOT_WHOSE) != kprof_slot_of(source))
			continue;
		/* A concurrent change is noticed below, and the copy is not used. */
		data_race(*open = *slot->open);
		smp_rmb();	/* a writer takes the slot before it changes the span */
		if (READ_ONCE(slot->state) == seen)
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

	for (i = 0; i < kprof_open_capacity(); i++)
		n += (READ_ONCE(slot_at(i)->state) & KPROF_SLOT_WHOSE) == kprof_slot_of(source);
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
	struct kprof_slot *slot;
	u64 n = 0;
	u32 i;

	for (i = 0; i < kprof_open_capacity(); i++) {
		slot = slot_at(i);
		if (!kprof_slot_is_of(slot->state, kprof_slot_of(source)))
			continue;
		n += (slot->state & KPROF_SLOT_KIND) == KPROF_SLOT_OPEN;
		kprof_open_release((struct kprof_held) { .slot = slot, .state = slot->state });
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
	       (sizeof(struct kprof_open_group) + KPROF_OPEN_WAYS * sizeof(struct kprof_open));
}

/**
 * kprof_open_capacity() - number of spans the table has room for
 *
 * Context: any. Return: number of spans.
 */
u32 kprof_open_capacity(void)
{
	return kprof_open_table.nr_groups * KPROF_OPEN_WAYS;
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
	struct kprof_open_table new = { .nr_groups = groups_for(capacity) };
	u32 i;

	if (!kprof_is_available(kprof_open_size(capacity)))
		return -ENOMEM;
	new.mask = new.nr_groups - 1;
	new.groups = vzalloc((size_t)new.nr_groups * sizeof(*new.groups));
	new.opens = vzalloc((size_t)new.nr_groups * KPROF_OPEN_WAYS * sizeof(*new.opens));
	if (!new.groups || !new.opens) {
		vfree(new.groups);
		vfree(new.opens);
		return -ENOMEM;
	}
	kprof_open_exit();
	kprof_open_table = new;
	for (i = 0; i < new.nr_groups; i++)
		new.groups[i].end = &new.groups[i].slot[1];
	for (i = 0; i < kprof_open_capacity(); i++)
		slot_at(i)->open = &new.opens[i];
	return 0;
}

/**
 * kprof_open_exit() - free the table
 *
 * Context: sleeps; no span begins or ends from here on.
 */
void kprof_open_exit(void)
{
	vfree(kprof_open_table.groups);
	vfree(kprof_open_table.opens);
	kprof_open_table = (struct kprof_open_table) { };
}
