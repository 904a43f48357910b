// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_list.c - parse stacks that are printed a frame a line, with the count behind them
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/stack_list.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "lib/scan.h"

#define ADDRESS_DIGITS	8	/* at least, of an address before a name */

struct span {
	const char *at, *end;
};

static struct span trim(const char *line, size_t len)
{
	struct span s = { line, line + len };

	s.at = scan_spaces(s.at, s.end);
	while (s.at < s.end && isspace((unsigned char)s.end[-1]))
		s.end--;
	return s;
}

bool stack_list_is_number(const char *line, size_t len)
{
	struct span s = trim(line, len);

	return s.at < s.end && scan_digits(s.at, s.end) == s.end;
}

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
static struct span without_address(struct span s)
{
	const char *p = s.at;
	bool is_marked;

	if (*p == '#' && s.end - p > 2 && isdigit((unsigned char)p[1]))
		p = scan_spaces(scan_digits(p + 1, s.end), s.end);
	is_marked = s.end - p > 2 && p[0] == '0' && p[1] == 'x';
	if (is_marked)
		p += 2;
	if (scan_hex(p, s.end) - p < (is_marked ? 1 : ADDRESS_DIGITS))
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

/* "NAME+0x1f" or "NAME+0x1f/0x2c0 [MODULE]": where the offset begins and ends. */
static bool find_offset(struct span s, struct span *offset)
{
	const char *p;

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

static void add_frame(struct stack_list *s, struct span name)
{
	struct span offset;

	name = without_quotes(without_address(without_quotes(name)));
	name = without_remark(name);
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
	name = without_quotes(trim(name.at, name.end - name.at));
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

static void begin(struct stack_list *s)
{
	s->task.len = 0;
	s->names.len = 0;
	s->nr = 0;
	s->first_line = 0;
}

static void add_stack(struct stack_list *s, struct folded *f, uint64_t count)
{
	const char *name = s->names.data;
	size_t nr = s->nr, i;
	struct text_stack stack = { .nr = nr };

	s->frame = mem_grow(s->frame, &s->room, nr + 1, sizeof(*s->frame));
	for (i = 0; i < nr; i++, name += strlen(name) + 1)
		s->frame[nr - i] = folded_frame(name);
	s->frame[0] = folded_frame(s->task.len ? s->task.data : "");
	stack.frame = s->frame + 1;
	if (s->task.len)
		stack.task = s->frame[0];
	if (!s->filter || text_filter_passes(s->filter, &stack))
		folded_add(f, s->task.len ? s->frame : s->frame + 1, nr + !!s->task.len, count);
}

static bool end(struct stack_list *s, struct folded *f, struct span number)
{
	const char *p = number.at;
	uint64_t count;

	if (!s->nr && !s->task.len)
		return false;
	if (!number_take(&p, NUMBER_DECIMAL, &count))
		return false;
	if (s->nr && !s->task.len)
		take_last_as_task(s);
	s->has_stack = true;
	add_stack(s, f, count);
	begin(s);
	return true;
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

bool stack_list_line(struct stack_list *s, struct folded *f, const char *line, size_t len,
		     uint64_t nr)
{
	struct span text = trim(line, len);

	if (text.at == text.end)
		return true;
	if (stack_list_is_number(line, len))
		return end(s, f, text);
	if (text.at == line) {
		drop(s);
		return is_remark(s, text);
	}
	if (!s->nr && !s->task.len)
		s->first_line = nr;
	/* Between a kernel and a user stack, which the others do not tell apart. */
	if (text.end - text.at == 2 && !memcmp(text.at, "--", 2))
		return true;
	if (!take_task(s, text))
		add_frame(s, text);
	return true;
}

uint64_t stack_list_finish(struct stack_list *s, const char *from)
{
	drop(s);
	if (s->no_count)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " stack%s without a count %s left out", from,
			 s->no_count_line, s->no_count, plural(s->no_count),
			 plural_are(s->no_count));
	return s->no_count;
}

void stack_list_free(struct stack_list *s)
{
	buf_free(&s->task);
	buf_free(&s->names);
	free(s->frame);
}
