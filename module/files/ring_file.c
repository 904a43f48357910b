// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring_file.c - the files per_cpu/cpuN/ring: records for a reader
 *
 * A read removes whole records from the ring. If there are none, it waits, and returns 0
 * once sampling has stopped, so that `cat ring` ends. poll() reports "readable" at
 * once if there are records, but wakes only when the ring is half full. So a reader
 * that expects few records should poll with a timeout.
 */
#include <linux/debugfs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "base/state.h"
#include "files/files.h"
#include "profile/profile.h"

/* Records moved at a time, and how often a waiting read checks for a few of them. */
#define BATCH	64
#define LOOK	(HZ / 10)

static DEFINE_MUTEX(reading);	/* a ring has one reader at a time */

/* The CPU's part of the profile, NULL if it has none; kprof_profile_sem is held. */
static struct kprof_cpu *cpu_of(struct file *file)
{
	long cpu = (long)file_inode(file)->i_private;

	return kprof_cpu_of(kprof_profile, cpu);
}

/* Return: number of records; 0 if there are none, or none of the profile of @epoch, if not 0. */
static u32 peek(struct file *file, struct kprof_record *batch, u32 max, u32 *epoch)
{
	struct kprof_cpu *cpu;
	u32 nr = 0;

	down_read(&kprof_profile_sem);
	cpu = cpu_of(file);
	if (cpu && (!*epoch || *epoch == kprof_profile->epoch)) {
		*epoch = kprof_profile->epoch;
		nr = kprof_ring_peek(&cpu->ring, batch, max);
	}
	up_read(&kprof_profile_sem);
	return nr;
}

/* Remove what peek() has found; if the profile was emptied since, it is gone already. */
static void skip(struct file *file, u32 nr, u32 epoch)
{
	down_read(&kprof_profile_sem);
	if (kprof_profile->epoch == epoch)
		kprof_ring_skip(&cpu_of(file)->ring, nr);
	up_read(&kprof_profile_sem);
}

/*
 * Records that cannot be copied to the reader stay in the ring. This copies outside of
 * kprof_profile_sem, for which module notifiers wait: the reader's memory may be a file, and take
 * as long as that.
 */
static ssize_t take_records(struct file *file, char __user *to, size_t size)
{
	struct kprof_record *batch;
	size_t copied = 0, room, left = 0;
	u32 nr, epoch = 0;

	batch = kmalloc_array(BATCH, sizeof(*batch), GFP_KERNEL);
	if (!batch)
		return -ENOMEM;
	while (!left && (room = (size - copied) / sizeof(*batch))) {
		nr = peek(file, batch, min_t(size_t, room, BATCH), &epoch);
		if (!nr)
			break;
		left = copy_to_user(to + copied, batch, nr * sizeof(*batch));
		nr -= DIV_ROUND_UP(left, sizeof(*batch));
		skip(file, nr, epoch);
		copied += nr * sizeof(*batch);
	}
	kfree(batch);
	return left && !copied ? -EFAULT : (ssize_t)copied;
}

static bool has_records(struct file *file)
{
	struct kprof_cpu *cpu;
	bool some = false;

	down_read(&kprof_profile_sem);
	cpu = cpu_of(file);
	if (cpu) {
		WRITE_ONCE(cpu->waiting, true);
		/* Orders this before the check, so that no record is missed in between. */
		smp_mb();
		some = !kprof_ring_empty(&cpu->ring);
	}
	up_read(&kprof_profile_sem);
	return some;
}

/*
 * Checking for records takes a semaphore, which the condition of wait_event() must not
 * do. So this uses wait_woken(), which remembers a wake-up.
 *
 * Return: 1 if there are records, 0 if there will be none, or an errno.
 */
static int wait_for_records(struct file *file)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	bool more;
	int err = 0;

	add_wait_queue(&kprof_ring_readers, &wait);
	while (!(more = has_records(file)) && kprof_is_on()) {
		if (file->f_flags & O_NONBLOCK)
			err = -EAGAIN;
		else if (signal_pending(current))
			err = -ERESTARTSYS;
		if (err)
			break;
		wait_woken(&wait, TASK_INTERRUPTIBLE, LOOK);
	}
	remove_wait_queue(&kprof_ring_readers, &wait);
	/* Records that came just before sampling stopped can still be read. */
	return err ?: more || has_records(file);
}

static ssize_t ring_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	ssize_t copied;
	int more;

	if (size < sizeof(struct kprof_record))
		return -EINVAL;
	do {
		more = wait_for_records(file);
		if (more <= 0)
			return more;
		mutex_lock(&reading);
		copied = take_records(file, to, size);
		mutex_unlock(&reading);
	} while (!copied);	/* another reader was faster, or the profile was replaced */
	return copied;
}

static __poll_t ring_poll(struct file *file, poll_table *wait)
{
	bool is_on;

	poll_wait(file, &kprof_ring_readers, wait);
	/* Before: records that come just before sampling stops are not missed. */
	is_on = kprof_is_on();
	if (has_records(file))
		return EPOLLIN | EPOLLRDNORM;
	return is_on ? 0 : EPOLLHUP;
}

static int ring_open(struct inode *inode, struct file *file)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS) ?: stream_open(inode, file);

	if (!err)
		atomic_inc(&kprof_rings_open);
	return err;
}

static int ring_release(struct inode *inode, struct file *file)
{
	atomic_dec(&kprof_rings_open);
	return 0;
}

const struct file_operations kprof_ring_fops = {
	.owner = THIS_MODULE,
	.open = ring_open,
	.read = ring_read,
	.poll = ring_poll,
	.release = ring_release,
};
