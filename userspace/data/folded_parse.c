// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded_parse.c - parse folded text into the tree
 *
 * A line is parsed as in flamegraph.pl: the count comes after the last white
 * space, another number before it makes the line a differential, if that is not
 * known to be part of a name, and empty frames at the end are ignored. In
 * addition, a carriage return at the end of a line, empty lines, and comments
 * are ignored.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/folded.h"
#include "data/folded_parse.h"
#include "data/text_filter.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "lib/process.h"

#define MAX_REPORTS	10		/* further bad lines are only counted */
#define COUNT_MAX	(1ull << 63)
#define FRACTION_SCALE	1000000000000000000ull

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

bool folded_ends_in_two_counts(const char *text, size_t len)
{
	folded_count count;

	return take_count(text, &len, &count) != COUNT_NONE &&
	       take_count(text, &len, &count) != COUNT_NONE;
}

bool folded_is_comment(const char *line, size_t len)
{
	return *line == '#' && (len == 1 || line[1] == ' ') && !memchr(line, ';', len);
}

bool folded_is_prose(const char *name, size_t len)
{
	size_t depth = 0, i;

	if (len && (is_space(*name) || name[len - 1] == ':'))
		return true;
	for (i = 0; len > PROCESS_COMM_MAX && i < len; i++) {
		if (strchr("([{<", name[i]))
			depth++;
		else if (depth && strchr(")]}>", name[i]))
			depth--;
		else if (!depth && is_space(name[i]) && i + 1 < len && !strchr("([", name[i + 1]))
			return true;
	}
	return false;
}

