// SPDX-License-Identifier: GPL-2.0-only
/*
 * input.c - read an input: a file, a pipe or standard input, plain or compressed
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/input.h"
#include "lib/mem.h"
#include "lib/unpack.h"

#define TEXT_BLOCK	(8u << 10)	/* minimum room for a read of a text */

static int fail(struct input *in, const char *what, const char *why)
{
	snprintf(in->error, sizeof(in->error), "cannot %s it: %s", what, why);
	return -1;
}

static ssize_t read_fd(struct input *in, void *to, size_t len)
{
	ssize_t got;

	if (in->fd < 0)
		return 0;
	do
		got = read(in->fd, to, len);
	while (got < 0 && errno == EINTR);
	return got < 0 ? fail(in, "read", strerror(errno)) : got;
}

static ssize_t read_on(struct input *in, void *to, size_t len)
{
	const char *error;
	ssize_t got;

	if (!in->unpacker)
		return read_fd(in, to, len);
	got = unpack_read(in->unpacker, in->fd, to, len, &error);
	return got < 0 ? fail(in, "read", error) : got;
}

/* Read ahead INPUT_PEEK bytes, or fewer at the end of the input. */
static int look_ahead(struct input *in)
{
	ssize_t got = 1;

	memmove(in->ahead, in->ahead + in->at, in->nr_ahead - in->at);
	in->nr_ahead -= in->at;
	in->at = 0;
	while (in->nr_ahead < INPUT_PEEK && got) {
		got = read_on(in, in->ahead + in->nr_ahead, INPUT_PEEK - in->nr_ahead);
		if (got < 0)
			return -1;
		in->nr_ahead += got;
	}
	return 0;
}

/* Detect compression; in->fd is open. */
static int begin(struct input *in)
{
	in->ahead = mem_zalloc(INPUT_PEEK, 1);
	if (look_ahead(in)) {
		int error = errno;

		input_close(in);
		errno = error;
		return -1;
	}
	in->unpacker = unpack_begin(in->ahead, in->nr_ahead);
	if (in->unpacker)
		in->nr_ahead = 0;
	return 0;
}

/* The regular files that were read: a path may have other names, a file has one number. */
static struct file_id {
	dev_t dev;
	ino_t ino;
} *files;
static size_t nr_files, files_room;

static bool is_noted(const struct stat *st)
{
	size_t i;

	for (i = 0; i < nr_files; i++)
		if (files[i].dev == st->st_dev && files[i].ino == st->st_ino)
			return true;
	return false;
}

static void note(const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || is_noted(st))
		return;
	files = mem_grow(files, &files_room, nr_files + 1, sizeof(*files));
	files[nr_files++] = (struct file_id){ .dev = st->st_dev, .ino = st->st_ino };
}

void input_note(const char *path)
{
	struct stat st;

	if (!stat(path, &st))
		note(&st);
}

bool input_was_read(const char *path)
{
	struct stat st;

	return !stat(path, &st) && is_noted(&st);
}

bool input_is_given(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) &&
	       (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode));
}

int input_open(struct input *in, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;

	*in = (struct input){ .name = is_stdin ? "standard input" : path };
	in->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return fail(in, "open", strerror(errno));
	if (!fstat(in->fd, &st))
		note(&st);
	return begin(in);
}

