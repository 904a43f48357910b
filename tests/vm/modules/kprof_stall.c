// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_stall.c - a CPU stands still for a known time, while whatever is interrupted waits
 *
 * stall=TIMES,MS	every 100 ms, TIMES in all, the CPU that writes this does nothing for MS
 *			milliseconds, in an interrupt; returns when that is over
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/module.h>

#include "../../../module/compat.h"

static unsigned int times, stall_ms;
static struct completion is_over;
static struct hrtimer timer;

static enum hrtimer_restart stand_still(struct hrtimer *unused)
{
	u64 end = ktime_get_mono_fast_ns() + stall_ms * NSEC_PER_MSEC;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
	if (--times) {
		hrtimer_forward_now(&timer, ms_to_ktime(100));
		return HRTIMER_RESTART;
	}
	complete(&is_over);
	return HRTIMER_NORESTART;
}

static int do_stall(const char *text, const struct kernel_param *kp)
{
	if (sscanf(text, "%u,%u", &times, &stall_ms) != 2 || !times)
		return -EINVAL;
	init_completion(&is_over);
	hrtimer_setup(&timer, stand_still, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, ms_to_ktime(100), HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_completion(&is_over);
	hrtimer_cancel(&timer);
	return 0;
}

static const struct kernel_param_ops stall_ops = { .set = do_stall };
module_param_cb(stall, &stall_ops, NULL, 0200);

static int __init init(void)
{
	return 0;
}

static void __exit finish(void)
{
}

module_init(init);
module_exit(finish);

MODULE_DESCRIPTION("Has a CPU stand still for a known time, to test kprof");
MODULE_LICENSE("GPL");
