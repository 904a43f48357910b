// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_script.c - parse the output of perf script into stacks
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "data/perf_script.h"
#include "lib/mem.h"

static size_t trim(const char *line, size_t len)
{
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len;
}

/* The last word before the final colon. There must be another colon, after the time. */
static bool find_event(const char *line, size_t len, const char **event, size_t *event_len)
{
	const char *end, *p;

	len = trim(line, len);
	if (len < 4 || line[len - 1] != ':' || isspace((unsigned char)*line))
		return false;
	end = line + len - 1;
	for (p = end; p > line && !isspace((unsigned char)p[-1]); p--)
		;
	*event = p;
	*event_len = end - p;
	return *event_len && memmem(line, p - line, ": ", 2);
}

/* The length of the task's name, which ends before the thread id. */
static size_t comm_length(const char *line, size_t len)
{
	size_t i = 1;

	for (; i + 1 < len; i++) {
		size_t digits = i + 1;

		if (line[digits] == '-')	/* pid -1: the task has exited */
			digits++;
		if (!isspace((unsigned char)line[i]) || digits == len ||
		    !isdigit((unsigned char)line[digits]))
			continue;
		while (digits < len &&
		       (isdigit((unsigned char)line[digits]) || line[digits] == '/'))
			digits++;
		if (digits < len && isspace((unsigned char)line[digits]))
			return trim(line, i);
	}
	return 0;
}

bool perf_script_begins(const char *line, size_t len)
{
	const char *event;
	size_t event_len;

	return find_event(line, len, &event, &event_len) && comm_length(line, len);
}

static void add_name(struct perf_script *s, const char *name, size_t len)
{
	buf_add(&s->names, name, len);
	buf_add(&s->names, "", 1);
	s->nr++;
}

static void begin(struct perf_script *s, const char *line, size_t len)
{
	const char *event;
	size_t event_len;

	find_event(line, len, &event, &event_len);
	if (!s->event.len)
		buf_add(&s->event, event, event_len);
	s->in_sample = true;
	s->is_left_out = s->event.len != event_len || memcmp(s->event.data, event, event_len);
	s->left_out += s->is_left_out;
	s->names.len = 0;
	s->nr = 0;
	add_name(s, line, comm_length(line, len));
}

/* The length of a symbol without "+0x1f" at its end. */
static size_t without_offset(const char *name, size_t len)
{
	const char *plus = memrchr(name, '+', len);

	if (!plus || len - (plus - name) < 4 || memcmp(plus, "+0x", 3) ||
	    strspn(plus + 3, "0123456789abcdef") < len - (plus + 3 - name))
		return len;
	return plus - name;
}

static bool is_text(const char *text, size_t len, const char *other)
{
	return len == strlen(other) && !memcmp(text, other, len);
}

/*
 * Add "NAME [MODULE]" for a function of a kernel module, as for a recording. If the symbol is not
 * known, the name of the file tells more than "[unknown]".
 */
static void add_function(struct perf_script *s, const char *name, size_t len, const char *module,
			 size_t module_len)
{
	const char *slash = memrchr(module, '/', module_len);
	struct buf full = { 0 };

	if (is_text(name, len, "[unknown]") && !is_text(module, module_len, "[unknown]")) {
		slash = slash ? slash + 1 : module;
		add_name(s, slash, module + module_len - slash);
		return;
	}
	buf_add(&full, name, without_offset(name, len));
	if (module_len > 2 && *module == '[' && *name != '[' &&
	    !is_text(module, module_len, "[kernel.kallsyms]") &&
	    !is_text(module, module_len, "[unknown]"))
		buf_printf(&full, " %.*s", (int)module_len, module);
	add_name(s, full.data, full.len);
	buf_free(&full);
}

/* The last " (", as C++ symbols may have others; a deleted file has " (deleted)" after its name. */
static const char *find_module(const char *text, const char *end)
{
	static const char deleted[] = " (deleted))";
	const char *p = end - 1;

	if (end - text > (ptrdiff_t)strlen(deleted) &&
	    !memcmp(end - strlen(deleted), deleted, strlen(deleted)))
		p -= strlen(deleted);
	for (; p > text; p--)
		if (p[-1] == ' ' && *p == '(')
			return p - 1;
	return NULL;
}

static bool add_frame(struct perf_script *s, const char *line, size_t len)
{
	const char *p = line, *end = line + trim(line, len), *module;

	while (p < end && isspace((unsigned char)*p))
		p++;
	while (p < end && isxdigit((unsigned char)*p))
		p++;
	if (p == end || !isspace((unsigned char)*p) || end[-1] != ')')
		return false;
	p++;
	module = find_module(p, end);
	if (!module)
		return false;
	add_function(s, p, module - p, module + 2, end - 1 - (module + 2));
	return true;
}

void perf_script_end(struct perf_script *s, struct folded *f)
{
	const char *name = s->names.data;
	size_t i;

	if (s->in_sample && !s->is_left_out) {
		s->frame = mem_grow(s->frame, &s->room, s->nr, sizeof(*s->frame));
		for (i = 0; i < s->nr; i++, name += strlen(name) + 1)
			s->frame[i ? s->nr - i : 0] = folded_frame(name);
		folded_add(f, s->frame, s->nr, 1);
	}
	s->in_sample = false;
}

bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len)
{
	if (!trim(line, len)) {
		perf_script_end(s, f);
		return true;
	}
	if (*line == '#')
		return true;
	if (perf_script_begins(line, len)) {
		perf_script_end(s, f);
		begin(s, line, len);
		return true;
	}
	return s->in_sample && add_frame(s, line, len);
}

void perf_script_free(struct perf_script *s)
{
	buf_free(&s->event);
	buf_free(&s->names);
	free(s->frame);
}
