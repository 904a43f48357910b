// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded_parse.c - parse folded text into the tree
 *
 * A line is parsed as in flamegraph.pl: the count comes after the last white
 * space, another number before it makes the line a differential, and empty
 * frames at the end are ignored. In addition, a carriage return at the end of a
 * line, and empty lines, are ignored.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/bpftrace_map.h"
#include "data/folded.h"
#include "data/perf_script.h"
#include "data/text_filter.h"
#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/plural.h"

#define MAX_REPORTS	10		/* further bad lines are only counted */
#define FIRST_BLOCK	(16u << 10)	/* size of the first read; */
#define LAST_BLOCK	(1u << 20)	/* it doubles up to this for a long input */
#define COUNT_MAX	(1ull << 63)
#define FRACTION_SCALE	1000000000000000000ull

/*
 * Keeps the previous line and the ends of its frames: if a line begins with the
 * same frames, these need not be looked up again.
 */
struct parser {
	struct folded *f;
	const char *from;
	struct text_filter *filter;	/* NULL: all stacks are taken */
	folded_change_fn *change;	/* NULL: as they are */
	void *arg;
	const char *last;
	size_t last_len;
	size_t *end;
	size_t nr_ends, end_room;
	struct folded_frame *frame;	/* where the line is needed as an array: of the line */
	size_t frame_room;
	bool is_folded;			/* there was a stack of folded text */
	bool is_refused;		/* the filter asks what this text cannot answer */
	bool is_headed;			/* it begins as the output of perf script --header does */
	bool is_perf;			/* the input is the output of perf script */
	struct perf_script perf;
	bool is_bpftrace;		/* it is that of bpftrace */
	struct bpftrace_map map;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Convert digits, which may have a decimal point. Returns false if they exceed COUNT_MAX. */
static bool to_count(const char *text, const char *end, folded_count *count)
{
	uint64_t whole = 0, fraction = 0, scale = 1;

	for (; text < end && *text != '.'; text++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(*text - '0'), &whole) ||
		    whole > COUNT_MAX)
			return false;
	*count = whole;
	if (text++ == end)
		return true;
	/* Further digits are too small to be printed. */
	for (; text < end && scale < FRACTION_SCALE; text++, scale *= 10)
		fraction = fraction * 10 + (uint64_t)(*text - '0');
	*count += (folded_count)fraction / scale;
	return true;
}

enum count_kind { COUNT_GOOD, COUNT_NONE, COUNT_TOO_LARGE };

/* Remove a number and the white space before it from the end of text[0..*len]. */
static enum count_kind take_count(const char *text, size_t *len, folded_count *count)
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
		return COUNT_NONE;
	*len = (size_t)(p - 1 - text);
	return to_count(p, end, count) ? COUNT_GOOD : COUNT_TOO_LARGE;
}

