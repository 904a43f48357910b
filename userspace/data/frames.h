/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - the functions at an address of a recording, including inlined ones
 */
#ifndef KPROF_FRAMES_H
#define KPROF_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/buf.h"

struct data;
struct frames;
struct place_entry;

/*
 * The options as given on the command line. All zero: use the kernel's index, if there is one, and
 * what the recording has of programs.
 */
struct frames_options {
	const char *index;	/* a file; NULL: the default for the recording's kernel */
	bool no_inline;		/* show only functions that have a symbol, and no lines */
	bool lines;		/* append file and line to names */
};

#define FRAMES_INDEX_HELP \
	"what 'kprof index' has made; default, where it is there,\n" \
	"/lib/modules/RELEASE/kprof.index of the recording's kernel"
#define FRAMES_NO_INLINE_HELP	"charge inlined functions to what they are inlined into"
#define FRAMES_SRCLINE_HELP	"tell source lines apart: NAME (FILE:LINE)"

/*
 * The names of these options if any is given, else NULL: for a message that they need a
 * recording.
 */
const char *frames_options_given(const struct frames_options *options);

/* A function. */
struct frame {
	const char *name;	/* "0xffffffff81234567" if it is not known; maybe with its line */
	const char *function;	/* the same without file and line */
	const char *module;	/* NULL: the kernel itself */
	const char *label;	/* in flame graphs: "NAME [MODULE]_[i]"; user code has no MODULE */
	uint32_t label_len;
	bool is_inlined;
	bool is_user;		/* user code: the address is a place, as in user stacks */
	const char *file;	/* source at the address, or of the inlined call; or NULL; a path */
	uint32_t line;		/* 0: not known */
};

/*
 * Read the index for a recording that has been read. Returns EXIT_OK, after a warning if a default
 * index cannot be used; EXIT_ERROR, after a message, if the index that the user named cannot.
 */
int frames_open(struct data *d, const struct frames_options *options, const char *path);

/* Open the recording @path with data_open(), and then its frames. Call data_close() in any case. */
int frames_open_recording(struct data *d, const struct frames_options *options, const char *path);
void frames_close(struct data *d);

/* Do options want inlined functions? */
bool frames_are_inlined(const struct data *d);

/*
 * Is this a place in user code, as in user stacks, and not a kernel address? Look up kernel symbols
 * first: a recording may have them at any address.
 */
bool frames_is_place(uint64_t addr);

/* The functions at an address, innermost first. Results are cached. Valid until the next call. */
const struct frame *frames_at(const struct data *d, uint64_t addr, size_t *nr);

/* Call @entry for each address where an inlined function of the kernel is entered. */
void frames_each_entry(const struct data *d, void (*entry)(const struct place_entry *e, void *arg),
		       void *arg);

/*
 * The module or file of a function; "[kernel]" for the kernel; "[unknown]" if it is not known. A
 * special frame of a user stack, in brackets, is its own module.
 */
const char *frame_module(const struct frame *frame);

/* The file, if there is one, as names have it: of user code the last part of the path. */
const char *frame_file(const struct frame *frame);

/* Print "NAME"; with "_[i]" appended, as in flame graphs, if it is inlined. */
void frame_print(const struct frame *frame, struct buf *out);

#endif /* KPROF_FRAMES_H */
