// SPDX-License-Identifier: GPL-2.0-only
/*
 * attributes.c - what is known of a file without waiting for anybody
 *
 * A file system may have to ask others before it can answer: a server on the network, or a process
 * of any user (FUSE), which may never answer. Nobody with a lock may wait for that, nor a task that
 * is on its way to user mode. AT_STATX_DONT_SYNC is a hint that some file systems do not heed. So a
 * file of such a file system is *far*: its file system is never called, and what is known of the
 * file is what its inode in memory has.
 */
#include <linux/backing-dev.h>
#include <linux/dcache.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/stat.h>

#include "compat.h"
#include "user/attributes.h"

/*
 * A file system on a block device has all that it needs in this machine, and so has one that writes
 * nothing back, such as tmpfs. An overlay is one of these, but its files are in other file systems.
 */
static bool has_all(const struct super_block *sb)
{
	return (sb->s_type->fs_flags & FS_REQUIRES_DEV) || sb->s_bdi == &noop_backing_dev_info;
}

/**
 * kprof_file_is_far() - may others decide how long an operation on a file takes
 * @file:	the file
 *
 * Some file systems on a block device share it with other machines, or are served by a process all
 * the same. They do not trust the names that are in memory, and check them each time. An overlay
 * does what the file systems do that its files are in.
 *
 * Context: any. Return: whether others may decide that.
 */
bool kprof_file_is_far(const struct file *file)
{
	const struct dentry *dentry = file->f_path.dentry;

	return !has_all(file_inode(file)->i_sb) || !has_all(dentry->d_sb) ||
	       (dentry->d_flags & DCACHE_OP_REVALIDATE);
}

/**
 * kprof_file_attributes() - find out what identifies a file
 * @file:	the file
 * @of:		where that goes
 *
 * Context: sleeps, but waits for no other process. Return: false if that could not be found out.
 */
bool kprof_file_attributes(const struct file *file, struct kprof_attributes *of)
{
	const struct inode *inode = file_inode(file);
	struct timespec64 mtime;
	struct kstat stat;

	if (kprof_file_is_far(file)) {
		mtime = inode_get_mtime(inode);
		*of = (struct kprof_attributes) {
			.dev = inode->i_sb->s_dev, .ino = inode->i_ino, .size = i_size_read(inode),
			.mtime = timespec64_to_ns(&mtime), .is_far = true,
		};
		return true;
	}
	if (vfs_getattr_nosec(&file->f_path, &stat, STATX_BASIC_STATS, AT_STATX_DONT_SYNC))
		return false;
	*of = (struct kprof_attributes) {
		.dev = stat.dev, .ino = stat.ino, .size = stat.size,
		.mtime = timespec64_to_ns(&stat.mtime),
	};
	return true;
}
