// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_frame.c - a frame as perf script prints it, in a line of its own or behind a head
 */
#include <ctype.h>
#include <string.h>

#include "data/perf_frame.h"
#include "lib/scan.h"

#define ADDRESS_DIGITS	8	/* at least, of an address in the head of a sample */
#define SHORT_DIGITS	4	/* likewise, if a file follows */
#define ADDRESS_END	17	/* in a line of its own: perf prints a tab and "%16lx" */

const char *perf_frame_find_file(const char *text, const char *end)
{
	static const char *const files[] = {
		"(/", "([", "(inlined)", "(unknown)", "(anon", "(memfd:",
	};
	const char *p;
	size_t i;

	for (p = text; p < end; p++) {
		if (*p != '(' || (p > text && !isspace((unsigned char)p[-1])))
			continue;
		for (i = 0; i < sizeof(files) / sizeof(*files); i++)
			if (end - p >= (ptrdiff_t)strlen(files[i]) &&
			    !memcmp(p, files[i], strlen(files[i])))
				return p;
	}
	return NULL;
}

/* The bracket that closes one, which may have others in it. NULL: there is none. */
static const char *find_close(const char *open, const char *end)
{
	size_t depth = 0;

	for (; open < end; open++) {
		if (*open == '(')
			depth++;
		else if (*open == ')' && !--depth)
			return open;
	}
	return NULL;
}

const char *perf_frame_skip_address(const char *p, const char *end)
{
	const char *word = scan_spaces(p, end), *word_end = scan_hex(word, end);

	return word_end > word && word_end < end && isspace((unsigned char)*word_end) &&
	       (word_end - word >= ADDRESS_DIGITS || word_end - p > PERF_ADDRESS_WIDTH) ?
	       word_end : NULL;
}

/* Where the bracket begins that ends at @close, with a blank before it. NULL: there is none. */
static const char *find_open(const char *text, const char *close)
{
	const char *p, *last = NULL;
	size_t depth = 0;

	for (p = close; p >= text; p--) {
		bool is_begin = *p == '(' && (p == text || isspace((unsigned char)p[-1]));

		if (is_begin && !last)
			last = p;
		if (*p == ')')
			depth++;
		else if (*p == '(' && !--depth)
			return is_begin ? p : NULL;
	}
	/* A file whose name has one bracket only. */
	return last;
}

/* Behind the file may stand other fields: "insn: 48 89", "ilen: 2", a branch, an address. */
static bool is_other_field(const char *p, const char *end)
{
	const char *word = scan_spaces(p, end), *word_end = scan_word(word, end);

	return word == end ||
	       (word > p && (word_end[-1] == ':' ||
			     (word_end - word > 2 && !memcmp(word, "0x", 2))));
}

static void take_symbol(const char *p, const char *end, struct perf_frame *frame)
{
	const char *close = memrchr(p, ')', end - p), *open = NULL;

	if (close && is_other_field(close + 1, end))
		open = find_open(p, close);
	*frame = (struct perf_frame){ .name = p, .file = open ? open + 1 : end };
	frame->name_len = scan_trim(p, (open ? open : end) - p);
	frame->file_len = open ? close - frame->file : 0;
}

bool perf_frame_take(const char *line, size_t len, struct perf_frame *frame)
{
	const char *end = line + scan_trim(line, len), *start = scan_spaces(line, end);
	const char *p = scan_hex(start, end);

	if (start == line || p == start || (p < end && !isspace((unsigned char)*p)))
		return false;
	take_symbol(scan_spaces(p, end), end, frame);
	/* "add 5" in a text that is indented: without a file, only an address begins a frame. */
	return frame->file_len || p - start >= ADDRESS_DIGITS ||
	       (*line == '\t' && p - line == ADDRESS_END);
}

bool perf_frame_take_bare(const char *line, size_t len, struct perf_frame *frame)
{
	const char *end = line + scan_trim(line, len), *p = scan_hex(line, end);

	if (p - line < ADDRESS_DIGITS || (p < end && !isspace((unsigned char)*p)))
		return false;
	take_symbol(scan_spaces(p, end), end, frame);
	return true;
}

/*
 * The address of the instruction is the last one in columns of its own that a file follows: before
 * it may stand one of data, and behind the file others.
 */
static const char *find_symbol(const char *behind, const char *end)
{
	const char *p = behind, *word, *word_end, *symbol = NULL;

	while ((word = scan_spaces(p, end)) < end) {
		word_end = scan_word(word, end);
		if ((word - p > 1 || word_end - p > PERF_ADDRESS_WIDTH) &&
		    scan_hex(word, word_end) == word_end && perf_frame_find_file(word_end, end))
			symbol = scan_spaces(word_end, end);
		p = word_end;
	}
	return symbol;
}

/* The symbol behind an address of so many digits at least, if a file follows; else NULL. */
static const char *skip_short_address(const char *p, const char *end, int digits)
{
	const char *word = scan_spaces(p, end), *word_end = scan_hex(word, end);

	return word_end - word >= digits && word_end < end && isspace((unsigned char)*word_end) &&
	       perf_frame_find_file(word_end, end) ? scan_spaces(word_end, end) : NULL;
}

/* The same where the blanks are lost, or there is no file. */
static const char *find_bare_symbol(const char *behind, const char *end)
{
	const char *symbol = perf_frame_skip_address(behind, end), *next;

	if (!symbol)
		return skip_short_address(behind, end, SHORT_DIGITS);
	next = perf_frame_skip_address(symbol, end);
	return scan_spaces(next ? next : symbol, end);
}

/* Behind a symbol and its file, another address with both? Then what is at @symbol is of data. */
static const char *skip_data(const char *symbol, const char *end)
{
	const char *open = perf_frame_find_file(symbol, end);
	const char *close = open ? find_close(open, end) : NULL;

	return close ? skip_short_address(close + 1, end, 1) : NULL;
}

bool perf_frame_take_only(const char *behind, const char *end, struct perf_frame *frame)
{
	const char *symbol, *next, *open, *close;
	/* A branch leads to somewhere else, which is no frame. */
	const char *to = memmem(behind, end - behind, " => ", 4);

	if (to)
		end = to;
	symbol = find_symbol(behind, end);
	if (!symbol)
		symbol = find_bare_symbol(behind, end);
	if (!symbol)
		return false;
	next = skip_data(symbol, end);
	if (next)
		symbol = next;
	open = perf_frame_find_file(symbol, end);
	close = open ? find_close(open, end) : NULL;
	take_symbol(symbol, close ? close + 1 : end, frame);
	return true;
}

bool perf_frame_is_headless(const char *line, size_t len)
{
	struct perf_frame frame;

	return perf_frame_take(line, len, &frame) ||
	       (perf_frame_take_only(line, line + len, &frame) && frame.file_len);
}

bool perf_frame_has_file(const char *text, size_t len)
{
	len = scan_trim(text, len);
	return len && text[len - 1] == ')' && perf_frame_find_file(text, text + len);
}