int input_held_fd(int place)
{
	char held[32];

	snprintf(held, sizeof(held), "/proc/self/fd/%d", place);
	return open(held, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/*
 * To open a FIFO is to wait for a writer, and to open a device may do something. O_PATH does
 * neither, and holds the file, so that no other one can take its path before it is opened.
 */
int input_regular_fd(const char *path, const char **why)
{
	int place = open(path, O_PATH | O_CLOEXEC), fd = -1, error;
	struct stat st;

	if (place < 0 || fstat(place, &st)) {
		error = errno;
	} else if (!S_ISREG(st.st_mode)) {
		error = EINVAL;
	} else {
		fd = input_held_fd(place);
		error = errno;
	}
	if (place >= 0)
		close(place);
	errno = error;
	*why = fd >= 0 ? NULL : error == EINVAL ? "it is no regular file" : strerror(error);
	return fd;
}

static int open_regular(struct input *in, const char *path)
{
	const char *why;

	*in = (struct input){ .name = path };
	in->fd = input_regular_fd(path, &why);
	if (in->fd >= 0)
		return begin(in);
	return fail(in, errno == EINVAL ? "use" : "open", why);
}

void input_from_memory(struct input *in, struct buf *bytes)
{
	*in = (struct input){ .name = "memory", .fd = -1, .nr_ahead = bytes->len };
	in->ahead = mem_realloc(bytes->data, bytes->len > INPUT_PEEK ? bytes->len : INPUT_PEEK, 1);
	*bytes = (struct buf){ 0 };
}

void input_close(struct input *in)
{
	unpack_end(in->unpacker);
	free(in->ahead);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	in->unpacker = NULL;
	in->ahead = NULL;
}

ssize_t input_read(struct input *in, void *to, size_t len)
{
	size_t ahead = in->nr_ahead - in->at;

	if (!ahead)
		return len ? read_on(in, to, len) : 0;
	if (len > ahead)
		len = ahead;
	memcpy(to, in->ahead + in->at, len);
	in->at += len;
	return len;
}

ssize_t input_read_all(struct input *in, void *to, size_t len)
{
	size_t done = 0;
	ssize_t got = 1;

	while (got && done < len) {
		got = input_read(in, (char *)to + done, len - done);
		if (got < 0)
			return -1;
		done += got;
	}
	return done;
}

bool input_begins(struct input *in, const void *bytes, size_t len)
{
	/* If reading fails here, it will fail again when the bytes are read. */
	if (in->nr_ahead - in->at < len && look_ahead(in))
		return false;
	return in->nr_ahead - in->at >= len && !memcmp(in->ahead + in->at, bytes, len);
}

static size_t skip_space(const struct input *in, size_t at)
{
	while (at < in->nr_ahead && in->ahead[at] && strchr(" \t\r\n", in->ahead[at]))
		at++;
	return at;
}

bool input_begins_object(struct input *in)
{
	size_t at;

	if (in->nr_ahead - in->at < INPUT_PEEK && look_ahead(in))
		return false;
	at = skip_space(in, in->at);
	if (at == in->nr_ahead || in->ahead[at] != '{')
		return false;
	at = skip_space(in, at + 1);
	return at == in->nr_ahead || in->ahead[at] == '"' || in->ahead[at] == '}';
}

bool input_begins_text(struct input *in)
{
	size_t at;

	if (in->nr_ahead - in->at < INPUT_PEEK && look_ahead(in))
		return false;
	for (at = in->at; at < in->nr_ahead; at++) {
		unsigned char c = in->ahead[at];

		if (c == 0x7f || (c < ' ' && c != '\t' && c != '\r' && c != '\n'))
			return false;
	}
	return in->nr_ahead > in->at;
}

int input_read_text(struct input *in, struct buf *text)
{
	ssize_t got;

	do {
		/* The buffer doubles its size, so a large text needs few steps. */
		buf_reserve(text, TEXT_BLOCK);
		got = input_read(in, text->data + text->len, text->room - text->len - 1);
		if (got < 0)
			return -1;
		if (memchr(text->data + text->len, '\0', got))
			return fail(in, "use", "it is no text: there is a NUL in it");
		text->len += got;
		text->data[text->len] = '\0';
		if (text->len > INPUT_TEXT_MAX) {
			errno = EFBIG;
			return fail(in, "use", "it is longer than 64 MiB");
		}
	} while (got);
	return 0;
}

/* If opening succeeded, read the input as text, and close it. */
static int load(struct input *in, int ret, struct buf *text, char error[256])
{
	if (!ret) {
		ret = input_read_text(in, text);
		input_close(in);
	}
	if (ret)
		memcpy(error, in->error, 256);
	return ret;
}

int input_load(const char *path, struct buf *text, char error[256])
{
	struct input in;

	return load(&in, input_open(&in, path), text, error);
}

int input_load_regular(const char *path, struct buf *text, char error[256])
{
	struct input in;

	return load(&in, open_regular(&in, path), text, error);
}