bool folded_ends_in_count(const char *text, size_t len)
{
	folded_count count;

	return take_count(text, &len, &count) != COUNT_NONE;
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

/* How many whole frames at the beginning are the same as in the last line. */
static size_t same_frames(const struct parser *p, const char *text, size_t len)
{
	size_t same, depth = p->nr_ends, end;

	/* No frames, even if the last line began with an empty one. */
	if (!len)
		return 0;
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

/* The frame at text[*pos]; moves *pos past its separator. */
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

/* The frames of a line as an array. Returns how many. */
static size_t split_frames(struct parser *p, const char *text, size_t len)
{
	size_t pos = 0, nr = 0;

	while (pos < len) {
		p->frame = mem_grow(p->frame, &p->frame_room, nr + 1, sizeof(*p->frame));
		p->frame[nr++] = next_frame(text, len, &pos);
	}
	return nr;
}

static size_t add_leaf_first(struct parser *p, const char *text, size_t len)
{
	size_t nr = split_frames(p, text, len), i;

	for (i = 0; i < nr; i++)
		folded_step_to(p->f, i, &p->frame[nr - 1 - i]);
	return nr;
}

static void report(struct parser *p, const char *why, const char *line, size_t len)
{
	if (p->f->bad_lines++ < MAX_REPORTS)
		msg_warn("%s:%" PRIu64 ": %s, so left out: '%.*s%s'", p->from, p->f->lines, why,
			 (int)(len < 60 ? len : 60), line, len < 60 ? "" : "...");
}

/* Parse the counts at the end of a line; *len becomes the stack's. Returns NULL or an error. */
static const char *take_counts(struct parser *p, const char *line, size_t *len,
			       struct folded_self *count)
{
	enum count_kind kind = take_count(line, len, &count->after);

	if (kind == COUNT_NONE || *len > UINT32_MAX)
		return "no stack and count";
	if (kind == COUNT_GOOD) {
		kind = take_count(line, len, &count->before);
		if (kind == COUNT_GOOD)
			p->f->differential = true;
	}
	return kind == COUNT_TOO_LARGE ? "a count of more than 2^63" : NULL;
}

/* The text is known to be of this kind from here on. */
static void set_kind(struct parser *p, bool *is_kind, enum text_kind kind)
{
	if (!*is_kind && p->filter)
		p->is_refused = !text_filter_set_kind(p->filter, kind);
	*is_kind = true;
}

/* A line of folded text: a stack and its count. */
static void parse_stack(struct parser *p, const char *line, size_t len)
{
	struct folded_self count = { 0, 0 };
	size_t stack_len = len, depth;
	const char *wrong = take_counts(p, line, &stack_len, &count);

	if (wrong) {
		report(p, wrong, line, len);
		return;
	}
	while (stack_len && line[stack_len - 1] == ';')
		stack_len--;
	if (p->change) {
		depth = split_frames(p, line, stack_len);
		if (p->change(p->arg, p->frame, depth))
			folded_add(p->f, p->frame, depth, count.after);
		return;
	}
	if (stack_len)
		set_kind(p, &p->is_folded, TEXT_FOLDED);
	if (p->filter) {
		depth = split_frames(p, line, stack_len);
		if (!text_filter_passes_folded(p->filter, p->frame, depth))
			return;
	}
	if (p->f->mode & FOLDED_LEAF_FIRST)
		depth = add_leaf_first(p, line, stack_len);
	else
		depth = add_root_first(p, line, stack_len);
	folded_count_path(p->f, depth, &count);
}

static void parse_line(struct parser *p, const char *line, size_t len)
{
	p->f->lines++;
	if (len && line[len - 1] == '\r')
		len--;
	if (!len) {
		if (p->is_perf)
			perf_script_end(&p->perf, p->f);
		return;
	}
	if (p->change) {
		parse_stack(p, line, len);
		return;
	}
	/* There may be a number at the end of any of these, as if it was a stack. */
	p->is_headed |= !p->is_folded && perf_script_is_header(line, len);
	if (p->is_headed && !p->is_folded && !p->is_perf && *line == '#')
		return;
	/* Once there was a folded line, the text is not checked for others any more. */
	if (!p->is_folded && !p->is_perf && (*line == '@' || *line == 'A') &&
	    bpftrace_map_begins(line, len))
		set_kind(p, &p->is_bpftrace, TEXT_BPFTRACE);
	if (p->is_bpftrace) {
		if (!bpftrace_map_line(&p->map, p->f, line, len))
			report(p, "no part of a map", line, len);
		return;
	}
	if (!p->is_folded && !p->is_perf && perf_script_begins(line, len))
		set_kind(p, &p->is_perf, TEXT_PERF);
	if (!p->is_perf)
		parse_stack(p, line, len);
	else if (!perf_script_line(&p->perf, p->f, line, len))
		report(p, "no frame of a sample", line, len);
}

/* Parse the complete lines of a text; if @end, also the last one. Returns the bytes used. */
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
	perf_script_end(&p->perf, p->f);
	if (p->perf.left_out)
		msg_warn("%s: %" PRIu64 " sample%s of other events than %s %s left out", p->from,
			 p->perf.left_out, plural(p->perf.left_out), p->perf.event.data,
			 plural_are(p->perf.left_out));
	perf_script_free(&p->perf);
	p->map.left_out += p->map.in_entry;
	if (p->map.left_out)
		msg_warn("%s: %" PRIu64 " value%s of bpftrace %s left out, without a stack or not a count",
			 p->from, p->map.left_out, plural(p->map.left_out),
			 plural_are(p->map.left_out));
	bpftrace_map_free(&p->map);
	free(p->end);
	free(p->frame);
}

void folded_parse(struct folded *f, const char *text, size_t len, const char *from)
{
	struct parser p = { .f = f, .from = from };

	parse_lines(&p, text, len, true);
	finish(&p);
}

void folded_parse_changed(struct folded *f, const char *text, size_t len, const char *from,
			  folded_change_fn *change, void *arg)
{
	struct parser p = { .f = f, .from = from, .change = change, .arg = arg };

	parse_lines(&p, text, len, true);
	finish(&p);
}

/* How much of the text a line has that has not ended yet. */
static size_t open_line(const struct buf *text)
{
	const char *newline = text->len ? memrchr(text->data, '\n', text->len) : NULL;

	return newline ? (size_t)(text->data + text->len - newline) : text->len;
}

/*
 * Read and parse until the end, or only read if the filter has to know all of it first. Returns
 * NULL or an error.
 */
static const char *read_all(struct parser *p, struct input *in, struct buf *text, bool only_read)
{
	size_t used, block = FIRST_BLOCK;
	ssize_t got;

	do {
		buf_reserve(text, block);
		got = input_read(in, text->data + text->len, block);
		if (got < 0)
			return in->error;
		/* A binary file; its first "line" might never end. */
		if (memchr(text->data + text->len, '\0', got))
			return "neither a recording nor folded text: there is a NUL in it";
		text->len += got;
		used = only_read ? 0 : parse_lines(p, text->data, text->len, got == 0);
		text->len -= used;
		memmove(text->data, text->data + used, text->len);
		if (open_line(text) > FOLDED_LINE_MAX)
			return "neither a recording nor folded text: "
			       "there is a line of more than 4 MiB";
		if ((size_t)got == block && block < LAST_BLOCK)
			block *= 2;
	} while (got > 0 && !p->is_refused);
	return NULL;
}

/* Parse what was only read, once the times of its samples are known. */
static int parse_whole(struct parser *p, struct buf *text)
{
	const char *at, *line;
	uint64_t first = UINT64_MAX, last = 0, time;
	size_t len;
	int ret;

	buf_add(text, "", 0);		/* ends in a NUL */
	at = text->data;
	while (buf_next_line(&at, &line, &len)) {
		if (!perf_script_time(line, len, &time))
			continue;
		first = time < first ? time : first;
		last = time > last ? time : last;
	}
	ret = text_filter_set_bounds(p->filter, first < last ? first : last, last);
	if (!ret && text->len)
		parse_lines(p, text->data, text->len, true);
	return ret;
}

int folded_read(struct folded *f, struct input *in, struct text_filter *filter)
{
	struct parser p = {
		.f = f, .from = in->name, .filter = filter,
		.perf = { .filter = filter }, .map = { .filter = filter },
	};
	bool only_read = filter && text_filter_needs_bounds(filter);
	struct buf text = { 0 };
	const char *wrong = read_all(&p, in, &text, only_read);
	int ret = wrong ? msg_error("%s: %s", in->name, wrong) : EXIT_OK;

	if (!ret && only_read)
		ret = parse_whole(&p, &text);
	finish(&p);
	if (!ret && filter)
		ret = text_filter_check(filter, in->name);
	buf_free(&text);
	return ret;
}
