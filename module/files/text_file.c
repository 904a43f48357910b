// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_file.c - files whose whole text is made when they are opened
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control/session.h"
#include "files/text_file.h"

/* Of what is formatted at once. */
#define MAX_LINE	512

static bool make_room(struct kprof_text *text, size_t size)
{
	size_t room = max_t(size_t, text->room, PAGE_SIZE);
	char *data;

	while (room < text->size + size)
		room *= 2;
	data = kvmalloc(room, GFP_KERNEL);
	if (!data) {
		text->failed = true;
		return false;
	}
	if (text->size)
		memcpy(data, text->data, text->size);
	kvfree(text->data);
	text->data = data;
	text->room = room;
	return true;
}

/**
 * kprof_text_reserve() - take the memory for what is to come at once
 * @text:	the text; if there is no memory it is marked as failed
 * @size:	bytes to come
 *
 * Context: sleeps.
 */
void kprof_text_reserve(struct kprof_text *text, size_t size)
{
	if (!text->failed && size > text->room - text->size)
		make_room(text, size);
}

/* Where bytes that are appended go; NULL if there is no memory for them. */
static char *append(struct kprof_text *text, size_t size)
{
	if (text->failed || (size > text->room - text->size && !make_room(text, size)))
		return NULL;
	text->size += size;
	return text->data + text->size - size;
}

/**
 * kprof_text_write() - append bytes
 * @text:	the text; if there is no memory it is marked as failed
 * @data:	the bytes
 * @size:	how many
 *
 * Context: sleeps.
 */
void kprof_text_write(struct kprof_text *text, const char *data, size_t size)
{
	char *to = append(text, size);

	if (to)
		memcpy(to, data, size);
}

/**
 * kprof_text_repeat() - append bytes that the text has already
 * @text:	the text; if there is no memory it is marked as failed
 * @from:	where they are in it
 * @size:	how many
 *
 * Context: sleeps.
 */
void kprof_text_repeat(struct kprof_text *text, size_t from, size_t size)
{
	char *to = append(text, size);

	if (to)
		memcpy(to, text->data + from, size);
}

/**
 * kprof_text_number() - append a number in decimal, at a tenth of kprof_text_printf()'s cost
 * @text:	the text; if there is no memory it is marked as failed
 * @number:	the number
 *
 * Context: sleeps.
 */
void kprof_text_number(struct kprof_text *text, u64 number)
{
	char digits[20], *end = digits + sizeof(digits), *begin = end;

	do {
		*--begin = '0' + number % 10;
		number /= 10;
	} while (number);
	kprof_text_write(text, begin, end - begin);
}

/**
 * kprof_text_printf() - append formatted text
 * @text:	the text; if there is no memory it is marked as failed
 * @format:	as printk() takes it; at most 511 characters come out
 *
 * Context: sleeps.
 */
void kprof_text_printf(struct kprof_text *text, const char *format, ...)
{
	char *line = append(text, MAX_LINE);
	va_list args;

	if (!line)
		return;
	va_start(args, format);
	text->size += vscnprintf(line, MAX_LINE, format, args) - MAX_LINE;
	va_end(args);
}

/**
 * kprof_text_open() - make a file's text
 * @file:	being opened
 * @make:	writes the text, under kprof_mutex and kprof_profile_sem
 *
 * Context: sleeps. Return: 0, -ENOMEM, -EPERM if the kernel is locked
 * down so far that nothing may be learnt of it, or what @make returned.
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
	mutex_unlock(&kprof_mutex);
	if (!err && text->failed)
		err = -ENOMEM;
	if (err) {
		kvfree(text->data);
		kfree(text);
		return err;
	}
	file->private_data = text;
	return 0;
}

/* What a file_operations needs; the text does not change once it is made. */
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
