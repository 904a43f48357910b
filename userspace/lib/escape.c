// SPDX-License-Identifier: GPL-2.0-only
/*
 * escape.c - escape characters that must not reach a terminal or a document
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/escape.h"
#include "lib/mem.h"

/* --- characters --- */

static bool is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The length of a character by its first byte; 0 if no character begins with this byte. */
static unsigned int length_of(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return 2;
	if (c >= 0xe0 && c < 0xf0)
		return 3;
	return c >= 0xf0 && c < 0xf5 ? 4 : 0;
}

uint32_t escape_next(const char **text, const char *end)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)*text;
	unsigned int len = length_of(*p), i;
	uint32_t c;

	*text += 1;
	if (len == 1)
		return *p;
	if (!len || (size_t)(end - *text) < len - 1)
		return ESCAPE_INVALID;
	c = *p & (0x7fu >> len);
	for (i = 1; i < len; i++) {
		if (!is_continuation(p[i]))
			return ESCAPE_INVALID;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < smallest[len] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return ESCAPE_INVALID;
	*text += len - 1;
	return c;
}

bool escape_is_plain(uint32_t c)
{
	static const struct { uint32_t first, last; } others[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f },	/* control characters */
		{ 0x61c, 0x61c }, { 0x200e, 0x200f }, { 0x202a, 0x202e },
		{ 0x2066, 0x206f },		/* bidirectional controls */
		{ 0x2028, 0x2029 },		/* line and paragraph separators */
		{ 0xd800, 0xdfff }, { 0xfff9, 0xfffb },
		{ 0xe0000, 0xe007f },		/* tags, which are invisible */
		{ 0x110000, UINT32_MAX },
	};
	size_t i;

	if (c >= ' ' && c < 0x7f)
		return true;
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (c >= others[i].first && c <= others[i].last)
			return false;
	return (c & 0xfffe) != 0xfffe && (c < 0xfdd0 || c > 0xfdef);	/* noncharacters */
}

typedef signed char chars __attribute__((vector_size(16)));

/* Sets all bits of each byte that is printable ASCII. Other bytes of UTF-8 are negative. */
static chars printable_bytes(const char *text)
{
	chars v;

	memcpy(&v, text, sizeof(v));
	return (v >= ' ') & (v != 0x7f);
}

/* How many bytes at the start are printable ASCII; checks 32 at a time. */
static size_t printable(const char *text, size_t len)
{
	uint64_t half[2];
	chars good;
	size_t i;

	for (i = 0; i + 2 * sizeof(good) <= len; i += 2 * sizeof(good)) {
		good = printable_bytes(text + i) & printable_bytes(text + i + sizeof(good));
		memcpy(half, &good, sizeof(half));
		if ((half[0] & half[1]) != UINT64_MAX)
			break;
	}
	while (i < len && text[i] >= ' ' && text[i] < 0x7f)
		i++;
	return i;
}

bool escape_is_plain_text(const char *text, size_t len)
{
	const char *end = text + len;

	for (;;) {
		text += printable(text, end - text);
		if (text == end)
			return true;
		if (!escape_is_plain(escape_next(&text, end)))
			return false;
	}
}

/* @c is the result of escape_next() for a character that begins with @byte. */
static int escape_char(uint32_t c, unsigned char byte, char to[ESCAPE_SIZE])
{
	if (c == ESCAPE_INVALID)
		return snprintf(to, ESCAPE_SIZE, "\\x%02x", byte);
	if (c < 0x80)
		return snprintf(to, ESCAPE_SIZE, "\\x%02" PRIx32, c);
	return snprintf(to, ESCAPE_SIZE, c < 0x10000 ? "\\u%04" PRIx32 : "\\U%08" PRIx32, c);
}

/* --- texts --- */

/* Control characters in @let are not escaped. */
static void add(struct buf *out, const char *text, size_t len, const char *let)
{
	const char *end = text + len, *from = text;
	char escaped[ESCAPE_SIZE];

	while (text < end) {
		const char *at = text += printable(text, end - text);
		uint32_t c;

		if (at == end)
			break;
		c = escape_next(&text, end);
		if (escape_is_plain(c) || (c && c < ' ' && strchr(let, (int)c)))
			continue;
		buf_add(out, from, at - from);
		buf_add(out, escaped, escape_char(c, *at, escaped));
		from = text;
	}
	buf_add(out, from, end - from);
}

