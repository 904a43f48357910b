/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_file.h - files whose entire text is made when they are opened
 */
#ifndef KPROF_TEXT_FILE_H
#define KPROF_TEXT_FILE_H

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/types.h>

#include "base/text.h"

typedef int (*kprof_text_fn)(struct kprof_text *text);

int kprof_text_open(struct file *file, kprof_text_fn make);
ssize_t kprof_text_read(struct file *file, char __user *to, size_t size, loff_t *pos);
loff_t kprof_text_llseek(struct file *file, loff_t offset, int whence);
int kprof_text_release(struct inode *inode, struct file *file);

/* Define kprof_NAME_fops for a file whose text @make writes, with both locks held. */
#define KPROF_TEXT_FILE(name, make)					\
static int name##_open(struct inode *inode, struct file *file)		\
{									\
	return kprof_text_open(file, make);				\
}									\
const struct file_operations kprof_##name##_fops = {			\
	.owner = THIS_MODULE,						\
	.open = name##_open,						\
	.read = kprof_text_read,					\
	.llseek = kprof_text_llseek,					\
	.release = kprof_text_release,					\
}

#endif /* KPROF_TEXT_FILE_H */
