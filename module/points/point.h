/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point.h - a point: a place that execution passes; and all points of a target
 */
#ifndef KPROF_POINT_H
#define KPROF_POINT_H

#include <linux/kprobes.h>
#include <linux/types.h>

#include "calls/calls.h"
#include "symbols/symbols.h"

struct kprof_target;
struct kprof_tap;
struct task_struct;

/* Points that a target can be written with. */
#define KPROF_MAX_POINTS	8

/* Places of a function that is inlined. */
#define KPROF_MAX_PLACES	1024

#define KPROF_ABOUT		384

enum kprof_place_kind {
	KPROF_PLACE_TRACEPOINT,
	KPROF_PLACE_ADDRESS,	/* a kprobe, at the entry of a function or elsewhere */
	KPROF_PLACE_RETURN,	/* a kretprobe */
};

enum kprof_point_role {
	KPROF_POINT_ALONE,
	KPROF_POINT_BEGIN,
	KPROF_POINT_END,
	KPROF_POINT_FORGET,	/* a task is no more */
};

/**
 * struct kprof_point - a point of a target
 * @target:	whose it is
 * @next:	of the same tracepoint
 * @tap:	the tracepoint
 * @kind:	what it is
 * @role:	what it is for the target
 * @needs_regs:	registers must be made up
 * @is_switch:	it is the tracepoint sched_switch
 * @is_about_task: the key that joins is a task, and that is what the target is about
 * @is_inlined:	an inlined function is entered there
 * @is_shared:	an end that one gets to without a beginning as well
 * @is_attached: it is being watched
 * @is_lost:	its module has gone
 * @nr_args:	arguments that are known, of a tracepoint; of others KPROF_NR_ARGS
 * @arg:	what is known of them
 * @keys:	what is in parentheses
 * @place:	how it was written, without that
 * @address:	where it is, if it is no tracepoint
 * @entry:	the probe, of KPROF_PLACE_ADDRESS
 * @call:	the probe, of KPROF_PLACE_RETURN
 */
struct kprof_point {
	struct kprof_target *target;
	struct kprof_point *next;
	struct kprof_tap *tap;
	u8 kind;
	u8 role;
	bool needs_regs;
	bool is_switch;
	bool is_about_task;
	bool is_inlined;
	bool is_shared;
	bool is_attached;
	bool is_lost;
	u8 nr_args;
	struct kprof_btf_arg arg[KPROF_NR_ARGS];
	struct kprof_point_keys keys;
	char place[KSYM_NAME_LEN];
	unsigned long address;
	union {
		struct kprobe entry;
		struct kretprobe call;
	};
};

/**
 * struct kprof_points - the points of a target
 * @room:	entries that there are in @point
 * @nr:		how many are points
 * @about:	what they are, of a function that is inlined; else empty
 * @point:	the points; those that begin a span first
 */
struct kprof_points {
	u32 room;
	u32 nr;
	char about[KPROF_ABOUT];
	struct kprof_point point[];
};

/* tracepoints.c */
int kprof_tracepoint_find(struct kprof_point *point, const char *spec);
int kprof_tracepoint_attach(struct kprof_point *point);
void kprof_tracepoint_detach(struct kprof_point *point);

/* points.c */
void kprof_point_pass(struct kprof_point *point, struct kprof_entry *at);
bool kprof_points_is_span(const struct kprof_points *points);
int kprof_points_alloc(struct kprof_target *target, const char *name, u32 room);
int kprof_points_finish(struct kprof_target *target, const char *name);

/* span.c */
void kprof_span_begin(struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_end(struct kprof_point *point, const struct kprof_entry *at);
void kprof_span_forget_task(struct kprof_point *point, const struct kprof_entry *at);
int kprof_spans_prepare(void);

/* points_parse.c */
int kprof_points_parse(struct kprof_target *target, const char *spec);
int kprof_points_end_of_tasks(struct kprof_target *target, const char *spec);

/* points_check.c */
int kprof_points_check(struct kprof_target *target, const char *spec);

#endif /* KPROF_POINT_H */
