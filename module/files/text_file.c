// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_file.c - files whose entire text is made when they are opened
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/state.h"
#include "files/text_file.h"
#include "profile/profile.h"

/**
 * kprof_text_open() - make a file's text
 * @file:	the file, which is being opened
 * @make:	writes the text, under kprof_mutex and kprof_profile_sem
 *
 * Context: sleeps. Return: 0; -ENOMEM; -EFBIG; -EPERM if the kernel is locked down in
 * confidentiality mode; or what @make returned.
 */
int kprof_text_open(struct file *file, kprof_text_fn make)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);
	struct kprof_text *text;

	if (err)
		return err;
	text = kzalloc(sizeof(*text), GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	mutex_lock(&kprof_mutex);
	down_read(&kprof_profile_sem);
	err = make(text);
	up_read(&kprof_profile_sem);
	if (!err && text->failed)
		err = -ENOMEM;
	if (text->too_large)
		err = kprof_refuse(-EFBIG, file_dentry(file)->d_name.name, "",
				   "its text would have more than 1 GiB; read the tables and the rings, as kprof record does, or give less of max_stacks or depth");
	mutex_unlock(&kprof_mutex);
	if (err) {
		kvfree(text->data);
		kfree(text);
		return err;
	}
	file->private_data = text;
	return 0;
}

/* The functions of a file_operations. The text does not change once it is made. */
ssize_t kprof_text_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	struct kprof_text *text = file->private_data;

	return simple_read_from_buffer(to, size, pos, text->data, text->size);
}

loff_t kprof_text_llseek(struct file *file, loff_t offset, int whence)
{
	struct kprof_text *text = file->private_data;

	return fixed_size_llseek(file, offset, whence, text->size);
}

int kprof_text_release(struct inode *inode, struct file *file)
{
	struct kprof_text *text = file->private_data;

	kvfree(text->data);
	kfree(text);
	return 0;
}
