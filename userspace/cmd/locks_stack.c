// SPDX-License-Identifier: GPL-2.0-only
/*
 * locks_stack.c - who takes or lets go of a lock, from stacks that end in the locks' own functions
 */
#include <string.h>

#include "cmd/locks.h"

static bool begins_with(const char *name, size_t len, const char *const *begin)
{
	for (; *begin; begin++)
		if (len >= strlen(*begin) && !memcmp(name, *begin, strlen(*begin)))
			return true;
	return false;
}

static bool is_one_of(const char *name, size_t len, const char *const *among)
{
	for (; *among; among++)
		if (len == strlen(*among) && !memcmp(name, *among, len))
			return true;
	return false;
}

/* Is a function one of those that implement locks? */
static bool is_lock(const char *name, size_t len)
{
	static const char *const begins[] = {
		"__down_", "down_", "__downgrade_write", "downgrade_write", "__mutex_", "mutex_",
		"__ww_mutex_", "ww_mutex_", "rwsem_", "__percpu_", "percpu_", "__rt_mutex_",
		"rt_mutex_", "__rt_spin_", "rt_spin_", "rtlock_", "rwbase_", "rt_read_",
		"rt_write_", "_raw_", "do_raw_", "queued_", "native_queued_", "__pv_queued_",
		"osq_", "__up_", "up_", NULL
	};
	static const char *const names[] = { "down", "__down", "up", "__up", NULL };

	return begins_with(name, len, begins) || is_one_of(name, len, names);
}

/* Of these, is it one that lets go? Others wake waiters, too: a reader those behind it. */
static bool is_release(const char *name, size_t len)
{
	static const char *const begins[] = {
		"up_", "__up_", "percpu_up_", "__percpu_up_", "downgrade_write", "rwsem_wake",
		"mutex_unlock", "__mutex_unlock", "ww_mutex_unlock", "rt_mutex_unlock",
		"rt_mutex_slowunlock", "__rt_mutex_unlock", "rt_spin_unlock", "rwbase_read_unlock",
		"__rwbase_read_unlock", "rwbase_write_unlock", "rwbase_write_downgrade",
		"rt_read_unlock", "rt_write_unlock", NULL
	};
	static const char *const names[] = { "up", "__up", NULL };

	return begins_with(name, len, begins) || is_one_of(name, len, names);
}

/* Is a function between one that lets go and the scheduler? */
static bool is_wakeup(const char *name, size_t len)
{
	static const char *const begins[] = {
		"try_to_wake_up", "wake_up_", "__wake_up", "default_wake_function",
		"rcuwait_wake_up", "swake_up_", NULL
	};

	return begins_with(name, len, begins);
}

/* The innermost frame of the stack that ends at @end, which is none. */
static const char *frame_before(const char *stack, const char *end)
{
	const char *frame = end;

	while (frame > stack && frame[-1] != ';')
		frame--;
	return frame;
}

void locks_caller(const char *stack, struct buf *out)
{
	const char *end = stack + strlen(stack), *frame;

	for (;;) {
		frame = frame_before(stack, end);
		if (frame == stack || !is_lock(frame, end - frame))
			break;
		end = frame - 1;
	}
	buf_add(out, frame, end - frame);
}

bool locks_release(const char *stack, struct buf *out, size_t *whole)
{
	const char *end = stack + strlen(stack), *frame;
	bool released = false;

	for (;;) {
		frame = frame_before(stack, end);
		if (is_release(frame, end - frame))
			released = true;
		else if (!is_lock(frame, end - frame) &&
			 (released || !is_wakeup(frame, end - frame)))
			break;
		if (frame == stack)
			break;
		end = frame - 1;
	}
	if (released)
		buf_add(out, frame, end - frame);
	*whole = end - stack;
	return released;
}
