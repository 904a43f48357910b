/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open.h - the open spans, which have begun and not ended yet
 *
 * All CPUs share one table, as a span may end on a different CPU than it began on. The table has
 * groups of KPROF_OPEN_WAYS slots, and a key belongs to one group. A slot is taken and released
 * by compare-and-exchange on its state. The state has a counter that is incremented each time. If
 * the state has not changed after the key was read, the key is the right one.
 */
#ifndef KPROF_OPEN_H
#define KPROF_OPEN_H

#include <linux/types.h>

#include "calls/calls.h"
#include "points/open_table.h"

/**
 * struct kprof_open - a span that has begun
 * @call:	its beginning
 * @bytes:	its size, if it has one
 * @stack:	for a call in a program: the stack pointer before the call
 * @pid:	thread id of the task that it is about
 * @is_unwanted: a filter left it out, but it must be known where it goes on or ends; it is counted
 *		nowhere in this table
 */
struct kprof_open {
	struct kprof_call call;
	u64 bytes;
	unsigned long stack;
	u32 pid;
	bool is_unwanted;
};

int kprof_open_init(u32 capacity);
void kprof_open_exit(void);
size_t kprof_open_size(u32 capacity);
u32 kprof_open_capacity(void);

const struct kprof_open *kprof_open_peek(u16 source, u64 key);

bool kprof_open_next(u16 source, u32 *at, struct kprof_open *open);
u64 kprof_open_count(u16 source);
u64 kprof_open_forget(u16 source);

#endif /* KPROF_OPEN_H */
