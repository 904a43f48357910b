/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - the one way to open an input: file, pipe or stdin, plain or compressed
 *
 * An input is opened once and read sequentially, so a pipe works wherever a file does.
 * gzip and zstd are decompressed on the fly. Decompressed data may not exceed UNPACK_RATIO
 * times the compressed size, so that a small file cannot keep the program busy.
 *
 *	struct input in;
 *
 *	if (input_open(&in, path))
 *		return msg_error("%s: %s", in.name, in.error);
 *	while ((len = input_read(&in, block, sizeof(block))) > 0)
 *		...
 *	input_close(&in);
 */
#ifndef KPROF_INPUT_H
#define KPROF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/buf.h"

#define INPUT_PEEK	32		/* bytes that can be looked at in advance */
#define INPUT_TEXT_MAX	(256ull << 20)	/* of a text that is read as a whole */

struct unpacker;

struct input {
	const char *name;		/* of the file, or "standard input" */
	char error[256];		/* why something failed */
	int fd;				/* private, as what follows; -1: memory alone */
	struct unpacker *unpacker;	/* NULL: plain */
	char *ahead;			/* what was looked at and is not read yet */
	size_t at, nr_ahead;
};

/* "-": standard input. -1 with in->error set; then there is nothing to be closed. */
int input_open(struct input *in, const char *path);

/* The same from memory, plain, whose contents are taken over. */
void input_from_memory(struct input *in, struct buf *bytes);
void input_close(struct input *in);

/* Up to @len bytes; 0: the end; -1 with in->error set. */
ssize_t input_read(struct input *in, void *to, size_t len);

/* Fill all of it unless the end comes before. */
ssize_t input_read_all(struct input *in, void *to, size_t len);

/* Do the next bytes, INPUT_PEEK at most, read so? They stay to be read. */
bool input_begins(struct input *in, const void *bytes, size_t len);

/*
 * Append the rest, up to INPUT_TEXT_MAX, of what has to be text: without a NUL. -1 with
 * in->error set.
 */
int input_read_text(struct input *in, struct buf *text);

/* Open, read as text, close: -1 with @error set, and errno where it cannot be opened. */
int input_load(const char *path, struct buf *text, char error[256]);

/*
 * The same of a file of the system's, which nobody named on the command line: a pipe, a socket
 * or a device in its place, which could keep the program waiting, is refused.
 */
int input_load_regular(const char *path, struct buf *text, char error[256]);

#endif /* KPROF_INPUT_H */
