// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_switch.c - why a task stops running, also if another CPU is already waking it
 */
#include <linux/types.h>

#include "unit.h"

/* What calls.h has. */
#define KPROF_CALLS_H
enum kprof_state {
	KPROF_STATE_WOKEN,
	KPROF_STATE_PREEMPTED,
	KPROF_STATE_THROTTLED,
	KPROF_STATE_IO,
	KPROF_STATE_WAIT,
	KPROF_STATE_SLEEP,
	KPROF_STATE_STOPPED,
	KPROF_STATE_DEAD,
};

#include "points/switch.h"

bool kprof_throttle_seen;
static bool is_throttled;

bool kprof_throttle_holds(const struct task_struct *task)
{
	return task && is_throttled;
}

/* @now: the state at the tracepoint; @set: the one that the task has set. */
static u8 state_of(bool preempt, u32 now, u32 set, bool in_iowait)
{
	const struct task_struct task = { .__state = now, .in_iowait = in_iowait };
	/* Only the low bits of a word have an argument that is narrower. */
	const u64 arg[] = {
		0xabcd00 | preempt, (uintptr_t)&task, 0, 0xabcd00000000 | set,
	};

	return kprof_state_of_switch(arg);
}

static u8 waits(u32 state)
{
	return state_of(false, state, state, false);
}

static void test_states(void)
{
	CHECK_INT(waits(TASK_RUNNING), KPROF_STATE_PREEMPTED);
	CHECK_INT(waits(TASK_INTERRUPTIBLE), KPROF_STATE_SLEEP);
	CHECK_INT(waits(TASK_UNINTERRUPTIBLE), KPROF_STATE_WAIT);
	CHECK_INT(waits(TASK_UNINTERRUPTIBLE | TASK_NOLOAD), KPROF_STATE_SLEEP);
	CHECK_INT(waits(__TASK_STOPPED), KPROF_STATE_STOPPED);
	CHECK_INT(waits(__TASK_TRACED), KPROF_STATE_STOPPED);
	CHECK_INT(waits(TASK_PARKED), KPROF_STATE_STOPPED);
	CHECK_INT(waits(TASK_DEAD), KPROF_STATE_DEAD);
	CHECK_INT(state_of(false, TASK_UNINTERRUPTIBLE, TASK_UNINTERRUPTIBLE, true),
		  KPROF_STATE_IO);
}

static void test_goes_on(void)
{
	CHECK_INT(state_of(true, TASK_INTERRUPTIBLE, TASK_INTERRUPTIBLE, false),
		  KPROF_STATE_PREEMPTED);
	/* A signal is pending: older kernels leave prev_state as it was, newer ones do not. */
	CHECK_INT(state_of(false, TASK_RUNNING, TASK_INTERRUPTIBLE, false),
		  KPROF_STATE_PREEMPTED);
	CHECK_INT(state_of(false, TASK_RUNNING, TASK_UNINTERRUPTIBLE, true),
		  KPROF_STATE_PREEMPTED);
}

static void test_throttled(void)
{
	is_throttled = true;
	CHECK_INT(waits(TASK_RUNNING), KPROF_STATE_PREEMPTED);
	kprof_throttle_seen = true;
	CHECK_INT(waits(TASK_RUNNING), KPROF_STATE_THROTTLED);
	CHECK_INT(state_of(true, TASK_INTERRUPTIBLE, TASK_INTERRUPTIBLE, false),
		  KPROF_STATE_THROTTLED);
	/* It is no limit that keeps a task that is blocked. */
	CHECK_INT(waits(TASK_INTERRUPTIBLE), KPROF_STATE_SLEEP);
	is_throttled = false;
	CHECK_INT(waits(TASK_RUNNING), KPROF_STATE_PREEMPTED);
}

static void test_waking(void)
{
	CHECK_INT(state_of(false, TASK_WAKING, TASK_INTERRUPTIBLE, false), KPROF_STATE_SLEEP);
	CHECK_INT(state_of(false, TASK_WAKING, TASK_UNINTERRUPTIBLE, false), KPROF_STATE_WAIT);
	CHECK_INT(state_of(false, TASK_WAKING, TASK_UNINTERRUPTIBLE, true), KPROF_STATE_IO);
	CHECK_INT(state_of(false, TASK_WAKING, TASK_PARKED, false), KPROF_STATE_STOPPED);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "what a task waits for", test_states },
		{ "a task that goes on", test_goes_on },
		{ "a task that is throttled, once any was seen to be", test_throttled },
		{ "a task that is woken before it has stopped", test_waking },
		{ 0 }
	};

	return unit_run(tests);
}
