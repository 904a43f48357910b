// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - reads an entire file
 */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/path.h>
#include <linux/sched/task.h>
#include <linux/vmalloc.h>

#include "symbols/file.h"

/*
 * Opens a file like kernel_read_file_from_path_initns(). That function cannot be used: reading
 * a file of an unknown kind makes a security module warn. O_NONBLOCK keeps a pipe without a
 * writer from blocking the holder of kprof_mutex.
 */
static struct file *open_first_root(const char *path)
{
	struct file *file;
	struct path root;

	task_lock(&init_task);
	get_fs_root(init_task.fs, &root);
	task_unlock(&init_task);
	file = file_open_root(&root, path, O_RDONLY | O_NONBLOCK, 0);
	path_put(&root);
	return file;
}

static void *read_whole(struct file *file, size_t max, size_t *size)
{
	loff_t length = i_size_read(file_inode(file)), at = 0;
	void *data;
	ssize_t n;

	if (!S_ISREG(file_inode(file)->i_mode))
		return ERR_PTR(-EINVAL);
	if (length <= 0 || length > max)
		return ERR_PTR(length > 0 ? -E2BIG : -EINVAL);
	data = vmalloc(length);
	if (!data)
		return ERR_PTR(-ENOMEM);
	while (at < length) {
		n = kernel_read(file, data + at, length - at, &at);
		if (n > 0)
			continue;
		vfree(data);
		return ERR_PTR(n ?: -EIO);
	}
	*size = length;
	return data;
}

/**
 * kprof_file_read() - read an entire file
 * @path:	absolute, in the root file system of the init task
 * @max:	maximum size of the file
 * @size:	set to its size in bytes
 *
 * Context: sleeps. Return: the content, for vfree(); else an error as ERR_PTR(): -E2BIG, -EINVAL
 * if it is empty or not a regular file, or what opening or reading it returned.
 */
void *kprof_file_read(const char *path, size_t max, size_t *size)
{
	struct file *file = open_first_root(path);
	void *data;

	if (IS_ERR(file))
		return file;
	data = read_whole(file, max, size);
	fput(file);
	return data;
}
