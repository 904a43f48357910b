/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - struct kprof_target: functions and points that are watched
 */
#ifndef KPROF_TARGET_H
#define KPROF_TARGET_H

#include <linux/atomic.h>
#include <linux/kprobes.h>
#include <linux/list.h>

#include "calls/keys.h"
#include "capture/capture.h"
#include "profile/profile.h"

struct kprof_points;

/* Room for by=, if= and min= as text. */
#define KPROF_TARGET_OPTIONS	512

/* Number of targets that kprof_target_unregister() takes at once. */
#define KPROF_UNREGISTER_BATCH	32

#define KPROF_RECENT_ROWS_LOG2	4
#define KPROF_RECENT_ROWS	(1 << KPROF_RECENT_ROWS_LOG2)

/* How a target is watched. */
enum kprof_probe_kind {
	KPROF_PROBE_NONE,	/* not watched any more */
	KPROF_PROBE_ENTRY,	/* a kprobe: calls and their stacks */
	KPROF_PROBE_CALL,	/* a kretprobe: also their latency */
	KPROF_PROBE_DIRECT,	/* the trampoline: the same at lower cost */
	KPROF_PROBE_POINT,	/* a point, such as a tracepoint: number of times it is passed */
	KPROF_PROBE_SPAN,	/* several points: the time between them */
};

/**
 * struct kprof_target_cpu - what one CPU saw of a target
 * @latency:	of the calls that have no row by context, or found no room for one
 * @unsampled:	calls that were taken without a sample (record=0)
 * @filtered:	calls that pid=, comm=, cpus= or if= left out at their entry
 * @by_own:	calls of the process that own= leaves out
 * @recent:	cache of rows by their values; see recent.h
 * @entered:	calls that entered the trampoline on this CPU; never cleared
 * @left:	calls that left it on this CPU; never cleared
 * @detoured:	entered calls that did not take the short way, or that were found at
 *		their return to belong to the process of own=; never cleared
 * @plain_before: calls that had taken the short way when the profile was last emptied
 * @abandoned:	calls that will never leave the trampoline: their tasks ended inside
 * @crowded:	calls that found no room on the stack for the trampoline; never cleared
 * @left_out:	calls that min= or if= left out at their return
 * @idle:	spans of the idle task, and calls where RCU does not watch
 * @table_full:	spans that found no room in the table of open spans
 * @unbegun:	ends of spans whose beginning was not seen
 * @overwritten: spans that began, and then another span with the same key began
 * @split:	spans that are in two rows: a part of a wait was throttled
 * @unended:	spans that began, and whose end will never be seen
 */
struct kprof_target_cpu {
	struct kprof_latency latency;
	u64 unsampled;
	u64 filtered;
	u64 by_own;
	u64 left_out;
	u64 detoured;
	u64 abandoned;
	u64 crowded;
	u64 idle;
	u64 table_full;
	u64 unbegun;
	u64 overwritten;
	u64 unended;
	u64 split;
	u64 plain_before;
	struct kprof_latency *recent[KPROF_RECENT_ROWS];
	u64 entered;
	local64_t left;
};

#define KPROF_ARGUMENTS_FINE	(-1)	/* the function has all that keys use, if any */
#define KPROF_ARGUMENTS_UNKNOWN	(-2)	/* BTF does not say */

/**
 * struct kprof_target - a function, or a place in one
 * @node:	in the list of targets
 * @rcu:	frees it an RCU grace period after it has left the list
 * @batch:	the call of kprof_targets_add() that added it
 * @source:	the samples it causes; its name is the target's
 * @spec:	the target's original name, if as= gave it another one; else empty
 * @symbol:	the function, as given to kprobes; empty if it is given by address
 * @address:	where its probe is
 * @lost:	its module was unloaded
 * @is_plain:	only the time of its calls is measured: no sample, no filter except own=, no
 *		key except for arguments that are still available when the call returns
 * @is_span:	it is, or was, a span between points
 * @is_short:	the trampoline takes a short way for its calls: it is plain, and that is not the way
 *		which is being calibrated
 * @is_counted:	another target's hits() names it
 * @is_sampled:	for points: what begins there is a sample, too, by the parameter record=
 * @is_forgotten: nothing that was seen of it is left; it is not watched, or may yet be refused
 * @probe:	how it is watched
 * @why_call:	for KPROF_PROBE_CALL: why the trampoline is not on it
 * @place:	a probe that is never armed: finds the address, and is removed before the
 *		trampoline is attached
 * @entry:	the probe, if that is KPROF_PROBE_ENTRY
 * @call:	the probe, if that is KPROF_PROBE_CALL
 * @options:	by=, if= and min=, as they were written
 * @keys:	the same, parsed
 * @arguments:	if a key is an argument that the function does not have, the number of arguments
 *		that it has; else KPROF_ARGUMENTS_*
 * @points:	for KPROF_PROBE_POINT and KPROF_PROBE_SPAN; else NULL
 * @probes_missed: times that probes, now removed, were not called
 * @calls_missed: calls for which kretprobes, now removed, had no room
 * @let_out:	calls in progress that were made to return without the trampoline, at the end
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
	bool is_short;
	bool is_counted;
	bool is_sampled;
	bool is_span;
	bool is_forgotten;
	enum kprof_probe_kind probe;
	const char *why_call;
	struct kprobe place;
	struct kprobe entry;
	struct kretprobe call;
	char options[KPROF_TARGET_OPTIONS];
	struct kprof_keyset keys;
	s8 arguments;
	struct kprof_points *points;
	u64 probes_missed;
	u64 calls_missed;
	atomic_t let_out;
	struct kprof_target_cpu __percpu *cpu;
	u64 missed[KPROF_NR_DROPS];
};

/* Suffixes that gcc appends to a function that it changed; ends with NULL. */
extern const char * const kprof_twins[];

struct list_head *kprof_targets(void);

#endif /* KPROF_TARGET_H */
