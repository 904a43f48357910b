/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk.h - a disk of a lab's module: each request is done when so much time has passed
 *
 * What is written to it is lost, and what is read is zeros. The kernel counts its requests in
 * /proc/diskstats as it does a real disk's.
 */
#ifndef LABS_DISK_H
#define LABS_DISK_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

#include "compat.h"

#define LAB_DISK_SECTORS	(1u << 20)

struct lab_request {
	struct timer_list timer;
	struct bio *bio;
	unsigned long start;	/* jiffies */
};

/* The ledger, which reads it, may be there before the disk is. */
static struct {
	struct gendisk *disk;
	u32 ms;			/* that a request takes */
	spinlock_t lock;	/* of what follows */
	u32 under_way;		/* requests */
	u64 busy_since, busy_ns;
} lab_disk = { .lock = __SPIN_LOCK_UNLOCKED(lab_disk.lock) };

static void lab_disk_count(int by)
{
	unsigned long flags;
	u64 now = ktime_get_mono_fast_ns();

	spin_lock_irqsave(&lab_disk.lock, flags);
	if (!lab_disk.under_way)
		lab_disk.busy_since = now;
	lab_disk.under_way += by;
	if (!lab_disk.under_way)
		lab_disk.busy_ns += now - lab_disk.busy_since;
	spin_unlock_irqrestore(&lab_disk.lock, flags);
}

/* For how long it had something to do, until now. */
static inline u64 lab_disk_busy_ns(void)
{
	unsigned long flags;
	u64 ns;

	spin_lock_irqsave(&lab_disk.lock, flags);
	ns = lab_disk.busy_ns;
	if (lab_disk.under_way)
		ns += ktime_get_mono_fast_ns() - lab_disk.busy_since;
	spin_unlock_irqrestore(&lab_disk.lock, flags);
	return ns;
}

static void lab_disk_done(struct timer_list *timer)
{
	struct lab_request *request = container_of(timer, struct lab_request, timer);
	struct bio *bio = request->bio;

	bio_end_io_acct(bio, request->start);
	kfree(request);
	bio_endio(bio);
	lab_disk_count(-1);
}

static void lab_disk_submit(struct bio *bio)
{
	struct lab_request *request = kmalloc(sizeof(*request), GFP_NOIO);

	if (!request) {
		bio_io_error(bio);
		return;
	}
	lab_disk_count(1);
	if (bio_op(bio) == REQ_OP_READ)
		zero_fill_bio(bio);
	request->bio = bio;
	request->start = bio_start_io_acct(bio);
	timer_setup(&request->timer, lab_disk_done, 0);
	mod_timer(&request->timer, jiffies + msecs_to_jiffies(lab_disk.ms));
}

static const struct block_device_operations lab_disk_ops = {
	.owner = THIS_MODULE,
	.submit_bio = lab_disk_submit,
};

/* A disk called lab, whose requests take @ms; or an error. */
static int lab_disk_begin(u32 ms)
{
	struct gendisk *disk = lab_alloc_disk();
	int err;

	if (IS_ERR(disk))
		return PTR_ERR(disk);
	lab_disk.ms = ms;
	lab_disk.disk = disk;
	disk->fops = &lab_disk_ops;
	disk->flags |= GENHD_FL_NO_PART;
	strscpy(disk->disk_name, "lab", sizeof(disk->disk_name));
	set_capacity(disk, LAB_DISK_SECTORS);
	err = add_disk(disk);
	if (err)
		put_disk(disk);
	return err;
}

/* Nobody uses it any more, but a timer may still be at the end of a request. */
static void lab_disk_end(void)
{
	del_gendisk(lab_disk.disk);
	while (READ_ONCE(lab_disk.under_way))
		msleep(20);
	synchronize_rcu();
	put_disk(lab_disk.disk);
}

#endif /* LABS_DISK_H */
