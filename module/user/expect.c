// SPDX-License-Identifier: GPL-2.0-only
/*
 * expect.c - numbers a file before samples are taken in it, and asks for its rules
 *
 * A reader that knows which program will run has the rules of its files ready when the first sample
 * comes. Otherwise the stacks of a short program end where its rules are not there yet.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stat.h>

#include "base/ids.h"
#include "user/mapped.h"
#include "user/share.h"
#include "user/user.h"

static struct kprof_mapped *file_or_vdso(struct file *file)
{
	u32 tgid = kprof_id_of_process(current);

	return file ? kprof_mapped_file(file, KPROF_MAPPED_FILE, tgid) :
		      kprof_mapped_other(KPROF_MAPPED_VDSO, tgid);
}

/**
 * kprof_user_expect() - samples are about to be taken in a file
 * @file:	the file; NULL: the vDSO
 *
 * The file gets its number now, of the share of current's user, and its rules are wanted.
 *
 * Context: sleeps, but waits for nobody; the table is not emptied meanwhile. Return: the number;
 * -EINVAL if the file is no program or library; -ENOMEM, also if the file cannot be looked at;
 * -ENOSPC if file_table has no room for it.
 */
int kprof_user_expect(struct file *file)
{
	struct kprof_mapped *mapped;
	struct kprof_share *share;
	u32 id;

	if (file && (!S_ISREG(file_inode(file)->i_mode) || !kprof_mapped_is_program(file)))
		return -EINVAL;
	mapped = file_or_vdso(file);
	if (!mapped)
		return -ENOMEM;
	share = kprof_share_get(current);
	/* Who reads the table spins between the number and the row: see kprof_mapped_row(). */
	preempt_disable();
	id = kprof_mapped_number(mapped, share);
	preempt_enable();
	if (id)
		kprof_mapped_want(id);
	kprof_share_put(share);
	kprof_mapped_put(mapped);
	return id && id != kprof_mapped_full ? id : -ENOSPC;
}
