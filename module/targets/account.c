// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - sums and statistics of a target's calls
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "base/text.h"
#include "calls/calls.h"
#include "points/points.h"
#include "targets/account.h"
#include "trampoline/trampoline.h"

/* The names used in "stats". */
static const char * const probe_names[] = {
	[KPROF_PROBE_ENTRY] = "kprobe",
	[KPROF_PROBE_CALL] = "kretprobe",
	[KPROF_PROBE_DIRECT] = "direct",
	[KPROF_PROBE_POINT] = "point",
	[KPROF_PROBE_SPAN] = "span",
};

/* Read the kernel's own counters, of whichever probe it is, and the trampoline's. */
static void read_missed(const struct kprof_target *target, u64 *missed)
{
	int cpu;

	memset(missed, 0, KPROF_NR_DROPS * sizeof(*missed));
	missed[KPROF_DROP_MAXACTIVE] = target->calls_missed + target->call.nmissed;
	missed[KPROF_DROP_REENTRY] = target->call.kp.nmissed + target->entry.nmissed +
				    kprof_points_missed(target);
	for_each_possible_cpu(cpu)
		missed[KPROF_DROP_STACK] += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->crowded);
}

/* Number of calls that ever took the short way through the trampoline. */
static u64 plain_calls(const struct kprof_target *target, int cpu)
{
	const struct kprof_target_cpu *own = per_cpu_ptr(target->cpu, cpu);
	u64 detoured = READ_ONCE(own->detoured);

	return READ_ONCE(own->entered) - detoured;
}

static void add_totals(struct kprof_source *source, struct kprof_totals *totals)
{
	struct kprof_target *target = container_of(source, struct kprof_target, source);
	u64 missed[KPROF_NR_DROPS], unsampled, filtered;
	const struct kprof_target_cpu *own;
	u64 idle, full, unbegun, by_own;
	int cpu, i;

	read_missed(target, missed);
	for (i = 0; i < KPROF_NR_DROPS; i++) {
		missed[i] -= target->missed[i];
		totals->fired += missed[i];
		totals->dropped[i] += missed[i];
	}
	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(target->cpu, cpu);
		unsampled = READ_ONCE(own->unsampled) + plain_calls(target, cpu) -
			    own->plain_before;
		filtered = READ_ONCE(own->filtered);
		by_own = READ_ONCE(own->by_own);
		idle = READ_ONCE(own->idle);
		full = READ_ONCE(own->table_full);
		unbegun = READ_ONCE(own->unbegun);
		totals->fired += unsampled + filtered + by_own + idle + full + unbegun;
		totals->dropped[KPROF_DROP_IDLE] += idle;
		totals->dropped[KPROF_DROP_TABLE] += full;
		totals->dropped[KPROF_DROP_UNBEGUN] += unbegun;
		totals->recorded += unsampled;
		totals->dropped[KPROF_DROP_FILTER] += filtered;
		totals->dropped[KPROF_DROP_OWN] += by_own;
		totals->left_out += READ_ONCE(own->left_out);
	}
}

static void print_stats(struct kprof_source *source, const struct kprof_totals *totals,
			struct kprof_text *text)
{
	const struct kprof_target *target = container_of(source, struct kprof_target, source);
	const char *way = target->probe == KPROF_PROBE_DIRECT && !target->is_short ? "_long" : "";
	u64 abandoned = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		abandoned += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->abandoned);
	kprof_text_printf(text, "%s.left_out: %llu\n", source->name, totals->left_out);
	/* Calls through the trampoline without a return seen: not yet, or never. */
	kprof_text_printf(text, "%s.inside: %llu\n", source->name, kprof_inside(target));
	kprof_text_printf(text, "%s.abandoned: %llu\n", source->name, abandoned);
	if (target->probe != KPROF_PROBE_NONE)
		kprof_text_printf(text, "%s.probe: %s%s\n", source->name,
				  probe_names[target->probe], way);
}

const struct kprof_source_kind kprof_target_kind = {
	.name = "target",
	.drops = KPROF_DROPS_ANY | KPROF_DROPS_UNSEEN,
	.add = add_totals,
	.stats = print_stats,
};

/* Recorded spans without an end seen: not yet, or it was replaced by another span, or never. */
static void print_span_stats(struct kprof_source *source, const struct kprof_totals *totals,
			     struct kprof_text *text)
{
	const struct kprof_target *target = container_of(source, struct kprof_target, source);
	u64 overwritten = 0, unended = 0, split = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		overwritten += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->overwritten);
		unended += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->unended);
		split += READ_ONCE(per_cpu_ptr(target->cpu, cpu)->split);
	}
	kprof_text_printf(text, "%s.left_out: %llu\n", source->name, totals->left_out);
	kprof_text_printf(text, "%s.open: %llu\n", source->name, kprof_open_count(source->id));
	kprof_text_printf(text, "%s.overwritten: %llu\n", source->name, overwritten);
	kprof_text_printf(text, "%s.unended: %llu\n", source->name, unended);
	kprof_text_printf(text, "%s.split: %llu\n", source->name, split);
	if (target->probe != KPROF_PROBE_NONE)
		kprof_text_printf(text, "%s.probe: %s\n", source->name,
				  probe_names[target->probe]);
}

const struct kprof_source_kind kprof_span_kind = {
	.name = "target",
	.drops = KPROF_DROPS_ANY | KPROF_DROPS_UNSEEN | BIT(KPROF_DROP_TABLE) |
		 BIT(KPROF_DROP_UNBEGUN),
	.add = add_totals,
	.stats = print_span_stats,
};

/**
 * kprof_target_clear() - reset the statistics of a target
 * @target:	any target
 *
 * Context: kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_target_clear(struct kprof_target *target)
{
	struct kprof_target_cpu *own;
	int cpu;

	kprof_span_forget(target);
	read_missed(target, target->missed);
	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(target->cpu, cpu);
		memset(&own->latency, 0, sizeof(own->latency));
		memset(own->recent, 0, sizeof(own->recent));
		own->unsampled = 0;
		own->filtered = 0;
		own->by_own = 0;
		own->plain_before = plain_calls(target, cpu);
		own->left_out = 0;
		own->idle = 0;
		own->table_full = 0;
		own->unbegun = 0;
		own->overwritten = 0;
		own->unended = 0;
		own->split = 0;
		own->abandoned = 0;
	}
}
