/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point.h - a point, which is a place that execution passes; and the points of a target
 */
#ifndef KPROF_POINT_H
#define KPROF_POINT_H

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/types.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/open_table.h"
#include "symbols/symbols.h"

struct kprof_iterator;
struct kprof_target;
struct kprof_tap;
struct kprof_uprobe;
struct task_struct;

/* Points that can be given for one target. */
#define KPROF_MAX_POINTS	8

/* Places where one function is inlined. */
#define KPROF_MAX_PLACES	1024

/* Open calls of one function in one task. The kernel watches as many returns of a task. */
#define KPROF_USER_CALLS	64

#define KPROF_ABOUT		384

enum kprof_place_kind {
	KPROF_PLACE_TRACEPOINT,
	KPROF_PLACE_ADDRESS,	/* a kprobe, at the entry of a function or elsewhere */
	KPROF_PLACE_RETURN,	/* a kretprobe */
	KPROF_PLACE_UPROBE,	/* an instruction of a program or a library */
	KPROF_PLACE_URETURN,	/* a return of a function there */
	KPROF_PLACE_LATE,	/* the timer that takes samples comes late */
};

enum kprof_point_role {
	KPROF_POINT_ALONE,
	KPROF_POINT_BEGIN,
	KPROF_POINT_END,
	KPROF_POINT_FORGET,	/* it will not end */
	KPROF_POINT_WHOLE,	/* it begins and ends here: how long it took is known */
};

/* What is read of the keys of a target where its span begins or ends. */
enum kprof_read {
	KPROF_READ_NOTHING,
	KPROF_READ_STATE,	/* one: why the task that is switched from stops running */
	KPROF_READ_WORD,	/* one: all of an argument */
	KPROF_READ_ERRNO,	/* one: the number of the error in that */
	KPROF_READ_SYSCALL,	/* one: the system call that the current task is in */
	KPROF_READ_CURRENT,	/* one: the current task's name */
	KPROF_READ_ANY,		/* others, or several */
};

/**
 * struct kprof_point - a point of a target
 * @target:	the target that it belongs to
 * @next:	next point at the same tracepoint
 * @node:	in the list of going.c, unless it is zero
 * @tap:	the tracepoint
 * @iterator:	what calls the probe of a tracepoint if there are others
 * @kind:	enum kprof_place_kind
 * @role:	enum kprof_point_role
 * @plain:	its role, if it is a plain one; else KPROF_POINT_ALONE. A plain point only begins or
 *		ends a span, and what is read there needs no registers: see points_needs.c
 * @read:	enum kprof_read
 * @read_arg:	the argument that is read
 * @read_key:	index of the key that is read, if it is one
 * @needs_regs:	registers must be reconstructed for what is wanted here
 * @is_selective: one of the next three may mean that it is not this point
 * @needs_state: the state of the task that is switched from is read here
 * @states:	states (enum kprof_state) for which the conditions hold that compare them
 * @is_of_runnable: these are only those of a task that could have gone on
 * @is_conditional: there are other conditions
 * @is_split:	a span ends here with the wait of a task, and its state is a key: the part in which
 *		the task was throttled is a row of its own
 * @is_continued: as in the target's struct kprof_points
 * @is_switch:	it is the tracepoint sched_switch
 * @is_about_task: the joining key is a task, and the target is about that task
 * @is_joined_by_task: nothing else is in that key
 * @owner:	its target's, in the table of open spans
 * @is_wakeup:	it is a tracepoint of the kernel where a task is woken, its first argument
 * @task_arg:	for a plain one of these two: the argument, a task, that joins, plus one, if
 *		nothing is read but the task's state or the current task's name; else 0
 * @is_inlined:	an inlined function is entered here
 * @is_attached: it is being watched
 * @is_lost:	its module was unloaded
 * @nr_args:	number of known arguments, for a tracepoint; else KPROF_NR_ARGS
 * @arg:	what is known of them
 * @keys:	the keys in parentheses
 * @place:	the point as it was written, without the parentheses
 * @module:	of its tracepoint; "" for the kernel
 * @address:	where it is, unless it is a tracepoint
 * @uprobe:	the file and the probe of a KPROF_PLACE_UPROBE or KPROF_PLACE_URETURN
 * @entry:	the probe of a KPROF_PLACE_ADDRESS
 * @call:	the probe of a KPROF_PLACE_RETURN
 */
struct kprof_point {
	struct kprof_target *target;
	struct kprof_point *next;
	struct list_head node;
	struct kprof_tap *tap;
	const struct kprof_iterator *iterator;
	u8 kind;
	u8 role;
	u8 plain;
	u8 read;
	u8 read_arg;
	u8 read_key;
	bool needs_regs;
	bool is_selective;
	bool needs_state;
	u8 states;
	bool is_of_runnable;
	bool is_conditional;
	bool is_split;
	bool is_continued;
	bool is_switch;
	bool is_wakeup;
	u8 task_arg;
	bool is_about_task;
	bool is_joined_by_task;
	bool is_inlined;
	bool is_attached;
	bool is_lost;
	u8 nr_args;
	struct kprof_open_owner owner;
	struct kprof_btf_arg arg[KPROF_NR_ARGS];
	struct kprof_point_keys keys;
	char place[KSYM_NAME_LEN];
	char module[MODULE_NAME_LEN];
	unsigned long address;
	struct kprof_uprobe *uprobe;
	union {
		struct kprobe entry;
		struct kretprobe call;
	};
};

