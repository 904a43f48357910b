// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_texts.c - stacks written as each program prints them, and read: the same must come out
 *
 * The first byte of the input chooses the format, and its variant. Of the rest each stack takes
 * some bytes: its count, its fields, and the pieces of its names, many of which look like fields of
 * a text. A name that a format cannot hold is replaced.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/folded.h"
#include "data/text_read.h"
#include "fuzz.h"
#include "lib/buf.h"
#include "lib/json.h"

#define FRAMES_MAX	6
#define COMM_MAX	15

/* Of lists: frames with a module and a backquote, and the task before or behind them. */
static bool is_dtrace;

static const char *const pieces[] = {
	"a", "b", "main", " ", " 1", "12", "[0]", "1.5:", ":", ";", ",", ", ", "]", "]: ", "(", ")",
	"\"", "'", "+0x1", "+7", "#", "-", "--", "@", "[", "{", "/", "x (y)", "GC 1", "cycles:",
	"kernel", "\xc3\xa9", "\xe2\x80\xae", "\xff", "<", "operator()", "::", "%s", "_[k]", "7/8",
	"ffffffff8", "K",
};

struct bytes {
	const uint8_t *at, *end;
};

static unsigned int next(struct bytes *b)
{
	return b->at < b->end ? *b->at++ : 0;
}

struct stack {
	struct buf comm, frame[FRAMES_MAX];
	size_t nr;		/* frames, innermost first */
	uint64_t count;
	unsigned int fields;	/* bits */
};

/* "ffffffff8 NAME": an address, where a format may have one before a name */
static bool has_address(const char *text)
{
	size_t digits = strspn(text, "0123456789abcdef");

	return digits >= 8 && (!text[digits] || text[digits] == ' ');
}

/* "NAME+7", of which a list takes the number for an offset */
static bool has_offset(const char *text)
{
	size_t len = strlen(text), i = len;

	while (i && isdigit((unsigned char)text[i - 1]))
		i--;
	return i > 1 && i < len && text[i - 1] == '+';
}

/* Is it meant to be a count, such as "-7"? */
static bool is_like_count(const char *text)
{
	text += strspn(text, "+-.");
	return *text && strspn(text, "0123456789,.") == strlen(text);
}

/* Fields are two blanks apart. */
static bool fits_dtrace(const char *name)
{
	return !strchr(name, ';') && !strstr(name, "  ") && !strstr(name, "+0x") &&
	       !is_like_count(name) && !has_offset(name) && !strstr(name, "- Distribution -");
}

/* Can the format hold this name of a function, or of a task? */
static bool fits(enum text_kind kind, const char *name, bool is_task)
{
	size_t len = strlen(name);

	if (!len || name[0] == ' ' || name[len - 1] == ' ' || strchr(name, '\\'))
		return false;
	switch (kind) {
	case TEXT_PERF:
		return is_task ? len <= COMM_MAX : true;
	case TEXT_BPFTRACE:
		return is_task ? !strstr(name, ", ") && strcmp(name, ",") :
				 !strchr(",])", *name) && !has_address(name) &&
				 !strstr(name, "]: ");
	case TEXT_BPFTRACE_JSON:
		return !strchr(name, '\xff') &&
		       (is_task ? !strchr(name, ',') :
				  !strchr(",])", *name) && !has_address(name));
	case TEXT_LIST:
		if (is_dtrace)
			return fits_dtrace(name);
		return is_task ? name[len - 1] != '\'' :
				 !is_like_count(name) && strcmp(name, "--") &&
				 !has_offset(name) && name[len - 1] != ']' &&
				 name[len - 1] != ')' && name[len - 1] != '\'' &&
				 !strstr(name, "+0x") && !has_address(name);
	default:
		return !strchr(name, ';');
	}
}

static void take_name(struct bytes *b, enum text_kind kind, bool is_task, struct buf *name)
{
	unsigned int nr = 1 + next(b) % 5;

	while (nr--) {
		const char *piece = pieces[next(b) % (sizeof(pieces) / sizeof(*pieces))];

		buf_add(name, piece, strlen(piece));
	}
	if (!fits(kind, name->data, is_task)) {
		name->len = 0;
		buf_printf(name, is_task ? "task" : "function");
	}
	if (kind == TEXT_LIST && is_dtrace && !is_task)
		buf_printf(name, "`x");
}

static void take_stack(struct bytes *b, enum text_kind kind, struct stack *s)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	s->fields = next(b);
	s->count = 1 + next(b) * 256 + next(b);
	s->nr = 1 + next(b) % FRAMES_MAX;
	take_name(b, kind, true, &s->comm);
	for (i = 0; i < s->nr; i++)
		take_name(b, kind, false, &s->frame[i]);
}

static void free_stack(struct stack *s)
{
	size_t i;

	buf_free(&s->comm);
	for (i = 0; i < s->nr; i++)
		buf_free(&s->frame[i]);
}

static void expect(struct folded *f, const struct stack *s, uint64_t count)
{
	struct folded_frame frame[FRAMES_MAX + 1];
	size_t i;

	frame[0] = folded_frame(s->comm.data);
	for (i = 0; i < s->nr; i++)
		frame[s->nr - i] = folded_frame(s->frame[i].data);
	folded_add(f, frame, s->nr + 1, count);
}