void escape_add(struct buf *out, const char *text, size_t len)
{
	add(out, text, len, "");
}

void escape_add_lines(struct buf *out, const char *text, size_t len)
{
	add(out, text, len, "\n\t");
}

void escape_print(const char *text, FILE *out)
{
	struct buf escaped = { 0 };

	if (escape_is_plain_text(text, strlen(text))) {
		fputs(text, out);
		return;
	}
	escape_add(&escaped, text, strlen(text));
	fwrite(escaped.data, 1, escaped.len, out);
	buf_free(&escaped);
}

/* --- standard output and standard error --- */

struct stream {
	int fd;
	int error;		/* errno of the first failure; nothing is written after it */
	size_t nr_kept;
	char kept[4];		/* the beginning of a character that is not complete yet */
};

static struct stream standard_output, standard_error;

static bool write_all(struct stream *s, const char *text, size_t len)
{
	ssize_t done;

	for (; len && !s->error; text += done, len -= done) {
		done = write(s->fd, text, len);
		if (done >= 0)
			continue;
		if (errno != EINTR)
			s->error = errno;
		done = 0;
	}
	errno = s->error;
	return !s->error;
}

/* How many bytes at the end may be the beginning of a character. */
static size_t unfinished(const char *text, size_t len)
{
	size_t i;

	for (i = 1; i < 4 && i <= len; i++) {
		unsigned char c = text[len - i];

		if (!is_continuation(c))
			return length_of(c) > i ? i : 0;
	}
	return 0;
}

/* Fast path: does the text consist of printable ASCII, line feeds and tabs? */
static bool is_clean(const char *text, size_t len)
{
	const char *end = text + len;

	for (;;) {
		text += printable(text, end - text);
		if (text == end)
			return true;
		if (*text != '\n' && *text != '\t')
			return false;
		text++;
	}
}

static ssize_t stream_write(void *cookie, const char *text, size_t len)
{
	struct stream *s = cookie;
	struct buf all = { 0 }, escaped = { 0 };
	size_t keep;
	bool good;

	if (!s->nr_kept && is_clean(text, len))
		return write_all(s, text, len) ? (ssize_t)len : 0;
	buf_add(&all, s->kept, s->nr_kept);
	buf_add(&all, text, len);
	keep = unfinished(all.data, all.len);
	add(&escaped, all.data, all.len - keep, "\n\t");
	memcpy(s->kept, all.data + all.len - keep, keep);
	s->nr_kept = keep;
	good = write_all(s, escaped.data, escaped.len);
	buf_free(&all);
	buf_free(&escaped);
	return good ? (ssize_t)len : 0;
}

static int stream_close(void *cookie)
{
	struct stream *s = cookie;
	struct buf escaped = { 0 };
	bool good;

	escape_add(&escaped, s->kept, s->nr_kept);
	good = write_all(s, escaped.data, escaped.len);
	buf_free(&escaped);
	return good ? 0 : -1;
}

static FILE *open_stream(struct stream *s, int fd, int mode)
{
	static const cookie_io_functions_t functions = {
		.write = stream_write, .close = stream_close,
	};
	FILE *out = fopencookie(s, "w", functions);

	if (!out)
		exit(EXIT_FAILURE);
	s->fd = fd;
	setvbuf(out, NULL, mode, BUFSIZ);
	return out;
}

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

void escape_undo_octal(char *text)
{
	char *to = text;

	for (; *text; text++, to++) {
		if (text[0] == '\\' && is_octal(text[1]) && text[1] <= '3' && is_octal(text[2]) &&
		    is_octal(text[3])) {
			*to = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 3;
		} else {
			*to = *text;
		}
	}
	*to = '\0';
}

void escape_begin(void)
{
	stdout = open_stream(&standard_output, STDOUT_FILENO,
			     isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
	stderr = open_stream(&standard_error, STDERR_FILENO, _IONBF);
}

int escape_end(void)
{
	fflush(stdout);
	return standard_output.error;
}

void escape_forget_reader(void)
{
	if (standard_output.error == EPIPE) {
		standard_output.error = 0;
		clearerr(stdout);
	}
}

void escape_paint(const char *sequence, FILE *out)
{
	fflush(out);
	write_all(out == stderr ? &standard_error : &standard_output, sequence, strlen(sequence));
}
