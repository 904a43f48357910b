// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold_file.c - the file hold: nothing is sampled while it is open
 *
 * Who takes the profile of one interval after another needs several files that belong together, and
 * an empty profile after them. To stop and start for that takes everything down that was put up:
 * with user stacks, probes are removed, and all processes are looked at again. Here all of it stays
 * in place. A program that ends lets go, however it ends.
 */
#include <linux/module.h>
#include <linux/security.h>

#include "base/state.h"
#include "calls/calls.h"
#include "control/hold_file.h"
#include "points/points.h"

static bool is_open;	/* under kprof_mutex */

static int hold_open(struct inode *inode, struct file *file)
{
	/* Where enable cannot be written, nor can this be opened. */
	int err = security_locked_down(LOCKDOWN_DEBUGFS);

	if (err)
		return err;
	mutex_lock(&kprof_mutex);
	if (is_open)
		err = -EBUSY;
	else
		kprof_hold();
	is_open = true;
	mutex_unlock(&kprof_mutex);
	return err;
}

static int hold_release(struct inode *inode, struct file *file)
{
	mutex_lock(&kprof_mutex);
	if (kprof_held) {
		/* The ends of some calls and spans were not seen. */
		kprof_nest_forget();
		kprof_spans_forget();
	}
	kprof_let_go();
	is_open = false;
	mutex_unlock(&kprof_mutex);
	return 0;
}

const struct file_operations kprof_hold_fops = {
	.owner = THIS_MODULE,
	.open = hold_open,
	.release = hold_release,
};

/**
 * kprof_hold_is_open() - is the file open, so that nothing may be changed
 *
 * Context: kprof_mutex is held. Return: whether it is.
 */
bool kprof_hold_is_open(void)
{
	return is_open;
}
