// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace_map.c - parse the maps that bpftrace prints, with stacks as keys, into stacks
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "data/bpftrace_map.h"
#include "lib/mem.h"
#include "lib/number.h"

static bool begins_with(const char *line, size_t len, const char *text)
{
	return len >= strlen(text) && !memcmp(line, text, strlen(text));
}

/* The length of "@name", with what comes behind it: '[' of keys, or ':' of a single value. */
static size_t name_length(const char *line, size_t len, char behind)
{
	size_t i = 1;

	if (!len || *line != '@')
		return 0;
	while (i < len && (isalnum((unsigned char)line[i]) || line[i] == '_'))
		i++;
	return i < len && line[i] == behind ? i + 1 : 0;
}

bool bpftrace_map_begins(const char *line, size_t len)
{
	return (name_length(line, len, '[') && memchr("[, ", line[len - 1], 3)) ||
	       (begins_with(line, len, "Attaching ") && len > 3 &&
		!memcmp(line + len - 3, "...", 3));
}

static void add_name(struct buf *names, size_t *nr, const char *name, size_t len)
{
	buf_add(names, name, len);
	buf_add(names, "", 1);
	++*nr;
}

/* Keys that are no stacks, with ", " between, before and behind them. */
static void add_keys(struct bpftrace_map *m, const char *text, size_t len)
{
	const char *end = text + len, *comma;

	while (text < end) {
		comma = memmem(text, end - text, ", ", 2);
		len = (comma ? comma : end) - text;
		if (len && !(len == 1 && *text == ','))
			add_name(&m->keys, &m->nr_keys, text, len);
		text += len + 2;
	}
}

/* "vfs_read+1": bpftrace prints offsets as decimal numbers. */
static void add_function(struct bpftrace_map *m, const char *name, size_t len)
{
	size_t plus = len;

	while (plus && isdigit((unsigned char)name[plus - 1]))
		plus--;
	if (plus > 1 && plus < len && name[plus - 1] == '+')
		len = plus - 1;
	add_name(&m->functions, &m->nr_functions, name, len);
}

/* Where "]: VALUE" begins, which ends an entry; NULL: it does not. */
static const char *find_end(const char *line, size_t len)
{
	const char *p, *found = NULL;

	for (p = line; (p = memmem(p, line + len - p, "]: ", 3)); p++)
		found = p;
	return found;
}

static bool is_count(const char *text, size_t len, uint64_t *count)
{
	struct buf digits = { 0 };
	bool is;

	buf_add(&digits, text, len);
	is = len && number_parse(digits.data, NUMBER_DECIMAL, count);
	buf_free(&digits);
	return is;
}

static void begin(struct bpftrace_map *m)
{
	/* An entry that had no end. */
	m->left_out += m->in_entry;
	m->in_entry = true;
	m->keys.len = 0;
	m->functions.len = 0;
	m->nr_keys = 0;
	m->nr_functions = 0;
}

/* Does the filter let the entry pass? Of its keys, the task is the first one that is no number. */
static bool passes(struct bpftrace_map *m)
{
	struct text_stack stack = { .frame = m->frame + m->nr_keys, .nr = m->nr_functions };
	size_t i;

	for (i = 0; i < m->nr_keys && !stack.task.text; i++)
		if (strspn(m->frame[i].text, "-0123456789") < m->frame[i].len)
			stack.task = m->frame[i];
	return !m->filter || text_filter_passes(m->filter, &stack);
}

static void end(struct bpftrace_map *m, struct folded *f, const char *value, size_t len)
{
	const char *name = m->keys.data;
	size_t nr = m->nr_keys + m->nr_functions, i;
	uint64_t count;

	m->in_entry = false;
	if (!nr || !is_count(value, len, &count)) {
		m->left_out++;
		return;
	}
	m->frame = mem_grow(m->frame, &m->room, nr, sizeof(*m->frame));
	for (i = 0; i < m->nr_keys; i++, name += strlen(name) + 1)
		m->frame[i] = folded_frame(name);
	name = m->functions.data;
	for (i = 0; i < m->nr_functions; i++, name += strlen(name) + 1)
		m->frame[nr - 1 - i] = folded_frame(name);
	if (passes(m))
		folded_add(f, m->frame, nr, count);
}

/* What follows a stack: other keys, and the end. */
static void after_stack(struct bpftrace_map *m, struct folded *f, const char *line, size_t len)
{
	const char *last = find_end(line, len);

	add_keys(m, line, last ? (size_t)(last - line) : len);
	if (last)
		end(m, f, last + 3, line + len - last - 3);
}

/* An entry in one line has no stack, or an empty one, as of a task that was not in the kernel. */
static void whole_entry(struct bpftrace_map *m, struct folded *f, const char *keys, size_t len,
			const char *last)
{
	size_t keys_len = last - keys;

	begin(m);
	if (*keys == ',' || (keys_len > 1 && !memcmp(last - 2, ", ", 2)) ||
	    memmem(keys, keys_len, ", , ", 4))
		add_keys(m, keys, keys_len);
	end(m, f, last + 3, keys + len - last - 3);
}

bool bpftrace_map_line(struct bpftrace_map *m, struct folded *f, const char *line, size_t len)
{
	size_t name = name_length(line, len, '[');
	const char *last;

	if (name) {
		last = find_end(line + name, len - name);
		if (last) {
			whole_entry(m, f, line + name, len - name, last);
			return true;
		}
		begin(m);
		add_keys(m, line + name, len - name);
		return true;
	}
	if (!m->in_entry) {
		/* A single value; the bars of a histogram, which is one that is left out. */
		m->left_out += name_length(line, len, ':') != 0;
		return name_length(line, len, ':') || *line == '[' || *line == '(' ||
		       bpftrace_map_begins(line, len);
	}
	if (*line == ',' || *line == ']') {
		after_stack(m, f, line, len);
		return true;
	}
	while (len && isspace((unsigned char)*line)) {
		line++;
		len--;
	}
	if (len)
		add_function(m, line, len);
	return true;
}

void bpftrace_map_free(struct bpftrace_map *m)
{
	buf_free(&m->keys);
	buf_free(&m->functions);
	free(m->frame);
}
