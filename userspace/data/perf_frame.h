/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf_frame.h - a frame as perf script prints it, in a line of its own or behind a head
 *
 *		ADDRESS SYMBOL+0xOFFSET (FILE)
 */
#ifndef KPROF_PERF_FRAME_H
#define KPROF_PERF_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#define PERF_ADDRESS_WIDTH	16	/* columns of an address */

/* A frame. Texts point into the line. */
struct perf_frame {
	const char *name;	/* with its offset */
	size_t name_len;	/* 0: the line has no symbol */
	const char *file;	/* what is in the brackets */
	size_t file_len;	/* 0: the line has no file */
};

/* Parse a frame that has a line of its own. */
bool perf_frame_take(const char *line, size_t len, struct perf_frame *frame);

/* The same without an indentation, where the address has at least eight digits. */
bool perf_frame_take_bare(const char *line, size_t len, struct perf_frame *frame);

/*
 * Parse the frame in the head of a sample that has no more: "ADDRESS SYMBOL (FILE)", before and
 * behind which may be other fields, such as an address of data, or registers.
 */
bool perf_frame_take_only(const char *behind, const char *end, struct perf_frame *frame);

/* Is it a frame, or does it end in one, as the line of a sample whose head cannot be read? */
bool perf_frame_is_headless(const char *line, size_t len);

/* Does it end in the file of a function? */
bool perf_frame_has_file(const char *text, size_t len);

/* --- parts of one --- */

/*
 * What is behind an address that begins at @p. perf aligns addresses to the right, in 16 columns
 * behind a blank; where the blanks are lost, it must be a long one. NULL: there is none.
 */
const char *perf_frame_skip_address(const char *p, const char *end);

/* Where the bracket of a file begins: " (/usr/lib/x.so)", " ([ext4])". NULL: there is none. */
const char *perf_frame_find_file(const char *text, const char *end);

#endif /* KPROF_PERF_FRAME_H */
