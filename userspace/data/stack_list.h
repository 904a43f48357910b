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
 * the task, it becomes the first frame; so do other keys of dtrace, which are before the frames or
 * behind them. Of offwaketime, the stack that wakes is behind the one that waits, upside down, as
 * bcc prints it with -f.
 */
#ifndef KPROF_STACK_LIST_H
#define KPROF_STACK_LIST_H

#include "data/text_filter.h"

/* How the frames of a text look, of which its beginning tells most. */
struct stack_list_look {
	size_t indent;		/* of those with a backquote, as of dtrace; 0: there is none */
	bool has_addresses;	/* before their names */
};

/* Zero-initialise, but for @filter and @look. */
struct stack_list {
	struct text_filter *filter;	/* NULL: all stacks are taken */
	struct stack_list_look look;
	/* Private from here on. */
	bool in_distribution;	/* of dtrace, until an empty line */
	bool has_ids;		/* of offwaketime: the tasks of the stack have them */
	struct buf keys;	/* of dtrace, before the frames, each with a NUL */
	size_t nr_keys;
	bool has_stack;		/* there was one */
	struct buf task;	/* of the stack; "" if the text does not tell it */
	struct buf names;	/* of its frames, each with a NUL */
	size_t nr;
	uint64_t first_line;	/* of the stack */
	struct folded_frame *frame;
	size_t room;
	uint64_t no_count, no_count_line;	/* stacks that were not followed by one */
	struct folded_odd addresses;	/* frames without a name */
};

/* Parse line number @nr. Returns why it is left out; NULL: it is not. */
const char *stack_list_line(struct stack_list *s, struct folded *f, const char *line, size_t len,
			    uint64_t nr);

/* Say what was left out of the text, which messages call @from. Returns how many stacks. */
uint64_t stack_list_finish(struct stack_list *s, const char *from);
void stack_list_free(struct stack_list *s);

#endif /* KPROF_STACK_LIST_H */
