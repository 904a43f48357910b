/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - a text buffer that grows
 */
#ifndef KPROF_TEXT_H
#define KPROF_TEXT_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct kprof_text - a text buffer that grows
 * @data:	the text, without a NUL
 * @size:	size of the text
 * @room:	size of the memory allocated
 * @failed:	it is not complete
 * @too_large:	because it would be too large; else, because there was not enough memory
 */
struct kprof_text {
	char *data;
	size_t size;
	size_t room;
	bool failed;
	bool too_large;
};

void kprof_text_reserve(struct kprof_text *text, size_t size);
void kprof_text_write(struct kprof_text *text, const char *data, size_t size);
void kprof_text_repeat(struct kprof_text *text, size_t from, size_t size);
void kprof_text_number(struct kprof_text *text, u64 number);
void kprof_text_path(struct kprof_text *text, const char *path);
__printf(2, 3) void kprof_text_printf(struct kprof_text *text, const char *format, ...);

#endif /* KPROF_TEXT_H */
