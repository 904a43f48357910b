// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_list.c - parse stacks that are printed a frame a line, with the count behind them
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/stack_line.h"
#include "data/stack_list.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "lib/scan.h"

#define COUNT_COLUMNS	17	/* of dtrace: a count is " %16lld", a thread id " %8d" */

/* Python prints a name that is not decoded as b'name'. */
static struct span without_quotes(struct span s)
{
	if (s.end - s.at >= 3 && s.at[0] == 'b' && s.at[1] == '\'' && s.end[-1] == '\'') {
		s.at += 2;
		s.end--;
	}
	return s;
}

/*
 * "ffffffff8118a0d0 NAME" of bcc -v; "0xffffffff8118a0d0 : NAME" of SystemTap; "#1  0x55d0 NAME" of
 * libbpf-tools -v
 */
static struct span without_address(struct span s, int digits)
{
	const char *p = s.at;
	bool is_marked;

	if (*p == '#' && s.end - p > 2 && isdigit((unsigned char)p[1]))
		p = scan_spaces(scan_digits(p + 1, s.end), s.end);
	is_marked = s.end - p > 2 && p[0] == '0' && p[1] == 'x';
	if (is_marked)
		p += 2;
	if (scan_hex(p, s.end) - p < (is_marked ? 1 : digits))
		return s;
	p = scan_hex(p, s.end);
	if (p == s.end || !isspace((unsigned char)*p))
		return s;
	while (p < s.end && (isspace((unsigned char)*p) || *p == ':'))
		p++;
	if (p < s.end)
		s.at = p;
	return s;
}

/* "NAME+0x1f", "NAME+0x1f/0x2c0 [MODULE]", "NAME+31": where the offset begins and ends. */
static bool find_offset(struct span s, struct span *offset)
{
	const char *p = s.end;

	while (p > s.at && isdigit((unsigned char)p[-1]))
		p--;
	if (p < s.end && p - 1 > s.at && p[-1] == '+') {
		*offset = (struct span){ p - 1, s.end };
		return true;
	}
	for (p = s.end - 1; p > s.at; p--) {
		if (*p != '+' || s.end - p < 4 || memcmp(p, "+0x", 3))
			continue;
		offset->at = p;
		p = scan_hex(p + 3, s.end);
		if (s.end - p > 3 && !memcmp(p, "/0x", 3))
			p = scan_hex(p + 3, s.end);
		offset->end = p;
		return p == s.end || isspace((unsigned char)*p);
	}
	return false;
}

/* " (inexact)" of SystemTap; " (/usr/lib/libc.so.6+0x114890)" of libbpf-tools -v */
static struct span without_remark(struct span s)
{
	const char *open = memrchr(s.at, '(', s.end - s.at);

	if (!open || open - s.at < 2 || open[-1] != ' ' || s.end[-1] != ')')
		return s;
	if ((s.end - open == 9 && !memcmp(open, "(inexact)", 9)) ||
	    memmem(open, s.end - open, "+0x", 3))
		s.end = open - 1;
	return s;
}

static void add_name(struct buf *names, size_t *nr, struct span name)
{
	buf_add(names, name.at, name.end - name.at);
	buf_add(names, "", 1);
	++*nr;
}

/*
 * "[/usr/lib/libc.so.6+0x1136/0x2000]": SystemTap does not know the function. The name of the file
 * tells more than "[unknown]", which it is behind an address that was found by guessing.
 */
static bool take_file(struct span *name)
{
	const char *slash, *plus = memmem(name->at, name->end - name->at, "+0x", 3);

	if (name->end - name->at == 9 && !memcmp(name->at, "(inexact)", 9)) {
		name->at = "[unknown]";
		name->end = name->at + strlen(name->at);
		return true;
	}
	if (!plus || *name->at != '[' ||
	    memchr(name->at, ']', name->end - name->at) != name->end - 1)
		return false;
	slash = memrchr(name->at, '/', plus - name->at);
	*name = (struct span){ slash ? slash + 1 : name->at + 1, plus };
	return name->at < plus;
}

static void add_frame(struct stack_list *s, struct span name, uint64_t nr)
{
	struct span offset;

	name = without_quotes(without_address(without_quotes(name), s->look.has_addresses ?
					      STACK_LINE_SHORT : STACK_LINE_ADDRESS));
	if (take_file(&name)) {
		add_name(&s->names, &s->nr, name);
		return;
	}
	name = without_remark(name);
	if (scan_begins(name.at, name.end - name.at, "0x") &&
	    scan_hex(name.at + 2, name.end) == name.end)
		folded_note_odd(&s->addresses, nr);
	if (find_offset(name, &offset)) {
		buf_add(&s->names, name.at, offset.at - name.at);
		/* All is of the kernel that is not of a module. */
		if (name.end - offset.end != 9 || memcmp(offset.end, " [kernel]", 9))
			buf_add(&s->names, offset.end, name.end - offset.end);
	} else {
		buf_add(&s->names, name.at, name.end - name.at);
	}
	buf_add(&s->names, "", 1);
	s->nr++;
}

