/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_list.h - parse stacks that are printed a frame a line, with the count behind them
 *
 *	    vfs_read
 *	    ksys_read
 *	    -                dd (25036)
 *	        12
 *
 * So do dtrace, SystemTap, and profile, offcputime and stackcount of bcc, each with signs of its
 * own: addresses before a name and offsets behind it, the task in "- COMM (PID)" or "COMM [PID]",
 * "--" between a user and a kernel stack. The innermost function comes first. Where the text tells
 * the task, it becomes the first frame.
 */
#ifndef KPROF_STACK_LIST_H
#define KPROF_STACK_LIST_H

#include "data/text_filter.h"

/* Zero-initialise, but for @filter. */
struct stack_list {
	struct text_filter *filter;	/* NULL: all stacks are taken */
	/* Private from here on. */
	bool has_stack;		/* there was one */
	struct buf task;	/* of the stack; "" if the text does not tell it */
	struct buf names;	/* of its frames, each with a NUL */
	size_t nr;
	uint64_t first_line;	/* of the stack */
	struct folded_frame *frame;
	size_t room;
	uint64_t no_count, no_count_line;	/* stacks that were not followed by one */
};

/* Is this a number, and nothing else? */
bool stack_list_is_number(const char *line, size_t len);

/* Parse line number @nr. Returns false if it is not a line of such a text. */
bool stack_list_line(struct stack_list *s, struct folded *f, const char *line, size_t len,
		     uint64_t nr);

/* Say what was left out of the text, which messages call @from. Returns how many stacks. */
uint64_t stack_list_finish(struct stack_list *s, const char *from);
void stack_list_free(struct stack_list *s);

#endif /* KPROF_STACK_LIST_H */
