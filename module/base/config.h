/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * config.h - the configuration of kprof: the values of the parameters
 *
 * A configuration is plain data. It is never changed in place: a new one is
 * made, checked as a whole, and replaces the old one while sampling is stopped.
 * See settings.c for the table of parameters.
 */
#ifndef KPROF_CONFIG_H
#define KPROF_CONFIG_H

#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "uapi/kprof.h"

#define KPROF_MAX_DEPTH		127
#define KPROF_MAX_ROWS		65535
#define KPROF_MAX_PIDS		64
#define KPROF_MAX_COMMS		16
#define KPROF_MAX_COMM_PATTERN	32
#define KPROF_PATH		256

/* Which stacks are taken; a bit mask. */
enum kprof_stacks {
	KPROF_STACKS_NONE,
	KPROF_STACKS_KERNEL	= 1,
	KPROF_STACKS_USER	= 2,
	KPROF_STACKS_BOTH	= KPROF_STACKS_KERNEL | KPROF_STACKS_USER,
};

/* How stacks are taken; the parameter "unwind". */
enum kprof_unwind_mode {
	KPROF_UNWIND_CACHE,	/* by cached steps of the kernel's unwinder */
	KPROF_UNWIND_KERNEL,	/* by the kernel's unwinder, for each frame */
	KPROF_UNWIND_CHECK,	/* by both, and compare */
};

/* How targets are watched; the parameter "probe". */
enum kprof_probes {
	KPROF_PROBES_AUTO,	/* by the trampoline if possible */
	KPROF_PROBES_KRETPROBE,
};

enum kprof_clock_choice {
	KPROF_CLOCK_AUTO,	/* the processor's counter if it is good enough */
	KPROF_CLOCK_COUNTER,
	KPROF_CLOCK_MONO,
};

/* Why something is excluded: by @pid, @comm or @cpus of a configuration; by @own. */
#define KPROF_FILTER_TASKS	BIT(0)
#define KPROF_FILTER_OWN	BIT(1)

struct kprof_source_ops;

/* Maximum number of events that drive sampling at the same time. */
#define KPROF_MAX_EVENTS	4

/**
 * struct kprof_choice - an event
 * @ops:	the source that has it
 * @word:	index of its name in the source's words
 * @raw:	identifies the event if it has no name
 */
struct kprof_choice {
	const struct kprof_source_ops *ops;
	u32 word;
	u64 raw;
};

/**
 * struct kprof_chosen - an event that drives sampling
 * @lead:	the event
 * @along:	counters that are read with each of its samples
 * @nr_along:	entries in @along
 */
struct kprof_chosen {
	struct kprof_choice lead;
	struct kprof_choice along[KPROF_MAX_ALONG];
	u32 nr_along;
};

/**
 * struct kprof_config - a configuration
 * @event:	events that drive sampling
 * @nr_events:	entries in @event
 * @freq:	samples per second
 * @period:	number of events of a counter per sample; 0: use @freq
 * @max_cpu:	percentage of a CPU that the timer's handler may take
 * @stacks:	which stacks are taken
 * @unwind:	how they are taken
 * @idle:	record samples of the idle task
 * @cgroups:	tasks are told apart by their cgroup, too
 * @record:	a call of a target is a sample, too; otherwise it only has a latency
 * @clock:	the clock that measures calls
 * @probe:	how targets are watched
 * @filters:	what excludes something: KPROF_FILTER_*
 * @first:	bit for each byte that a task's name may begin with, if @comm is to match it
 * @depth:	maximum number of frames kept of a stack
 * @max_stacks:	number of different stacks that the table holds
 * @max_rows:	number of different contexts of calls that have a row
 * @max_open:	maximum number of open spans
 * @ring_kb:	size of each CPU's ring
 * @rules_kb:	memory for the rules of files; 0: user stacks go by frame pointers only
 * @maxactive:	maximum number of calls of one target in progress whose latency is measured
 * @nr_pids:	entries in @pid; 0: all tasks pass
 * @nr_comms:	entries in @comm; 0: all tasks pass
 * @pid:	thread or process ids in the initial PID namespace; descendants match too
 * @comm:	shell patterns
 * @own:	process id in the initial PID namespace; that process is excluded, and so is the
 *		module's code; 0: none
 * @cpus:	CPUs on which samples are taken
 * @index:	index file of inlined functions; empty: the default file of the running kernel
 */
struct kprof_config {
	struct kprof_chosen event[KPROF_MAX_EVENTS];
	u32	nr_events;
	u32	freq;
	u32	period;
	u32	max_cpu;
	u32	stacks;
	u32	unwind;
	u32	idle;
	u32	cgroups;
	u32	record;
	u32	clock;
	u32	probe;
	u32	filters;
	unsigned long first[BITS_TO_LONGS(1 << BITS_PER_BYTE)];
	u32	depth;
	u32	max_stacks;
	u32	max_rows;
	u32	max_open;
	u32	ring_kb;
	u32	rules_kb;
	u32	maxactive;
	u32	nr_pids;
	u32	nr_comms;
	u32	own;
	pid_t	pid[KPROF_MAX_PIDS];
	char	comm[KPROF_MAX_COMMS][KPROF_MAX_COMM_PATTERN];
	struct cpumask cpus;
	char	index[KPROF_PATH];
};

#endif /* KPROF_CONFIG_H */
