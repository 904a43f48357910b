// SPDX-License-Identifier: GPL-2.0-only
/*
 * pins_file.c - the file pins, through which a reader opens the files that samples were taken in
 *
 * While it is open, such files are held until the reader takes them. It reads as the numbers of
 * those held now, one a line, and poll() waits for one. KPROF_PINS_TAKE opens one, whatever has
 * become of its path and of the mount namespace that it was in. KPROF_PINS_EXPECT announces one
 * before it has samples.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "control/pins_file.h"
#include "profile/profile.h"
#include "uapi/kprof.h"
#include "user/user.h"

/* Numbers listed at a time: a reader that has taken these looks again. */
#define MAX_LISTED	64

static int pins_show(struct seq_file *seq, void *unused)
{
	u32 id[MAX_LISTED], nr = kprof_pins_list(id, MAX_LISTED), i;

	for (i = 0; i < nr && i < MAX_LISTED; i++)
		seq_printf(seq, "%u\n", id[i]);
	return 0;
}

static int pins_open(struct inode *inode, struct file *file)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);

	/* What it opens, no path may lead its owner to. */
	if (!err && !capable(CAP_SYS_ADMIN))
		err = -EPERM;
	if (!err)
		err = kprof_pins_begin();
	if (err)
		return err;
	err = single_open(file, pins_show, NULL);
	if (err)
		kprof_pins_end();
	return err;
}

static int pins_release(struct inode *inode, struct file *file)
{
	kprof_pins_end();
	return single_release(inode, file);
}

static __poll_t pins_poll(struct file *file, poll_table *wait)
{
	poll_wait(file, &kprof_pins_readers, wait);
	return kprof_pins_list(NULL, 0) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Open a file anew: who has mapped it may still read it, and has a position of its own. */
static int open_again(const struct file *held)
{
	int fd = get_unused_fd_flags(O_CLOEXEC);
	struct file *file;

	if (fd < 0)
		return fd;
	/* Who has a lease on it is not waited for. */
	file = dentry_open(&held->f_path, O_RDONLY | O_LARGEFILE | O_NONBLOCK, current_cred());
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}

static long take(unsigned long id)
{
	struct file *held = id <= U32_MAX ? kprof_pins_take(id) : NULL;
	int fd;

	if (!held)
		return -ENOENT;
	fd = open_again(held);
	fput(held);
	return fd;
}

/* What is expected keeps its number until a reset, as what samples have met does. */
static int expect_file(struct file *file)
{
	int id;

	down_read(&kprof_profile_sem);
	id = kprof_user_expect(file);
	up_read(&kprof_profile_sem);
	return id;
}

static long expect(unsigned long fd)
{
	struct file *file;
	int id;

	if ((int)fd == -1)
		return expect_file(NULL);
	file = fget(fd);
	if (!file)
		return -EBADF;
	id = expect_file(file);
	fput(file);
	return id;
}

static long pins_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	switch (command) {
	case KPROF_PINS_TAKE:
		return take(argument);
	case KPROF_PINS_EXPECT:
		return expect(argument);
	default:
		return -ENOTTY;
	}
}

const struct file_operations kprof_pins_fops = {
	.owner = THIS_MODULE,
	.open = pins_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.poll = pins_poll,
	.unlocked_ioctl = pins_ioctl,
	.release = pins_release,
};