/* Where "OPEN DIGITS CLOSE" begins, at the end; NULL: it does not end so. */
static const char *find_pid(struct span s, char open, char close)
{
	const char *p = s.end - 1;

	if (s.end - s.at < 5 || *p != close)
		return NULL;
	while (p - 1 > s.at && isdigit((unsigned char)p[-1]))
		p--;
	return p < s.end - 1 && p - 2 > s.at && p[-1] == open && p[-2] == ' ' ? p - 2 : NULL;
}

static void set_task(struct stack_list *s, struct span name)
{
	name = without_quotes(stack_line_trim(name.at, name.end - name.at));
	s->task.len = 0;
	buf_add(&s->task, name.at, name.end - name.at);
}

/* "-                dd (25036)" */
static bool take_task(struct stack_list *s, struct span line)
{
	const char *pid = find_pid(line, '(', ')');

	if (!pid || *line.at != '-' || !isspace((unsigned char)line.at[1]))
		return false;
	set_task(s, (struct span){ line.at + 1, pid });
	return true;
}

/* "dd [25036]" before the count is no function. */
static void take_last_as_task(struct stack_list *s)
{
	const char *last = s->names.data + s->names.len - 1, *pid;

	while (last > s->names.data && last[-1])
		last--;
	pid = find_pid((struct span){ last, s->names.data + s->names.len - 1 }, '[', ']');
	if (!pid)
		return;
	set_task(s, (struct span){ last, pid });
	s->names.len = last - s->names.data;
	s->nr--;
}

/* "waker:           swapper/2 0": of offwaketime with a thread id, of wakeuptime without one */
static void add_party(struct stack_list *s, struct span line)
{
	struct span name = line;
	const char *p = line.end;
	bool is_first = !s->nr;

	if (is_first)
		s->has_ids = *line.at == 'w';
	name.at = scan_spaces(scan_word(line.at, line.end), line.end);
	while (s->has_ids && p > name.at && isdigit((unsigned char)p[-1]))
		p--;
	if (p < line.end && p - 1 > name.at && p[-1] == ' ')
		name.end = p - 1;
	if (is_first)
		add_name(&s->names, &s->nr, without_quotes(name));
	else
		set_task(s, name);
}

static void begin(struct stack_list *s)
{
	s->keys.len = 0;
	s->nr_keys = 0;
	s->task.len = 0;
	s->names.len = 0;
	s->nr = 0;
	s->first_line = 0;
	s->has_ids = false;
}

static void add_stack(struct stack_list *s, struct folded *f, uint64_t count)
{
	size_t first = s->nr_keys + !!s->task.len, nr = s->nr, i;
	struct text_stack stack = { .nr = nr };
	const char *name = s->keys.data;

	s->frame = mem_grow(s->frame, &s->room, first + nr + 1, sizeof(*s->frame));
	for (i = 0; i < s->nr_keys; i++, name += strlen(name) + 1) {
		s->frame[i] = folded_frame(name);
		if (!stack.task.text && !stack_line_is_number(name, strlen(name)))
			stack.task = s->frame[i];
	}
	if (s->task.len) {
		s->frame[i] = folded_frame(s->task.data);
		stack.task = s->frame[i];
	}
	name = s->names.data;
	for (i = 0; i < nr; i++, name += strlen(name) + 1)
		s->frame[first + nr - 1 - i] = folded_frame(name);
	stack.frame = s->frame + first;
	if (!s->filter || text_filter_passes(s->filter, &stack))
		folded_add(f, s->frame, first + nr, count);
}

/* Returns why the stack is left out; NULL: it is not. */
static const char *end(struct stack_list *s, struct folded *f, struct span number)
{
	const char *p = number.at;
	uint64_t count;

	if (!s->nr && !s->task.len)
		return "a count without a stack";
	if (scan_digits(p, number.end) < number.end || !number_take(&p, NUMBER_DECIMAL, &count)) {
		begin(s);
		return "a count that is no whole number of up to 64 bits";
	}
	if (s->nr && !s->task.len)
		take_last_as_task(s);
	s->has_stack = true;
	add_stack(s, f, count);
	begin(s);
	return NULL;
}

/* A stack of which no count is known. */
static void drop(struct stack_list *s)
{
	if (s->nr && !s->no_count++)
		s->no_count_line = s->first_line;
	begin(s);
}

/* What is printed before the first stack, and "Detaching..." behind the last. */
static bool is_remark(const struct stack_list *s, struct span line)
{
	return !s->has_stack || (line.end - line.at > 3 && !memcmp(line.end - 3, "...", 3)) ||
	       (line.end - line.at == 8 && line.at[2] == ':' && line.at[5] == ':');
}

