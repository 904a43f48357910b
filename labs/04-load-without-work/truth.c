// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

const char *const lab_title = "Load without work";

static const char *const causes[LOAD_NR] = {
	[LOAD_IO] = "io i/o disk",
	[LOAD_LOCK] = "lock mutex",
	[LOAD_SLEEP] = "sleep timer",
	[LOAD_CPU] = "cpu scheduling runqueue",
};

static const char *const functions[LOAD_NR] = {
	[LOAD_IO] = "submit_bio_wait wait_for_completion_io wait_for_completion_io_timeout "
		    "__wait_for_common io_schedule_timeout wait_for_disk blk_wait_io",
	[LOAD_LOCK] = "mutex_lock __mutex_lock __mutex_lock.constprop.0 __mutex_lock_slowpath "
		      "wait_for_lock",
	[LOAD_SLEEP] = "msleep schedule_timeout_uninterruptible schedule_timeout",
	[LOAD_CPU] = "lab_grain load:lab_grain run_waiter",
};

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	const u64 *n = ledger->number;
	struct load_params p;
	double wait, idle;
	const char **hint;

	load_params(&p, token);
	wait = p.wait_ms;
	idle = 100 - p.busy;
	/* One has it after the other. */
	if (p.cause == LOAD_CPU) {
		wait = p.wait_ms * (p.waiters - 1) / 2.0 / p.waiters;
		idle = 100 - 100 * p.wait_ms * 1000.0 / load_period_us(&p);
	}
	if (ledger->nr == 5 && n[2] && truth_is_long(ledger)) {
		wait = n[3] / 1e6 / n[2];
		idle = 100 - 100.0 * n[4] / (n[1] - n[0]);
	}

	hint = truth_word(t, "cause", 20,
			  "What most of the load waits for: io, lock, sleep (a timer, nothing else), or cpu.",
			  causes[p.cause]);
	hint[0] = "The load counts tasks that want to run, and tasks in state D. Which are these?";
	hint[1] = "ps -o pid,stat,comm; cat /proc/PID/stack of one in state D.";
	hint[2] = "insmod /kprof/kprof.ko target=@offcpu; cat /sys/kernel/debug/kprof/folded_ns: the "
		  "stacks of those that do not run. If none of these is in state D: kprof runq "
		  "-a -d 5.";

	hint = truth_word(t, "function", 15,
			  "The function of the kernel that waits; if it is for the CPU, that of the module "
			  "that runs.",
			  functions[p.cause]);
	hint[0] = "Of the stack of a task in state D: what has the thread called in order to wait?";
	hint[1] = "Leave out the scheduler: it is below every wait. Which of the functions above it is one "
		  "that can be called from anywhere, and waits?";
	hint[2] = "The stacks of target=@offcpu: which function is above schedule, and is one of the "
		  "kernel's, not of the module? Of the CPU: kprof record, and the function with "
		  "lab_ in front.";

	hint = truth_near(t, "tasks", 15, "How many tasks wait so.", p.waiters, 0, "");
	hint[0] = "More threads have that name; not all of them count.";
	hint[1] = "Count those in state D (or that call the function that runs), more than once.";
	hint[2] = "kprof lat FUNCTION by=pid -a -d 5: a row for each.";

	hint = truth_factor(t, "wait", 20,
			    "How long such a wait takes, in ms, on average over all waits of those tasks (up "
			    "to 1.5 times more or less).",
			    wait, 1.5, "ms");
	hint[0] = "The function can be watched, and so can the queue for the CPU.";
	hint[1] = "kprof lat FUNCTION -a -d 5 -m; or kprof lat @runqueue by=pid --comm lab -d 5 -m";
	hint[2] = "The column avg. Of the queue, a task has its place: each of those that call the function "
		  "waits another time. It is the average of their rows.";

	hint = truth_near(t, "idle", 10,
			  "How much of the time the CPU is idle, in per cent (within 5).",
			  idle, 5, "%");
	hint[0] = "top says it; so does a recording with --idle.";
	hint[1] = "Waiting for a disk counts as idle: id and wa in top are both idle.";
	hint[2] = "kprof record -a --idle -F 999 -d 5; kprof report --sort comm: the share of "
		  "swapper.";

	hint = truth_seen(t, 10, functions[p.cause]);
	hint[0] = "kprof lat FUNCTION -a -d 5 -o kprof.data";
}
