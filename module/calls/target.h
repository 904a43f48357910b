/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the functions that are watched
 */
#ifndef KPROF_TARGET_H
#define KPROF_TARGET_H

#include <linux/kprobes.h>
#include <linux/list.h>

#include "calls/keys.h"
#include "capture/capture.h"
#include "profile/profile.h"

struct kprof_points;

/* Room for by=, if= and min=. */
#define KPROF_TARGET_OPTIONS	256

/* Targets that kprof_target_unregister() takes at once. */
#define KPROF_UNREGISTER_BATCH	32

#define KPROF_RECENT_ROWS	16

/* How a target is watched. */
enum kprof_probe_kind {
	KPROF_PROBE_NONE,	/* not any more */
	KPROF_PROBE_ENTRY,	/* a kprobe: calls and their stacks */
	KPROF_PROBE_CALL,	/* a kretprobe: their latency too */
	KPROF_PROBE_DIRECT,	/* the trampoline: the same, for less */
	KPROF_PROBE_POINT,	/* a point, such as a tracepoint: times it is passed */
	KPROF_PROBE_SPAN,	/* several points: the time between them */
};

/**
 * struct kprof_target_cpu - what one CPU saw of a target
 * @latency:	of the calls that have no row by context, or found no room for one
 * @unsampled:	calls that were taken without a sample (record=0)
 * @filtered:	calls that pid=, comm=, cpus= or if= left out when they began
 * @recent:	rows of recent calls by an only key: its value, shifted past the row
 * @entered:	calls that entered the trampoline here; never cleared
 * @left:	calls that left it here; never cleared
 * @detoured:	calls of those that did not take the short way; never cleared
 * @plain_before: calls that had taken it when the profile was last emptied
 * @abandoned:	calls that will never leave it: their tasks ended inside
 * @crowded:	calls that found no room on the stack for the trampoline; never cleared
 * @left_out:	calls that min= or if= left out when they returned
 * @idle:	spans that are the idle task's
 * @table_full:	spans that found no room among those that are open
 * @unbegun:	ends of spans of which no beginning was seen
 * @overwritten: spans that began, and then another one with their key did
 * @unended:	spans that began, and will never be seen to end
 */
struct kprof_target_cpu {
	struct kprof_latency latency;
	u64 unsampled;
	u64 filtered;
	u64 left_out;
	u64 detoured;
	u64 abandoned;
	u64 crowded;
	u64 idle;
	u64 table_full;
	u64 unbegun;
	u64 overwritten;
	u64 unended;
	u64 plain_before;
	u64 recent[KPROF_RECENT_ROWS];
	u64 entered;
	local64_t left;
};

#define KPROF_ARGUMENTS_FINE	(-1)	/* there are all that are asked for, or none are */
#define KPROF_ARGUMENTS_UNKNOWN	(-2)	/* BTF does not tell */

/**
 * struct kprof_target - a function, or a place in one
 * @node:	in the list of targets
 * @rcu:	until when it outlives its place in the list
 * @batch:	which call of kprof_targets_add() added it
 * @source:	the samples it causes; its name is the target's
 * @spec:	what it is, where it was given another name by as=; else empty
 * @symbol:	the function, as kprobes were given it; empty: by address
 * @address:	where its probe is
 * @lost:	its module has gone
 * @is_plain:	of its calls only the time is taken: no sample, no filter, no key but
 *		arguments where they are at hand when it returns
 * @is_span:	it is, or was, a span between points
 * @is_counted:	another target's hits() names it
 * @is_forgotten: it is not watched, and nothing is left of what was seen
 * @probe:	how it is watched
 * @place:	never armed: found the address, and goes before the trampoline comes
 * @entry:	the probe, if that is KPROF_PROBE_ENTRY
 * @call:	the probe, if that is KPROF_PROBE_CALL
 * @options:	by=, if= and min=, as they were written
 * @keys:	the same, understood
 * @arguments:	if one of them is an argument that the function does not have, how many it has;
 *		else KPROF_ARGUMENTS_*
 * @points:	of KPROF_PROBE_POINT and KPROF_PROBE_SPAN; else NULL
 * @probes_missed: times that probes of points, which have gone, were not called
 * @cpu:	what each CPU saw
 * @missed:	what the kernel had counted when the profile was last emptied
 */
struct kprof_target {
	struct list_head node;
	struct rcu_head rcu;
	u32 batch;
	struct kprof_source source;
	char spec[KPROF_SOURCE_NAME];
	char symbol[KPROF_SOURCE_NAME];
	unsigned long address;
	bool lost;
	bool is_plain;
	bool is_counted;
	bool is_span;
	bool is_forgotten;
	enum kprof_probe_kind probe;
	struct kprobe place;
	struct kprobe entry;
	struct kretprobe call;
	char options[KPROF_TARGET_OPTIONS];
	struct kprof_keyset keys;
	s8 arguments;
	struct kprof_points *points;
	u64 probes_missed;
	struct kprof_target_cpu __percpu *cpu;
	u64 missed[KPROF_NR_DROPS];
};

/* What gcc appends to a function that it changed; up to a NULL. */
extern const char * const kprof_twins[];

struct list_head *kprof_targets(void);

#endif /* KPROF_TARGET_H */
