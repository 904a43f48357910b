// SPDX-License-Identifier: GPL-2.0-only
/*
 * stats.c - the file stats: accounts for every sample, and for the memory
 *
 * Lines are "name: value". For each source, fired = recorded + the sum of its
 * dropped_*, and ring.offered = ring.recorded + the sum of ring.dropped_*.
 */
#include <linux/kernel.h>

#include "base/clock.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/calls.h"
#include "capture/capture.h"
#include "files/files.h"
#include "files/text_file.h"
#include "points/points.h"
#include "profile/profile.h"
#include "stacks/stacks.h"
#include "targets/targets.h"
#include "trampoline/trampoline.h"
#include "user/user.h"

static void print_cost(struct kprof_text *text, const char *kind, const struct kprof_cost *cost)
{
	if (!cost->is_known)
		return;
	kprof_text_printf(text, "probe.%s.cost_ns: %llu\n", kind, cost->cost_ns);
	kprof_text_printf(text, "probe.%s.seen_ns: %llu\n", kind, cost->seen_ns);
	kprof_text_printf(text, "probe.%s.high_ns: %llu\n", kind, cost->high_ns);
}

static void print_source(struct kprof_text *text, struct kprof_source *source)
{
	const char *name = source->name;
	struct kprof_totals totals;
	int i;

	kprof_source_totals(source, &totals);
	kprof_text_printf(text, "%s.fired: %llu\n", name, totals.fired);
	kprof_text_printf(text, "%s.recorded: %llu\n", name, totals.recorded);
	for (i = 0; i < KPROF_NR_DROPS; i++)
		if (source->kind->drops & BIT(i))
			kprof_text_printf(text, "%s.dropped_%s: %llu\n", name,
					  kprof_drop_names[i], totals.dropped[i]);
	if (source->kind->stats)
		source->kind->stats(source, &totals, text);
	kprof_text_printf(text, "%s.count_table_full: %llu\n", name, totals.overflow);
}

static void print_rings(struct kprof_text *text)
{
	u64 head, dropped, recorded = 0, lost = 0, unread = 0;
	const struct kprof_ring *ring;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = &per_cpu_ptr(kprof_profile->cpu, cpu)->ring;
		head = READ_ONCE(ring->head);
		dropped = local64_read(&ring->dropped);
		recorded += head;
		lost += dropped;
		unread += kprof_ring_fill(ring);
	}
	kprof_text_printf(text, "ring.offered: %llu\n", recorded + lost);
	kprof_text_printf(text, "ring.recorded: %llu\n", recorded);
	kprof_text_printf(text, "ring.dropped_full: %llu\n", lost);
	kprof_text_printf(text, "ring.unread: %llu\n", unread);
}

static void print_table(struct kprof_text *text, const char *name,
			const struct kprof_intern *table)
{
	kprof_text_printf(text, "%s.used: %u\n", name, kprof_intern_used(table));
	kprof_text_printf(text, "%s.capacity: %u\n", name, table->capacity);
}

