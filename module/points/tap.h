/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tap.h - a tracepoint that has points of targets, and its probe
 */
#ifndef KPROF_TAP_H
#define KPROF_TAP_H

#include <linux/list.h>
#include <linux/types.h>

#include "points/frame.h"

struct kprof_point;
struct tracepoint;

/* What is known of the points of a tracepoint when they are passed. */
enum kprof_tap_shape {
	KPROF_TAP_ANY,
	KPROF_TAP_PLAIN,	/* all of them are plain ones */
	KPROF_TAP_WAKEUP,	/* one, where a span of the task that is woken begins */
	KPROF_TAP_SWITCH,	/* two, of the tasks that are switched from, and to */
};

/**
 * struct kprof_tap - a tracepoint that has points of targets
 * @node:	in the list of taps
 * @tracepoint:	the tracepoint
 * @probe:	kprof's probe
 * @iterator:	what calls it if there are other probes
 * @first:	list of points
 * @shape:	enum kprof_tap_shape
 * @begin:	for the last two shapes: where a span begins
 * @end:	for KPROF_TAP_SWITCH: where it ends
 */
struct kprof_tap {
	struct list_head node;
	struct tracepoint *tracepoint;
	void *probe;
	struct kprof_iterator iterator;
	struct kprof_point *first;
	u8 shape;
	struct kprof_point *begin;
	struct kprof_point *end;
};

void *kprof_tap_probe(u32 nr_args);
void kprof_tap_form(struct kprof_tap *tap);

#endif /* KPROF_TAP_H */
