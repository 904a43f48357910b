/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - read an input: a file, a pipe or standard input, plain or compressed
 *
 * All inputs are opened here. An input is opened once and read sequentially, so a pipe
 * works wherever a file does. gzip and zstd are decompressed on the fly. Decompressed data
 * may not exceed UNPACK_RATIO times the compressed size (plus UNPACK_SLACK), so that a
 * small file cannot keep the program busy.
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

#define INPUT_PEEK	32		/* how many bytes can be looked at ahead */
#define INPUT_TEXT_MAX	(64ull << 20)	/* longest text that is read as a whole, in bytes */

struct unpacker;

struct input {
	const char *name;		/* of the file, or "standard input" */
	char error[256];		/* why the last operation failed */
	/* Private from here on. */
	int fd;				/* -1: all data is in memory */
	struct unpacker *unpacker;	/* NULL: not compressed */
	char *ahead;			/* bytes that were looked at, but not read yet */
	size_t at, nr_ahead;
};

/*
 * Open a file; "-" is standard input. Returns -1 with in->error set on failure; then there is
 * nothing to close.
 */
int input_open(struct input *in, const char *path);

/*
 * Was standard input given: a pipe, a file or a socket? A terminal, /dev/null and what is closed
 * are what a program has that nothing is given to.
 */
bool input_is_given(void);

/* Note a file that is read by other means, for input_was_read(). */
void input_note(const char *path);

/* Is this a regular file that was opened here, or noted? Writing it would destroy what was read. */
bool input_was_read(const char *path);

/* Read from memory, without decompression. Takes over the contents of @bytes. */
void input_from_memory(struct input *in, struct buf *bytes);
void input_close(struct input *in);

/* Read up to @len bytes. Returns 0 at the end, -1 with in->error set on failure. */
ssize_t input_read(struct input *in, void *to, size_t len);

/* Read @len bytes, or fewer only at the end of the input. Returns as input_read() does. */
ssize_t input_read_all(struct input *in, void *to, size_t len);

/* Are these the next bytes (at most INPUT_PEEK)? Does not consume them. */
bool input_begins(struct input *in, const void *bytes, size_t len);

/*
 * Is what follows a JSON object, as far as INPUT_PEEK bytes tell: a brace, then a quote or a brace,
 * with white space around them? A brace alone begins folded text, too: "{{closure}};b 1".
 */
bool input_begins_object(struct input *in);

/* Is what follows text, as far as INPUT_PEEK bytes tell? */
bool input_begins_text(struct input *in);

/*
 * Append the rest of the input, which must be text: at most INPUT_TEXT_MAX bytes, without a
 * NUL. Returns -1 with in->error set on failure; errno is EFBIG if it is longer.
 */
int input_read_text(struct input *in, struct buf *text);

/*
 * Open a file for other readers, if it is a regular one; nothing else is opened, not even for a
 * moment. Returns its descriptor, or -1 with errno set, and with *@why it failed.
 */
int input_regular_fd(const char *path, const char **why);

/*
 * Open for reading the file that a descriptor of O_PATH holds, without waiting. Returns a
 * descriptor, or -1 with errno set.
 */
int input_held_fd(int place);

/*
 * Open a file, read it as text and close it. Returns -1 with @error set on failure; errno is set
 * if the file cannot be opened.
 */
int input_load(const char *path, struct buf *text, char error[256]);

/*
 * The same for a system file that the user did not name on the command line. Only a regular file
 * is accepted: a pipe, a socket or a device in its place could block the program.
 */
int input_load_regular(const char *path, struct buf *text, char error[256]);

#endif /* KPROF_INPUT_H */