static void print_user(struct kprof_text *text)
{
	struct kprof_rules_totals rules;
	struct kprof_user_totals user;
	struct kprof_pins_totals pins;
	struct kprof_mapped_totals files;
	struct kprof_follow_totals follow;

	kprof_follow_totals(&follow);
	kprof_mapped_totals(&files);
	kprof_user_totals(&user);
	kprof_pins_totals(&pins);
	kprof_mapped_rules_totals(&rules);
	kprof_text_printf(text, "user.taken: %llu\n", user.taken);
	kprof_text_printf(text, "user.cut: %llu\n", user.cut);
	kprof_text_printf(text, "user.partial: %llu\n", user.partial);
	kprof_text_printf(text, "user.ruled: %llu\n", user.ruled);
	kprof_text_printf(text, "user.early: %llu\n", user.early);
	kprof_text_printf(text, "user.unknown: %llu\n", user.unknown);
	kprof_text_printf(text, "user.uncalled: %llu\n", user.uncalled);
	kprof_text_printf(text, "user.unchecked: %llu\n", user.unchecked);
	kprof_text_printf(text, "user.not_taken_nobody: %llu\n", user.nobody);
	kprof_text_printf(text, "user.not_taken_unloaded: %llu\n", user.unloaded);
	kprof_text_printf(text, "user.not_taken_fresh: %llu\n", user.fresh);
	kprof_text_printf(text, "user.not_taken_unmapped: %llu\n", user.unmapped);
	kprof_text_printf(text, "user.not_taken_stale: %llu\n", user.stale);
	kprof_text_printf(text, "user.spaces: %u\n", kprof_spaces_nr());
	kprof_text_printf(text, "user.spaces_missed: %llu\n",
			  follow.errands + follow.locks + follow.probes + follow.memory);
	kprof_text_printf(text, "user.missed_errands: %llu\n", follow.errands);
	kprof_text_printf(text, "user.missed_locks: %llu\n", follow.locks);
	kprof_text_printf(text, "user.missed_probes: %llu\n", follow.probes);
	kprof_text_printf(text, "user.missed_memory: %llu\n", follow.memory);
	kprof_text_printf(text, "user.spaces_limited: %llu\n", follow.limited);
	kprof_text_printf(text, "user.unwatched: %llu\n", follow.unwatched);
	kprof_text_printf(text, "user.maps_bytes: %lu\n", kprof_maps_bytes());
	kprof_text_printf(text, "user.maps_left_out: %llu\n", kprof_maps_left_out());
	kprof_text_printf(text, "user.files_mapped: %u\n", files.known);
	kprof_text_printf(text, "user.files: %u\n", files.rows);
	kprof_text_printf(text, "user.files_failed: %llu\n", files.failed + files.full);
	kprof_text_printf(text, "user.files_full: %llu\n", files.full);
	kprof_text_printf(text, "user.pins_met: %llu\n", pins.met);
	kprof_text_printf(text, "user.pins_held: %llu\n", pins.held);
	kprof_text_printf(text, "user.pins_taken: %llu\n", pins.taken);
	kprof_text_printf(text, "user.pins_odd: %llu\n", pins.odd);
	kprof_text_printf(text, "user.pins_far: %llu\n", pins.far);
	kprof_text_printf(text, "user.pins_late: %llu\n", pins.late);
	kprof_text_printf(text, "user.pins_dropped: %llu\n", pins.dropped);
	kprof_text_printf(text, "user.pins_full: %llu\n", pins.full);
	kprof_text_printf(text, "user.rules: %u\n", rules.files);
	kprof_text_printf(text, "user.rules_bytes: %zu\n", rules.bytes);
	kprof_text_printf(text, "user.rules_refused: %llu\n", rules.refused);
}

static int make_stats(struct kprof_text *text)
{
	struct kprof_unwind_totals unwound;
	struct kprof_source *source;
	u32 id = 0;

	kprof_text_printf(text, "abi: %u\n", KPROF_ABI_VERSION);
	kprof_text_printf(text, "pid_namespace: %u\n", kprof_ids_number());
	kprof_text_printf(text, "running: %d\n", kprof_is_on());
	while ((source = kprof_source_next(&id)))
		print_source(text, source);
	print_rings(text);
	print_table(text, "stack_table", &kprof_profile->stacks);
	print_table(text, "task_table", &kprof_profile->tasks);
	print_table(text, "row_table", &kprof_profile->contexts);
	print_table(text, "string_table", &kprof_profile->strings);
	print_table(text, "cgroup_table", &kprof_profile->paths);
	kprof_text_printf(text, "open_table.capacity: %u\n", kprof_open_capacity());
	kprof_text_printf(text, "throttling: %s\n", kprof_throttle_state());
	kprof_text_printf(text, "throttling.lost: %llu\n", kprof_throttle_lost());
	kprof_text_printf(text, "nest_table.full: %llu\n", kprof_nest_full());
	kprof_text_printf(text, "direct.patched: %llu\n", kprof_direct_passed());
	kprof_text_printf(text, "clock: %s\n",
			  static_key_enabled(&kprof_clock_is_counter) ? KPROF_CLOCK_NAME : "mono");
	kprof_text_printf(text, "clock.tick_ns: %u\n", kprof_clock_tick_ns());
	print_cost(text, "direct", &kprof_direct_cost);
	print_cost(text, "direct_long", &kprof_long_cost);
	print_cost(text, "kretprobe", &kprof_call_cost);
	print_cost(text, "kprobe", &kprof_place_cost);
	kprof_unwind_totals(&unwound);
	kprof_text_printf(text, "unwind.recalled: %llu\n", unwound.recalled);
	kprof_text_printf(text, "unwind.cached: %llu\n", unwound.cached);
	kprof_text_printf(text, "unwind.kernel: %llu\n", unwound.kernel);
	kprof_text_printf(text, "unwind.mismatch: %llu\n", unwound.mismatch);
	print_user(text);
	kprof_text_printf(text, "memory.taken: %zu\n", READ_ONCE(kprof_profile->bytes) +
			  kprof_open_size(kprof_open_capacity()));
	kprof_text_printf(text, "memory.used: %zu\n", kprof_profile_used(kprof_profile));
	return 0;
}

KPROF_TEXT_FILE(stats, make_stats);