/**
 * struct kprof_points - the points of a target
 * @room:	number of entries in @point
 * @nr:		number of points
 * @is_continued: a point lets an open span go on, where else it would begin
 * @is_split:	as in one of its points
 * @is_throttle_watched: kprof_throttle_watch() was called for it
 * @states:	for @is_split: the states (enum kprof_state) that rows may have
 * @state_key:	likewise: index of the key
 * @is_call:	they are the entry and the return of a function in a program
 * @about:	description, for a function that is inlined; else empty
 * @point:	the points; those that begin a span come first
 */
struct kprof_points {
	u32 room;
	u32 nr;
	bool is_continued;
	bool is_split;
	bool is_throttle_watched;
	u8 states;
	u8 state_key;
	bool is_call;
	char about[KPROF_ABOUT];
	struct kprof_point point[];
};

/* tracepoints.c */
int kprof_tracepoint_find(struct kprof_point *point, const char *spec);
int kprof_tracepoint_attach(struct kprof_point *point);
void kprof_tracepoint_detach(struct kprof_point *point);

/* uprobe.c; in a kernel without uprobes, no point has one */
#ifdef CONFIG_UPROBES
int kprof_uprobe_find(struct kprof_point *point, const char *spec);
int kprof_uprobe_attach(struct kprof_point *point);
void kprof_uprobe_detach(struct kprof_point *point);
void kprof_uprobe_forget(struct kprof_point *point);
u32 kprof_uprobe_file_number(const struct kprof_point *point);
#else
static inline int kprof_uprobe_find(struct kprof_point *point, const char *spec)
{
	return kprof_refuse(-EOPNOTSUPP, "target", spec,
			    "this kernel has no uprobes (CONFIG_UPROBES)");
}

static inline int kprof_uprobe_attach(struct kprof_point *point) { return -EOPNOTSUPP; }
static inline void kprof_uprobe_detach(struct kprof_point *point) { }
static inline void kprof_uprobe_forget(struct kprof_point *point) { }
static inline u32 kprof_uprobe_file_number(const struct kprof_point *point) { return 0; }
#endif

/* Take a point off a list. A CPU that is at this point still goes on to the next one. */
static inline void kprof_point_unlink(struct kprof_point **at, struct kprof_point *point)
{
	while (*at != point)
		at = &(*at)->next;
	WRITE_ONCE(*at, point->next);
	point->is_attached = false;
}

/* late.c */
#define KPROF_LATE	"timer:late"

void kprof_late_attach(struct kprof_point *point);
void kprof_late_detach(struct kprof_point *point);

/* user_call.c */
bool kprof_user_call_enters(const struct kprof_point *point, struct kprof_entry *at);
bool kprof_user_call_returns(const struct kprof_point *point, struct kprof_entry *at);

/* going.c */
void kprof_points_keep(struct kprof_points *all);
void kprof_points_release(struct kprof_points *all);

/* points.c */
bool kprof_points_is_span(const struct kprof_points *points);
int kprof_points_alloc(struct kprof_target *target, const char *name, u32 room);
int kprof_points_finish(struct kprof_target *target, const char *name);

/* span.c */
void kprof_point_pass(const struct kprof_point *point, struct kprof_entry *at);
void kprof_span_abandon(struct kprof_target *target, u64 key, u32 nr);
int kprof_spans_prepare(void);

/* split.c */
u64 kprof_span_split(const struct kprof_point *point, const struct kprof_entry *at,
		     struct kprof_call *call, u64 now, u64 ns);

/* points_parse.c */
int kprof_points_parse(struct kprof_target *target, const char *spec);
int kprof_points_end_of_tasks(struct kprof_target *target, const char *spec);

/* points_needs.c */
void kprof_point_prepare(struct kprof_point *point);

/* points_check.c */
int kprof_points_check(struct kprof_target *target, const char *spec);

static inline bool kprof_point_is_user(const struct kprof_point *point)
{
	return point->kind == KPROF_PLACE_UPROBE || point->kind == KPROF_PLACE_URETURN;
}

/* Are keys of the end, or those of the beginning, read at this point? */
static inline bool kprof_point_reads(const struct kprof_point *point, bool is_of_end)
{
	switch (point->role) {
	case KPROF_POINT_ALONE:
	case KPROF_POINT_WHOLE:
		return true;
	case KPROF_POINT_BEGIN:
		return !is_of_end;
	case KPROF_POINT_END:
		return is_of_end;
	default:
		return false;
	}
}

#endif /* KPROF_POINT_H */
