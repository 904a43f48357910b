// SPDX-License-Identifier: GPL-2.0-only
/*
 * open_file.c - the file open: spans that have begun and not ended, by target and context
 *
 * For allocations, this shows what is live: number of objects, and their bytes.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "base/available.h"
#include "base/clock.h"
#include "base/state.h"
#include "calls/calls.h"
#include "files/files.h"
#include "files/text_file.h"
#include "points/points.h"

/**
 * struct group - open spans of a target with the same values
 * @value:	values of the keys that are known when a span begins
 * @nr:		number of spans
 * @bytes:	sum of their sizes
 * @oldest_ns:	age of the oldest one
 * @total_ns:	sum of their ages
 */
struct group {
	u64 value[KPROF_MAX_KEYS];
	u64 nr;
	u64 bytes;
	u64 oldest_ns;
	u64 total_ns;
};

static int compare_groups(const void *a, const void *b)
{
	const struct group *one = a, *other = b;
	u32 i;

	for (i = 0; i < KPROF_MAX_KEYS; i++)
		if (one->value[i] != other->value[i])
			return (s64)one->value[i] < (s64)other->value[i] ? -1 : 1;
	return 0;
}

/* Make a group of one span. Its age is not known if the clock has changed since it began. */
static void begin_group(struct group *group, const struct kprof_keyset *keys,
			const struct kprof_open *open)
{
	u32 i;

	*group = (struct group) { .nr = 1, .bytes = open->bytes };
	if (open->call.epoch == kprof_calls_epoch)
		group->oldest_ns = kprof_clock_ns(open->call.start, kprof_clock());
	group->total_ns = group->oldest_ns;
	for (i = 0; i < keys->nr_keys; i++)
		if (!keys->key[i].is_of_end)
			group->value[i] = open->call.value[i];
}

/* Merge equal groups; they are sorted. Return: number of groups left. */
static u32 unite(struct group *group, u32 nr)
{
	struct group *last = group;
	u32 i;

	for (i = 1; i < nr; i++) {
		if (compare_groups(last, &group[i])) {
			*++last = group[i];
			continue;
		}
		last->nr += group[i].nr;
		last->bytes += group[i].bytes;
		last->oldest_ns = max(last->oldest_ns, group[i].oldest_ns);
		last->total_ns += group[i].total_ns;
	}
	return nr ? last - group + 1 : 0;
}

static void print_group(struct kprof_text *text, const struct kprof_target *target,
			const struct group *group)
{
	kprof_text_printf(text, "%s\t", target->source.name);
	if (target->keys.nr_keys)
		kprof_keyset_print(&target->keys, group->value, true, text);
	else
		kprof_text_printf(text, "-");
	kprof_text_printf(text, "\t%llu\t%llu\t%llu\t%llu\n", group->nr, group->bytes,
			  group->oldest_ns, group->total_ns);
}

static void print_target(struct kprof_text *text, const struct kprof_target *target,
			 struct group *room, u32 capacity)
{
	struct kprof_open open;
	u32 at = 0, nr = 0, i;

	while (nr < capacity && kprof_open_next(target->source.id, &at, &open))
		begin_group(&room[nr++], &target->keys, &open);
	sort(room, nr, sizeof(*room), compare_groups, NULL);
	nr = unite(room, nr);
	for (i = 0; i < nr; i++)
		print_group(text, target, &room[i]);
}

static int make_open(struct kprof_text *text)
{
	u32 capacity = kprof_open_capacity();
	struct kprof_target *target;
	struct group *room;

	kprof_text_printf(text, "target\tcontext\topen\tbytes\toldest_ns\ttotal_ns\n");
	if (!capacity)
		return 0;
	room = kprof_table(capacity, sizeof(*room));
	if (!room)
		return -ENOMEM;
	list_for_each_entry(target, kprof_targets(), node)
		if (target->is_span)
			print_target(text, target, room, capacity);
	kvfree(room);
	return 0;
}

KPROF_TEXT_FILE(open, make_open);