/* "--               --": of offwaketime, between the stack that wakes and the one that waits */
static bool is_divider(struct span line)
{
	return scan_begins(line.at, line.end - line.at, "-- ") &&
	       scan_ends(line.at, line.end - line.at, " --");
}

/* --- dtrace --- */

/* The next field, behind two blanks or more. */
static bool next_field(struct span *line, struct span *field)
{
	const char *p = scan_spaces(line->at, line->end);

	field->at = p;
	while (p < line->end && !(isspace((unsigned char)*p) &&
				  (p + 1 == line->end || isspace((unsigned char)p[1]))))
		p++;
	field->end = p;
	line->at = p;
	return field->at < p;
}

/*
 * The other keys of an aggregation, such as execname and pid, are before the frames; or behind
 * them, and then the count is the last field of that line.
 */
static const char *take_keys(struct stack_list *s, struct folded *f, struct span line)
{
	struct span rest = line, field;
	bool is_behind = s->nr;

	while (next_field(&rest, &field)) {
		if (is_behind && scan_spaces(rest.at, rest.end) == rest.end &&
		    stack_line_is_count(field.at, field.end - field.at))
			return end(s, f, field);
		add_name(&s->keys, &s->nr_keys, field);
	}
	return NULL;
}

/* "  0      1                           :END": that a probe has fired */
static bool is_firing(struct span line)
{
	struct span field[3];
	int i;

	for (i = 0; i < 3; i++)
		if (!next_field(&line, &field[i]))
			return false;
	return line.at == line.end &&
	       stack_line_is_number(field[0].at, field[0].end - field[0].at) &&
	       stack_line_is_number(field[1].at, field[1].end - field[1].at) &&
	       memchr(field[2].at, ':', field[2].end - field[2].at);
}

/*
 * Of dtrace, is the line a key, or another one that is no frame? Frames are indented most. Where
 * the indentation is lost, a name alone is a key; frames of jstack() have slashes and brackets.
 */
static bool is_of_dtrace(const struct stack_list *s, const char *line, struct span text)
{
	size_t len = text.end - text.at, indent = text.at - line;

	if (!s->look.indent)
		return false;
	if (stack_line_is_number(text.at, len))
		return !s->nr && text.end - line < COUNT_COLUMNS;
	if (stack_line_is_count(text.at, len))
		return false;
	return indent < s->look.indent ||
	       (!memchr(text.at, '`', len) && !memchr(text.at, '/', len) &&
		!memchr(text.at, '(', len) && !scan_begins(text.at, len, "0x"));
}

static const char *dtrace_line(struct stack_list *s, struct folded *f, struct span line)
{
	if (memmem(line.at, line.end - line.at, "- Distribution -", 16)) {
		begin(s);
		s->in_distribution = true;
		return "a distribution, and no count, behind a stack";
	}
	if (is_firing(line)) {
		begin(s);
		return NULL;
	}
	return take_keys(s, f, line);
}

/* --- all of them --- */

const char *stack_list_line(struct stack_list *s, struct folded *f, const char *line, size_t len,
			    uint64_t nr)
{
	struct span text = stack_line_trim(line, len);

	s->in_distribution &= text.at < text.end;
	if (text.at == text.end || s->in_distribution)
		return NULL;
	if (text.at > line && is_of_dtrace(s, line, text))
		return dtrace_line(s, f, text);
	if (stack_line_is_count(line, len))
		return end(s, f, text);
	if (text.at == line) {
		drop(s);
		return is_remark(s, text) ? NULL : "neither a frame nor a count";
	}
	if (!s->nr && !s->task.len)
		s->first_line = nr;
	/* Between a kernel and a user stack, which the others do not tell apart. */
	if (text.end - text.at == 2 && !memcmp(text.at, "--", 2))
		return NULL;
	if (stack_line_is_party(line, len))
		add_party(s, text);
	else if (s->has_ids && is_divider(text))
		add_name(&s->names, &s->nr, (struct span){ text.at, text.at + 2 });
	else if (!take_task(s, text))
		add_frame(s, text, nr);
	return NULL;
}

uint64_t stack_list_finish(struct stack_list *s, const char *from)
{
	drop(s);
	if (s->no_count)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " stack%s without a count %s left out", from,
			 s->no_count_line, s->no_count, plural(s->no_count),
			 plural_are(s->no_count));
	if (s->addresses.nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " frame%s without a name, only with an address, which differs between processes",
			 from, s->addresses.line, s->addresses.nr, plural(s->addresses.nr));
	return s->no_count;
}

void stack_list_free(struct stack_list *s)
{
	buf_free(&s->keys);
	buf_free(&s->task);
	buf_free(&s->names);
	free(s->frame);
}
