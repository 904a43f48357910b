// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_read.c - read a text of stacks, whichever program printed it
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/bpftrace_json.h"
#include "data/bpftrace_map.h"
#include "data/folded_parse.h"
#include "data/perf_script.h"
#include "data/stack_list.h"
#include "data/text_filter.h"
#include "data/text_guess.h"
#include "data/text_odd.h"
#include "data/text_read.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/opt.h"

#define FIRST_BLOCK	(16u << 10)	/* size of the first read; */
#define LAST_BLOCK	(1u << 20)	/* it doubles up to this for a long input */

struct reader {
	struct folded *f;
	const char *from;
	struct text_filter *filter;
	bool is_judged;			/* by its first lines */
	bool is_cut;			/* the last line has no line end */
	bool is_refused;		/* the filter asks what this text cannot answer, */
	bool is_wrong;			/* or it is no text of stacks: after a message */
	enum text_kind kind;
	struct folded_parser folded;
	struct perf_script perf;
	struct bpftrace_map map;
	struct stack_list list;
};

/* Returns why the line is left out; NULL: it is not. */
static const char *parse_other(struct reader *r, const char *line, size_t len)
{
	uint64_t nr = r->f->lines;

	switch (r->kind) {
	case TEXT_PERF:
		return perf_script_line(&r->perf, r->f, line, len, nr) ? NULL :
			"no frame of a sample";
	case TEXT_BPFTRACE:
		return !len || bpftrace_map_line(&r->map, r->f, line, len, nr) ? NULL :
			"no part of a map";
	case TEXT_BPFTRACE_JSON:
		return !len || bpftrace_json_line(&r->map, r->f, line, len, nr) ? NULL :
			"no JSON of bpftrace";
	default:
		return stack_list_line(&r->list, r->f, line, len, nr);
	}
}

static void parse_line(struct reader *r, const char *line, size_t len)
{
	const char *wrong;

	r->f->lines++;
	if (len && line[len - 1] == '\r')
		len--;
	if (r->kind != TEXT_FOLDED) {
		wrong = parse_other(r, line, len);
		if (wrong)
			folded_report(r->f, r->from, wrong, line, len);
	} else if (len && !folded_is_comment(line, len)) {
		folded_parser_line(&r->folded, line, len);
	}
}

/* Parse the complete lines of a text; if @end, also the last one. Returns the bytes used. */
static size_t parse_lines(struct reader *r, const char *text, size_t len, bool end)
{
	const char *line = text, *stop = text + len, *newline;

	while (line < stop) {
		newline = memchr(line, '\n', (size_t)(stop - line));
		if (!newline && !end)
			break;
		if (!newline) {
			newline = stop;
			r->is_cut = true;
		}
		parse_line(r, line, (size_t)(newline - line));
		line = newline + 1;
	}
	folded_parser_text_moves(&r->folded);	/* by the caller */
	return line < stop ? (size_t)(line - text) : len;
}

static void set_kind(struct reader *r, enum text_kind kind)
{
	r->kind = kind;
	if (r->filter)
		r->is_refused = !text_filter_set_kind(r->filter, kind);
}

/* The first lines tell the kind, if none was asked for, and how to read others of that kind. */
static void judge(struct reader *r, const char *text, size_t len)
{
	struct text_guess guess;

	text_guess_kind(text, len, &guess);
	r->is_judged = true;
	r->list.look = guess.list;
	r->folded.columns = guess.columns;
	if (r->kind != TEXT_AUTO)
		return;
	if (guess.wrong) {
		r->is_wrong = true;
		msg_error("%s:%" PRIu64 ": no text of stacks: no line has a ';', and most are like this one, '%.*s%s': --format folded reads them nevertheless",
			  r->from, guess.wrong, (int)(guess.wrong_len < 60 ? guess.wrong_len : 60),
			  guess.wrong_text, guess.wrong_len < 60 ? "" : "...");
		return;
	}
	if (guess.is_doubtful)
		msg_warn("%s:%" PRIu64 ": read as %s, but this line may also be one of %s: --format %s reads it so",
			 r->from, guess.line, text_kind_name(guess.kind),
			 text_kind_name(guess.other), text_kind_words[guess.other]);
	set_kind(r, guess.kind);
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
static const char *read_all(struct reader *r, struct input *in, struct buf *text, bool only_read)
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
			return "neither a recording nor a text of stacks: there is a NUL in it";
		text->len += got;
		if (!r->is_judged && (!got || text->len >= TEXT_GUESS_LOOK))
			judge(r, text->data, text->len);
		used = only_read || !r->is_judged || r->is_wrong ? 0 :
		       parse_lines(r, text->data, text->len, got == 0);
		text->len -= used;
		memmove(text->data, text->data + used, text->len);
		if (open_line(text) > TEXT_LINE_MAX)
			return "neither a recording nor a text of stacks: "
			       "there is a line of more than 4 MiB";
		if ((size_t)got == block && block < LAST_BLOCK)
			block *= 2;
	} while (got > 0 && !r->is_refused && !r->is_wrong);
	return NULL;
}

/* Parse what was only read, once the times of its samples are known. */
static int parse_whole(struct reader *r, struct buf *text)
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
	ret = text_filter_set_bounds(r->filter, first < last ? first : last, last);
	if (!ret && text->len)
		parse_lines(r, text->data, text->len, true);
	return ret;
}

/* Say what the text lacks. */
static int finish(struct reader *r)
{
	folded_report_end(r->f, r->from);
	if (r->is_cut && (r->kind == TEXT_FOLDED || r->kind == TEXT_LIST))
		msg_warn("%s:%" PRIu64 ": the last line has no line end: the text may be cut, also in the last count",
			 r->from, r->f->lines);
	switch (r->kind) {
	case TEXT_FOLDED:
		folded_parser_tell(&r->folded);
		return EXIT_OK;
	case TEXT_PERF:
		return perf_script_finish(&r->perf, r->f, r->from);
	case TEXT_LIST:
		r->f->bad_lines += stack_list_finish(&r->list, r->from);
		return EXIT_OK;
	default:
		return bpftrace_map_finish(&r->map, r->from);
	}
}

int text_read(struct folded *f, struct input *in, enum text_kind kind,
	      struct text_filter *filter)
{
	struct reader r = {
		.f = f, .from = in->name, .filter = filter,
		.folded = { .f = f, .from = in->name, .filter = filter },
		.perf = { .filter = filter }, .map = { .filter = filter },
		.list = { .filter = filter },
	};
	bool only_read = filter && text_filter_needs_bounds(filter);
	struct buf text = { 0 };
	const char *wrong;
	int ret = EXIT_OK;

	if (kind != TEXT_AUTO)
		set_kind(&r, kind);
	wrong = text_odd_skip_mark(in);
	if (!wrong && !r.is_refused)
		wrong = read_all(&r, in, &text, only_read);
	if (wrong)
		ret = msg_error("%s: %s", in->name, wrong);
	else if (r.is_wrong)
		ret = EXIT_ERROR;
	if (!ret && !r.is_refused && only_read)
		ret = parse_whole(&r, &text);
	if (!ret && !r.is_refused)
		ret = finish(&r);
	if (!ret && !r.is_refused)
		text_odd_tell(f, in->name);
	if (!ret && filter)
		ret = text_filter_check(filter, in->name);
	folded_parser_free(&r.folded);
	perf_script_free(&r.perf);
	bpftrace_map_free(&r.map);
	stack_list_free(&r.list);
	buf_free(&text);
	return ret;
}
