// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_guess.c - which program printed a text of stacks, as its first lines tell
 */
#include <ctype.h>
#include <string.h>

#include "data/bpftrace_json.h"
#include "data/bpftrace_map.h"
#include "data/folded.h"
#include "data/perf_frame.h"
#include "data/perf_line.h"
#include "data/perf_script.h"
#include "data/stack_line.h"
#include "data/stack_list.h"
#include "data/text_guess.h"
#include "lib/scan.h"

/* How many lines there are of each sort; for some, the number of the first one. */
struct votes {
	uint64_t lines;		/* that are not empty */
	uint64_t counts;	/* that end in a count behind a name, as folded text does */
	uint64_t two;		/* of those, in two counts */
	uint64_t semicolons;	/* of those, with one */
	uint64_t plain;		/* of those, without one; but for these: */
	uint64_t wrong;		/* that may be no stacks, or have no count, and the first of them */
	const char *wrong_text;
	size_t wrong_len;
	uint64_t first_wrong;
	uint64_t heads;		/* of samples, with a time, or an event behind a thread id */
	uint64_t times;		/* those with a time, which no list of stacks has */
	uint64_t first_head;
	uint64_t bare_heads;	/* before frames; many lines look like one */
	bool was_bare;		/* the last line looked like one */
	uint64_t both, first_both;	/* heads that end in a count */
	uint64_t frames;	/* of perf script: an address, and a name */
	uint64_t headless;	/* those, and heads without what makes them one, before a frame */
	uint64_t maps, json;
	uint64_t names;		/* indented, without a count */
	uint64_t addresses;	/* of those, with one before the name, */
	uint64_t bare;		/* and surely without one */
	uint64_t ticks;		/* of those, with a backquote, as dtrace prints them */
	size_t indent;		/* of these, at most */
	uint64_t numbers;	/* that are a count, and nothing else */
};

static void note(uint64_t *count, uint64_t *first, uint64_t nr)
{
	if (!(*count)++)
		*first = nr;
}

/* A line of a list, as which it is indented. */
static void vote_name(struct votes *v, const char *line, size_t len)
{
	size_t indent = scan_spaces(line, line + len) - line;

	v->names++;
	if (stack_line_has_address(line, len))
		v->addresses++;
	else
		v->bare += !stack_line_may_have_address(line, len);
	if (!memchr(line, ';', len) && stack_line_is_of_dtrace(line, len)) {
		v->ticks++;
		v->indent = indent > v->indent ? indent : v->indent;
	}
}

/* A line of folded text. */
static void vote_stack(struct votes *v, const char *line, size_t len, bool has_count, uint64_t nr)
{
	size_t name_len = len;

	while (has_count && name_len && !isspace((unsigned char)line[name_len - 1]))
		name_len--;
	name_len = scan_trim(line, name_len);
	v->counts += has_count;
	v->two += has_count && folded_ends_in_two_counts(line, len);
	if (has_count && memchr(line, ';', len)) {
		v->semicolons++;
	} else if (has_count && !folded_is_prose(line, name_len)) {
		v->plain++;
	} else if (!v->wrong++) {
		v->first_wrong = nr;
		v->wrong_text = line;
		v->wrong_len = len;
	}
}

/* A line that is not empty. */
static void vote(struct votes *v, const char *line, size_t len, uint64_t nr)
{
	bool is_indented = isspace((unsigned char)*line);
	bool is_number = stack_line_is_count(line, len), was_bare = v->was_bare;
	bool has_count = !is_number && !stack_line_is_party(line, len) &&
			 !stack_line_is_bar(line, len) && folded_ends_in_count(line, len);
	struct perf_frame frame;
	struct perf_head head;

	v->lines++;
	v->was_bare = false;
	v->maps += bpftrace_map_begins(line, len);
	v->json += bpftrace_json_begins(line, len);
	v->numbers += is_number;
	if (is_indented && !has_count && !is_number)
		vote_name(v, line, len);
	/* The name of a task is aligned to the right, a time is not. */
	if (perf_line_take_head(line, len, &head) && (head.pid || !is_indented)) {
		note(&v->heads, &v->first_head, nr);
		v->times += !!head.time;
		if (has_count)
			note(&v->both, &v->first_both, nr);
		return;
	}
	if (folded_is_comment(line, len))
		return;
	vote_stack(v, line, len, has_count, nr);
	v->headless += !has_count && perf_frame_is_headless(line, len);
	if (perf_frame_take(line, len, &frame)) {
		v->frames++;
		v->bare_heads += was_bare;
	}
	v->was_bare = !is_indented && perf_line_take_bare_head(line, len, &head);
}

static enum text_kind judge(const struct votes *v)
{
	uint64_t heads = v->heads + v->bare_heads;
	/* A name and a number make a bare head, too. */
	uint64_t counts = v->counts > v->bare_heads ? v->counts - v->bare_heads : 0;

	/* Neither begins a line of another kind. */
	if (v->json)
		return TEXT_BPFTRACE_JSON;
	if (v->maps)
		return TEXT_BPFTRACE;
	/* Others have lines with nothing but a number only behind heads: a physical address. */
	if (v->numbers && v->names && v->numbers > v->counts && v->numbers >= heads &&
	    !(v->frames && v->times))
		return TEXT_LIST;
	/* The count may be behind other keys. */
	if (v->ticks && v->ticks >= v->counts)
		return TEXT_LIST;
	if (v->frames && heads && v->frames + heads > counts)
		return TEXT_PERF;
	if (v->heads > v->counts || (v->headless > v->counts && v->headless * 4 > v->lines))
		return TEXT_PERF;
	return TEXT_FOLDED;
}

/*
 * Heads that end in a number, without any frame, may be folded text with such names. Folded text in
 * which some lines look like heads may be text of perf script in which they do not.
 */
static void doubt(struct text_guess *guess, const struct votes *v)
{
	guess->kind = judge(v);
	/* Lines would be read by accident. */
	if (guess->kind == TEXT_FOLDED && !v->semicolons && v->counts && v->wrong > v->plain) {
		guess->wrong = v->first_wrong;
		guess->wrong_text = v->wrong_text;
		guess->wrong_len = v->wrong_len;
	}
	if (guess->kind == TEXT_PERF && !v->frames && v->both == v->lines) {
		guess->is_doubtful = true;
		guess->other = TEXT_FOLDED;
		guess->line = v->first_both;
	} else if (guess->kind == TEXT_FOLDED && v->heads) {
		guess->is_doubtful = true;
		guess->other = TEXT_PERF;
		guess->line = v->first_head;
	}
}

void text_guess_kind(const char *text, size_t len, struct text_guess *guess)
{
	struct votes v = { .lines = 0 };
	const char *stop = text + len, *end;
	bool has_header = false;
	uint64_t nr = 0;

	*guess = (struct text_guess){ .kind = TEXT_FOLDED };
	for (; text < stop; text = end + 1) {
		end = memchr(text, '\n', stop - text);
		if (!end)
			end = stop;
		nr++;
		len = scan_trim(text, end - text);
		has_header |= perf_script_is_header(text, len);
		if (len && !(has_header && *text == '#'))
			vote(&v, text, len, nr);
	}
	doubt(guess, &v);
	/* Nearly all lines of a differential have two. */
	guess->columns = v.two * 10 >= v.counts * 9 && v.two ? FOLDED_TWO_COUNTS : FOLDED_ONE_COUNT;
	guess->list.indent = v.indent;
	guess->list.has_addresses = v.addresses > v.bare;
}
