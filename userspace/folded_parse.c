// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded_parse.c - reads folded text into the tree
 *
 * A line is taken as flamegraph.pl takes it: the count is what stands behind
 * the last white space, a number before it makes the line a differential,
 * empty frames at the end are none. What is more: a carriage return at the end
 * is no part of the line, and an empty line is nothing at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folded.h"
#include "folded_impl.h"
#include "mem.h"
#include "msg.h"
#include "opt.h"

#define MAX_REPORTS	10		/* of bad lines; the others are only counted */
#define BLOCK		(1u << 20)	/* is read at once */
#define EXACT_DIGITS	19		/* always fit into 64 bits */

/*
 * The stack of the line before, and where its frames end: a line that begins
 * likewise need not be looked up from the root.
 */
struct parser {
	struct folded *f;
	const char *from;
	const char *last;
	size_t last_len;
	size_t *end;
	size_t nr_ends, end_room;
	struct folded_frame *frame;	/* FOLDED_LEAF_FIRST: of this line */
	size_t frame_room;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static folded_count to_count(const char *text, const char *end)
{
	folded_count value = 0, scale = 1, fraction = 0;
	const char *p = text;

	if (end - text <= EXACT_DIGITS) {
		uint64_t whole = 0;

		for (; p < end && *p != '.'; p++)
			whole = whole * 10 + (uint64_t)(*p - '0');
		value = whole;
	} else {
		for (; p < end && *p != '.'; p++)
			value = value * 10 + (*p - '0');
	}
	if (p == end)
		return value;
	for (p++; p < end; p++, scale *= 10)
		fraction = fraction * 10 + (*p - '0');
	return value + fraction / scale;
}

/* Take white space and a number off the end of text[0..*len]. */
static bool take_count(const char *text, size_t *len, folded_count *count)
{
	const char *end = text + *len, *p = end;

	while (p > text && is_digit(p[-1]))
		p--;
	if (p > text && p[-1] == '.') {
		p--;
		while (p > text && is_digit(p[-1]))
			p--;
	}
	if (p == end || !is_digit(*p) || p == text || !is_space(p[-1]))
		return false;
	*count = to_count(p, end);
	*len = (size_t)(p - 1 - text);
	return true;
}

static size_t common_prefix(const char *a, const char *b, size_t len)
{
	uint64_t wa, wb;
	size_t i = 0;

	for (; i + sizeof(wa) <= len; i += sizeof(wa)) {
		memcpy(&wa, a + i, sizeof(wa));
		memcpy(&wb, b + i, sizeof(wb));
		if (wa != wb)
			break;
	}
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/* How many frames of the last line this one begins with, whole. */
static size_t same_frames(const struct parser *p, const char *text, size_t len)
{
	size_t same, depth = p->nr_ends, end;

	same = common_prefix(text, p->last, len < p->last_len ? len : p->last_len);
	for (; depth; depth--) {
		end = p->end[depth - 1];
		if (end <= same && (end == len || text[end] == ';'))
			break;
	}
	return depth;
}

static void note_end(struct parser *p, size_t end)
{
	p->end = mem_grow(p->end, &p->end_room, p->nr_ends + 1, sizeof(*p->end));
	p->end[p->nr_ends++] = end;
}

/* The frame from text[*pos], and *pos behind its separator. */
static struct folded_frame next_frame(const char *text, size_t len, size_t *pos)
{
	const char *begin = text + *pos;
	const char *semicolon = memchr(begin, ';', len - *pos);
	size_t frame_len = semicolon ? (size_t)(semicolon - begin) : len - *pos;

	*pos += frame_len + 1;
	return (struct folded_frame) { .text = begin, .len = (uint32_t)frame_len };
}

static size_t add_root_first(struct parser *p, const char *text, size_t len)
{
	size_t pos = 0;

	p->nr_ends = p->last ? same_frames(p, text, len) : 0;
	if (p->nr_ends)
		pos = p->end[p->nr_ends - 1] + 1;
	while (pos < len) {
		struct folded_frame frame = next_frame(text, len, &pos);

		folded_step_to(p->f, p->nr_ends, &frame);
		note_end(p, pos - 1);
	}
	p->last = text;
	p->last_len = len;
	return p->nr_ends;
}

static size_t add_leaf_first(struct parser *p, const char *text, size_t len)
{
	size_t pos = 0, nr = 0, i;

	while (pos < len) {
		p->frame = mem_grow(p->frame, &p->frame_room, nr + 1, sizeof(*p->frame));
		p->frame[nr++] = next_frame(text, len, &pos);
	}
	for (i = 0; i < nr; i++)
		folded_step_to(p->f, i, &p->frame[nr - 1 - i]);
	return nr;
}

static void report(struct parser *p, const char *line, size_t len)
{
	if (p->f->bad_lines++ < MAX_REPORTS)
		msg_warn("%s:%" PRIu64 ": no stack and count, so left out: '%.*s%s'", p->from,
			 p->f->lines, (int)(len < 60 ? len : 60), line, len < 60 ? "" : "...");
}

static void parse_line(struct parser *p, const char *line, size_t len)
{
	struct folded_self count = { 0, 0 };
	size_t stack_len, depth;

	p->f->lines++;
	if (len && line[len - 1] == '\r')
		len--;
	if (!len)
		return;
	stack_len = len;
	if (!take_count(line, &stack_len, &count.after) || stack_len > UINT32_MAX) {
		report(p, line, len);
		return;
	}
	if (take_count(line, &stack_len, &count.before))
		p->f->differential = true;
	while (stack_len && line[stack_len - 1] == ';')
		stack_len--;
	if (p->f->mode & FOLDED_LEAF_FIRST)
		depth = add_leaf_first(p, line, stack_len);
	else
		depth = add_root_first(p, line, stack_len);
	folded_count_path(p->f, depth, &count);
}

/* Parse the whole lines of a text, the last one too where @end. Returns what is used. */
static size_t parse_lines(struct parser *p, const char *text, size_t len, bool end)
{
	const char *line = text, *stop = text + len, *newline;

	while (line < stop) {
		newline = memchr(line, '\n', (size_t)(stop - line));
		if (!newline && !end)
			break;
		if (!newline)
			newline = stop;
		parse_line(p, line, (size_t)(newline - line));
		line = newline + 1;
	}
	p->last = NULL;		/* the caller moves the text */
	p->nr_ends = 0;
	return line < stop ? (size_t)(line - text) : len;
}

static void finish(struct parser *p)
{
	if (p->f->bad_lines > MAX_REPORTS)
		msg_warn("%s: %" PRIu64 " of %" PRIu64 " lines are left out", p->from,
			 p->f->bad_lines, p->f->lines);
	free(p->end);
	free(p->frame);
}

void folded_parse(struct folded *f, const char *text, size_t len, const char *from)
{
	struct parser p = { .f = f, .from = from };

	parse_lines(&p, text, len, true);
	finish(&p);
}

/* Read and parse until the end of the file; 0 or an errno. */
static int read_all(struct parser *p, int fd)
{
	size_t room = 0, len = 0, used;
	char *text = NULL;
	ssize_t got;
	int error = 0;

	do {
		text = mem_grow(text, &room, len + BLOCK, 1);
		do {
			got = read(fd, text + len, room - len);
		} while (got < 0 && errno == EINTR);
		if (got < 0) {
			error = errno;
			break;
		}
		len += (size_t)got;
		used = parse_lines(p, text, len, got == 0);
		len -= used;
		memmove(text, text + used, len);
	} while (got > 0);
	free(text);
	return error;
}

int folded_read(struct folded *f, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct parser p = { .f = f, .from = is_stdin ? "standard input" : path };
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return msg_error("cannot open '%s': %s", path, strerror(errno));
	error = read_all(&p, fd);
	finish(&p);
	if (!is_stdin)
		close(fd);
	return error ? msg_error("cannot read %s: %s", p.from, strerror(error)) : EXIT_OK;
}
