/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_line.h - what a line looks like of stacks that are printed a frame a line
 */
#ifndef KPROF_STACK_LINE_H
#define KPROF_STACK_LINE_H

#include <stdbool.h>
#include <stddef.h>

#define STACK_LINE_ADDRESS	8	/* digits at least, of an address before a name */
#define STACK_LINE_SHORT	4	/* likewise, where the other frames have addresses */

struct span {
	const char *at, *end;
};

/* The line without white space at both ends. */
struct span stack_line_trim(const char *line, size_t len);

/* Is this a number, and nothing else? Or is it meant to be a count, such as "-7" or "1,234"? */
bool stack_line_is_number(const char *line, size_t len);
bool stack_line_is_count(const char *line, size_t len);

/* "    waker:           dd", of offwaketime and wakeuptime: no count, whatever is behind it. */
bool stack_line_is_party(const char *line, size_t len);

/* "      4 |@@@@       5", of a distribution of dtrace: no count, likewise. */
bool stack_line_is_bar(const char *line, size_t len);

/* Is it a frame as dtrace prints it, with a backquote, or an address alone? */
bool stack_line_is_of_dtrace(const char *line, size_t len);

/* Does a frame begin with its address? Or with what may be a short one, or is the line a task's? */
bool stack_line_has_address(const char *line, size_t len);
bool stack_line_may_have_address(const char *line, size_t len);

#endif /* KPROF_STACK_LINE_H */