/* A time is always there: without one, a number in a name may be the thread id. */
static void write_perf(struct buf *out, struct stack *s)
{
	size_t i;

	buf_printf(out, s->fields & 1 ? "%s " : "%16s ", s->comm.data);
	buf_printf(out, s->fields & 2 ? "%5d/%-5d " : "%5d ", 901, 902);
	if (s->fields & 4)
		buf_printf(out, "[%03d] ", 1);
	if (s->fields & 8)
		buf_printf(out, "%-8s ", "K");
	buf_printf(out, "%5d.%06d: ", 100, 5);
	if (s->fields & 16)
		buf_printf(out, "%10llu ", (unsigned long long)s->count);
	else
		s->count = 1;
	buf_printf(out, "%s\n", s->fields & 32 ? "cycles:ppp: " : "cycles:ppp: a 1 [1] 2.5: x: 7");
	for (i = 0; i < s->nr; i++)
		buf_printf(out, "\t%16x %s+0x%zx (%s)\n", 0x7f00, s->frame[i].data, i,
			   s->fields & 64 ? "/usr/lib/a (b).so" : "[kernel.kallsyms]");
	buf_printf(out, "\n");
}

static void write_bpftrace(struct buf *out, const struct stack *s)
{
	size_t i;

	buf_printf(out, "@[\n");
	for (i = 0; i < s->nr; i++)
		buf_printf(out, s->fields & 1 ? "\t7f0012345678 %s+%zu (/lib/x)\n" : "    %s+%zu\n",
			   s->frame[i].data, i);
	buf_printf(out, ", %s]: %llu\n", s->comm.data, (unsigned long long)s->count);
}

static void write_json(struct buf *out, const struct stack *s)
{
	struct buf key = { 0 };
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);
	struct json j = json_begin(file);

	buf_printf(&key, "\n");
	for (i = 0; i < s->nr; i++)
		buf_printf(&key, "    %s+%zu\n", s->frame[i].data, i);
	buf_printf(&key, ",%s", s->comm.data);
	json_text(&j, NULL, key.data);
	fclose(file);
	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	buf_printf(out, "{\"type\": \"map\", \"data\": {\"@\": {%.*s: %llu}}}\n", (int)size, text,
		   (unsigned long long)s->count);
	free(text);
	buf_free(&key);
}

static void write_list(struct buf *out, const struct stack *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		buf_printf(out, s->fields & 1 ? "    %s+0x%zx\n" : "    %s\n", s->frame[i].data, i);
	buf_printf(out, "    %-16s %s (%d)\n        %llu\n\n", "-", s->comm.data, 7,
		   (unsigned long long)s->count);
}

/* The key is before the frames, or behind them, with the count. */
static void write_dtrace(struct buf *out, const struct stack *s)
{
	size_t i;

	if (s->fields & 1)
		buf_printf(out, "  %-50s\n", s->comm.data);
	else
		buf_printf(out, "\n");
	for (i = 0; i < s->nr; i++)
		buf_printf(out, s->fields & 2 ? "              %s+0x%zx\n" :
			   "              %s\n", s->frame[i].data, i);
	if (!(s->fields & 1))
		buf_printf(out, "  %-50s", s->comm.data);
	buf_printf(out, " %16llu\n", (unsigned long long)s->count);
}

static void write_folded(struct buf *out, const struct stack *s)
{
	size_t i;

	buf_add(out, s->comm.data, s->comm.len);
	for (i = s->nr; i-- > 0;)
		buf_printf(out, ";%s", s->frame[i].data);
	/* An empty frame, which is left out, so that "x 1" is no count. */
	buf_printf(out, "; %llu\n", (unsigned long long)s->count);
}

static void write_stack(struct buf *out, enum text_kind kind, struct stack *s)
{
	if (kind == TEXT_PERF)
		write_perf(out, s);
	else if (kind == TEXT_BPFTRACE)
		write_bpftrace(out, s);
	else if (kind == TEXT_BPFTRACE_JSON)
		write_json(out, s);
	else if (kind == TEXT_LIST && is_dtrace)
		write_dtrace(out, s);
	else if (kind == TEXT_LIST)
		write_list(out, s);
	else
		write_folded(out, s);
}

static char *text_of(const struct folded *f, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);

	folded_write(f, file);
	fclose(file);
	return text;
}

static void compare(const struct folded *expected, const struct folded *got, const struct buf *text)
{
	size_t size[2];
	char *as[2] = { text_of(expected, &size[0]), text_of(got, &size[1]) };

	if (size[0] != size[1] || memcmp(as[0], as[1], size[0])) {
		fprintf(stderr, "expected:\n%s\nread:\n%s\n", as[0], as[1]);
		fuzz_fail("other stacks were read than were written", text->data, text->len);
	}
	free(as[0]);
	free(as[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { data, data + size };
	unsigned int choice = next(&b);
	enum text_kind kind = (enum text_kind)(1 + choice % (TEXT_NR_KINDS - 1));
	struct folded expected, got;
	struct buf text = { 0 }, copy = { 0 };
	struct input in;
	struct stack s;

	if (size < 8 || size > 4096)
		return 0;
	is_dtrace = choice >= 128;
	folded_init(&expected, FOLDED_MERGE);
	folded_init(&got, FOLDED_MERGE);
	while (b.at < b.end) {
		take_stack(&b, kind, &s);
		write_stack(&text, kind, &s);
		expect(&expected, &s, s.count);
		free_stack(&s);
	}
	buf_add(&copy, text.data, text.len);
	input_from_memory(&in, &copy);
	if (text_read(&got, &in, kind, NULL) || got.bad_lines)
		fuzz_fail("a text was refused", text.data, text.len);
	input_close(&in);
	compare(&expected, &got, &text);
	folded_free(&expected);
	folded_free(&got);
	buf_free(&text);
	return 0;
}