bool folded_is_source(const char *name, size_t len)
{
	static const char tid[] = " tid=";
	const char *end = name + len, *p;

	if (len < 2 || *name != '[' || end[-1] != ']')
		return false;
	for (p = end - 1; is_digit(p[-1]); p--)
		;
	return p == end - 1 || p - name < (ptrdiff_t)strlen(tid) ||
	       memcmp(p - strlen(tid), tid, strlen(tid));
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
static size_t same_frames(const struct folded_parser *p, const char *text, size_t len)
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

static void note_end(struct folded_parser *p, size_t end)
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

static size_t add_root_first(struct folded_parser *p, const char *text, size_t len)
{
	size_t pos = 0;

	p->nr_ends = p->last ? same_frames(p, text, len) : 0;
	if (p->nr_ends)
		pos = p->end[p->nr_ends - 1] + 1;
	while (pos < len) {
		struct folded_frame frame = next_frame(text, len, &pos);

		if (!frame.len)
			folded_note_odd(&p->f->nameless, p->f->lines);
		folded_step_to(p->f, p->nr_ends, &frame);
		note_end(p, pos - 1);
	}
	p->last = text;
	p->last_len = len;
	return p->nr_ends;
}

/* The frames of a line as an array. Returns how many. */
static size_t split_frames(struct folded_parser *p, const char *text, size_t len)
{
	size_t pos = 0, nr = 0;

	while (pos < len) {
		p->frame = mem_grow(p->frame, &p->frame_room, nr + 1, sizeof(*p->frame));
		p->frame[nr++] = next_frame(text, len, &pos);
	}
	return nr;
}

static size_t add_leaf_first(struct folded_parser *p, const char *text, size_t len)
{
	size_t nr = split_frames(p, text, len), i;

	for (i = 0; i < nr; i++)
		folded_step_to(p->f, i, &p->frame[nr - 1 - i]);
	return nr;
}

void folded_report(struct folded *f, const char *from, const char *why, const char *line,
		   size_t len)
{
	if (f->bad_lines++ < MAX_REPORTS)
		msg_warn("%s:%" PRIu64 ": %s, so left out: '%.*s%s'", from, f->lines, why,
			 (int)(len < 60 ? len : 60), line, len < 60 ? "" : "...");
}

void folded_report_end(const struct folded *f, const char *from)
{
	if (f->bad_lines > MAX_REPORTS)
		msg_warn("%s: %" PRIu64 " of %" PRIu64 " lines are left out", from, f->bad_lines,
			 f->lines);
}

/* Why a line has no count: is its last word meant as one, such as "-7", "1,234", or "1e5"? */
static const char *why_no_count(const char *line, size_t len)
{
	const char *p = line + len;
	bool has_digit = false;

	for (; p > line && !is_space(p[-1]); p--) {
		has_digit |= is_digit(p[-1]);
		if (!strchr("0123456789abcdefxEX.,+-", p[-1]))
			return "no stack and count";
	}
	return p > line && has_digit && (is_digit(*p) || strchr("+-.,", *p)) ?
	       "a count that is no number such as 12 or 1.5" : "no stack and count";
}

/* Take a number before the count, if the text has two counts a line; else it is part of a name. */
static enum count_kind take_before(struct folded_parser *p, const char *line, size_t *len,
				   struct folded_self *count)
{
	size_t before = *len;
	enum count_kind kind = take_count(line, &before, &count->before);

	if (kind != COUNT_NONE && p->columns == FOLDED_ONE_COUNT) {
		folded_note_odd(&p->other_columns, p->f->lines);
		count->before = 0;
		return COUNT_NONE;
	}
	if (kind == COUNT_NONE && p->columns == FOLDED_TWO_COUNTS)
		folded_note_odd(&p->other_columns, p->f->lines);
	p->f->differential |= kind == COUNT_GOOD;
	*len = before;
	return kind;
}

/* Parse the counts at the end of a line; *len becomes the stack's. Returns NULL or an error. */
static const char *take_counts(struct folded_parser *p, const char *line, size_t *len,
			       struct folded_self *count)
{
	enum count_kind kind = take_count(line, len, &count->after);

	if (kind == COUNT_NONE || *len > UINT32_MAX)
		return why_no_count(line, *len);
	if (kind == COUNT_GOOD)
		kind = take_before(p, line, len, count);
	return kind == COUNT_TOO_LARGE ? "a count of more than 2^63" : NULL;
}

void folded_parser_line(struct folded_parser *p, const char *line, size_t len)
{
	struct folded_self count = { 0, 0 };
	size_t stack_len = len, depth;
	const char *wrong = take_counts(p, line, &stack_len, &count);

	if (wrong) {
		folded_report(p->f, p->from, wrong, line, len);
		return;
	}
	if (stack_len && !memchr(line, ';', stack_len) && folded_is_prose(line, stack_len))
		folded_note_odd(&p->prose, p->f->lines);
	while (stack_len && line[stack_len - 1] == ';')
		stack_len--;
	if (!stack_len)
		folded_note_odd(&p->f->stackless, p->f->lines);
	if (p->change) {
		depth = split_frames(p, line, stack_len);
		if (p->change(p->arg, p->frame, depth))
			folded_add(p->f, p->frame, depth, count.after);
		return;
	}
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

void folded_parser_tell(const struct folded_parser *p)
{
	const struct folded_odd *odd = &p->other_columns;

	if (odd->nr && p->columns == FOLDED_TWO_COUNTS)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " line%s with one count, where others have two: it is taken for the second",
			 p->from, odd->line, odd->nr, plural(odd->nr));
	else if (odd->nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " line%s with two numbers at the end, where others have one: the first is taken for a part of the name",
			 p->from, odd->line, odd->nr, plural(odd->nr));
	if (p->prose.nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " line%s without a ';' whose name has blanks or ends in ':', which may be no stack%s",
			 p->from, p->prose.line, p->prose.nr, plural(p->prose.nr),
			 plural(p->prose.nr));
}

void folded_parser_text_moves(struct folded_parser *p)
{
	p->last = NULL;
	p->nr_ends = 0;
}

void folded_parser_free(struct folded_parser *p)
{
	free(p->end);
	free(p->frame);
}

static void parse(struct folded_parser *p, const char *text, size_t len)
{
	const char *stop = text + len, *end;

	for (; text < stop; text = end + 1) {
		end = memchr(text, '\n', (size_t)(stop - text));
		if (!end)
			end = stop;
		len = (size_t)(end - text);
		if (len && text[len - 1] == '\r')
			len--;
		p->f->lines++;
		if (len)
			folded_parser_line(p, text, len);
	}
	folded_report_end(p->f, p->from);
	folded_parser_free(p);
}

void folded_parse(struct folded *f, const char *text, size_t len, const char *from)
{
	struct folded_parser p = { .f = f, .from = from };

	parse(&p, text, len);
}

void folded_parse_changed(struct folded *f, const char *text, size_t len, const char *from,
			  folded_change_fn *change, void *arg)
{
	struct folded_parser p = { .f = f, .from = from, .change = change, .arg = arg };

	parse(&p, text, len);
}
