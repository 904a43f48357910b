/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - the functions at an address of a recording, inlined ones too
 */
#ifndef KPROF_FRAMES_H
#define KPROF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"

struct data;
struct frames;

/* As they are given on the command line; all zero: the index of the kernel, if there is one. */
struct frames_options {
	const char *index;	/* a file; NULL: beside the recording's kernel */
	bool no_inline;		/* only functions that have a symbol */
	bool lines;		/* names have the file and the line behind them */
};

#define FRAMES_INDEX_HELP \
	"what 'kprof index' has made; default, where it is there,\n" \
	"/lib/modules/RELEASE/kprof.index of the recording's kernel"
#define FRAMES_NO_INLINE_HELP	"charge inlined functions to what they are inlined into"
#define FRAMES_SRCLINE_HELP	"tell source lines apart: NAME (FILE:LINE)"

/* What these were, for who asks them of something that is no recording; NULL: not given. */
const char *frames_options_given(const struct frames_options *options);

/* A function. */
struct frame {
	const char *name;	/* "0xffffffff81234567" where it has none */
	const char *module;	/* NULL: the kernel itself */
	bool is_inlined;
	bool is_user;		/* of a program: a place, as user stacks have it */
};

/*
 * Read the index for a recording that has been read. EXIT_OK, after a warning if it is not used;
 * EXIT_ERROR, after a message, where one was asked for by name and cannot be used.
 */
int frames_open(struct data *d, const struct frames_options *options, const char *path);
void frames_close(struct data *d);

/*
 * Is it a place of user code, as user stacks have it, and no address of the kernel? Not to be asked
 * of what the kernel has a symbol for, wherever the recording says that its kernel was.
 */
bool frames_is_place(uint64_t addr);

/* The innermost first; each address is looked up once. Good until the next call. */
const struct frame *frames_at(const struct data *d, uint64_t addr, size_t *nr);

/*
 * Whose code it is: of a module, a file, or "[kernel]"; "[unknown]" where nothing is known, and in
 * brackets what stands for no function.
 */
const char *frame_module(const struct frame *frame);

/* "NAME", "NAME [MODULE]"; "_[i]" is behind an inlined one, as flame graphs have it. */
void frame_print(const struct frame *frame, bool with_module, struct buf *out);

#endif /* KPROF_FRAMES_H */
