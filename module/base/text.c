// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - a text buffer that grows
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/available.h"
#include "base/text.h"

/* Maximum length of one piece of formatted text. */
#define MAX_LINE	512

/* kvmalloc() has nothing larger than 2 GiB; as rooms are powers of two, that is not reached. */
#define MAX_ROOM	(1UL << 30)

static bool make_room(struct kprof_text *text, size_t size)
{
	size_t room = max_t(size_t, text->room, PAGE_SIZE);
	char *data = NULL;

	while (room < text->size + size)
		room *= 2;
	if (room > MAX_ROOM)
		text->too_large = true;
	else if (kprof_is_available(room))
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
 * kprof_text_reserve() - allocate the memory for later text at once
 * @text:	the text; marked as failed if there is no memory
 * @size:	number of bytes that will be appended
 *
 * Context: sleeps.
 */
void kprof_text_reserve(struct kprof_text *text, size_t size)
{
	if (!text->failed && size > text->room - text->size)
		make_room(text, size);
}

/* Append room for some bytes. Return: where they go; NULL if there is no memory. */
static char *append(struct kprof_text *text, size_t size)
{
	if (text->failed || (size > text->room - text->size && !make_room(text, size)))
		return NULL;
	text->size += size;
	return text->data + text->size - size;
}

/**
 * kprof_text_write() - append bytes
 * @text:	the text; marked as failed if there is no memory
 * @data:	the bytes
 * @size:	number of bytes
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
 * kprof_text_repeat() - append a copy of a part of the text
 * @text:	the text; marked as failed if there is no memory
 * @from:	offset of the part in the text
 * @size:	number of bytes
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
 * @text:	the text; marked as failed if there is no memory
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
 * kprof_text_path() - append a path as a line, whatever characters it has
 * @text:	the text; marked as failed if there is no memory
 * @path:	the path; control characters and backslashes are written as \012
 *
 * Context: sleeps.
 */
void kprof_text_path(struct kprof_text *text, const char *path)
{
	for (; *path; path++)
		if (iscntrl(*path) || *path == '\\')
			kprof_text_printf(text, "\\%03o", (u8)*path);
		else
			kprof_text_write(text, path, 1);
	kprof_text_write(text, "\n", 1);
}

/**
 * kprof_text_printf() - append formatted text
 * @text:	the text; marked as failed if there is no memory
 * @format:	as for printk(); output is limited to 511 characters
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
