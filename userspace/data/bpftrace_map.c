// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace_map.c - parse the maps that bpftrace prints, with stacks as keys, into stacks
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/bpftrace_map.h"
#include "data/perf_frame.h"
#include "data/perf_line.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "lib/scan.h"

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

/* Where "]: VALUE" begins, which ends an entry; NULL: it does not. */
static const char *find_end(const char *line, size_t len)
{
	const char *p, *found = NULL;

	for (p = line; (p = memmem(p, line + len - p, "]: ", 3)); p++)
		found = p;
	return found;
}

bool bpftrace_map_begins(const char *line, size_t len)
{
	size_t name = name_length(line, len, '[');

	return (name && (memchr("[, (", line[len - 1], 4) || find_end(line + name, len - name))) ||
	       (scan_begins(line, len, "Attaching ") && len > 3 &&
		!memcmp(line + len - 3, "...", 3)) ||
	       (scan_begins(line, len, "Attached ") && memmem(line, len, " probe", 6));
}

static void add_name(struct buf *names, size_t *nr, const char *name, size_t len)
{
	buf_add(names, name, len);
	buf_add(names, "", 1);
	++*nr;
}

/* How many more brackets close than open. */
static int surplus(const char *text, size_t len)
{
	int depth = 0;

	while (len--)
		depth += text[len] == ')' ? 1 : text[len] == '(' ? -1 : 0;
	return depth;
}

/* JSON may have a list of keys, whose texts are in quotes. */
static void remove_quotes(const char **text, size_t *len)
{
	if (*len < 2 || **text != '"' || (*text)[*len - 1] != '"')
		return;
	++*text;
	*len -= 2;
}

static void add_key(struct bpftrace_map *m, const char *text, size_t len)
{
	if (m->is_list)
		remove_quotes(&text, &len);
	if (len && !(len == 1 && *text == ','))
		add_name(&m->keys, &m->nr_keys, text, len);
}

/*
 * The brackets of tuples, which may be nested, are no part of their first and last key. But of a
 * task whose name begins with a bracket, nothing closes it.
 */
static size_t take_keys(struct bpftrace_map *m)
{
	const char *text = m->keys.data;
	bool is_balanced = !surplus(text, m->keys.len);
	size_t nr = 0, i, len, size;

	for (i = 0; i < m->nr_keys; i++, text += size + 1) {
		const char *name = text;

		size = strlen(text);
		len = size;
		while (is_balanced && len && *name == '(' && surplus(name, len) < 0) {
			name++;
			len--;
		}
		while (is_balanced && len && name[len - 1] == ')' && surplus(name, len) > 0)
			len--;
		if (len)
			m->frame[nr++] = (struct folded_frame){ name, len };
	}
	return nr;
}

/* Keys that are no stacks, with ", " between, before and behind them. */
static void add_keys(struct bpftrace_map *m, const char *text, size_t len)
{
	const char *end = text + len, *comma;
	size_t skip = strlen(m->separator);

	while (text < end) {
		comma = memmem(text, end - text, m->separator, skip);
		len = (comma ? comma : end) - text;
		add_key(m, text, len);
		text += len + skip;
	}
}

/* bpftrace prints offsets as decimal numbers. */
static size_t without_offset(const char *name, size_t len)
{
	size_t plus = len;

	while (plus && isdigit((unsigned char)name[plus - 1]))
		plus--;
	return plus > 1 && plus < len && name[plus - 1] == '+' ? plus - 1 : len;
}

/*
 * "vfs_read+1"; in mode perf "ffffffff81350001 read+23 (/usr/lib/libc.so.6)". Without a symbol, the
 * name of the file tells more than the address, which is another one in each process.
 */
static void add_frame(struct bpftrace_map *m, const struct perf_frame *frame, const char *address,
		      size_t address_len)
{
	const char *slash;

	if (frame->name_len && !scan_begins(frame->name, frame->name_len, "0x") &&
	    !scan_begins(frame->name, frame->name_len, "[unknown]")) {
		add_name(&m->functions, &m->nr_functions, frame->name,
			 without_offset(frame->name, frame->name_len));
	} else if (frame->file_len && *frame->file != '[') {
		slash = memrchr(frame->file, '/', frame->file_len);
		slash = slash ? slash + 1 : frame->file;
		add_name(&m->functions, &m->nr_functions, slash,
			 frame->file + frame->file_len - slash);
	} else {
		m->addresses++;
		add_name(&m->functions, &m->nr_functions, address, address_len);
	}
}

static void add_function(struct bpftrace_map *m, const char *line, size_t len)
{
	struct perf_frame frame;
	bool is_perf = *line == '\t' && perf_frame_take(line, len, &frame);

	while (len && isspace((unsigned char)*line)) {
		line++;
		len--;
	}
	if (!len)
		return;
	if (is_perf || perf_frame_take_bare(line, len, &frame)) {
		add_frame(m, &frame, line, scan_word(line, line + len) - line);
		return;
	}
	m->addresses += len > 2 && !memcmp(line, "0x", 2);
	add_name(&m->functions, &m->nr_functions, line, without_offset(line, len));
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

void bpftrace_map_begin(struct bpftrace_map *m, const char *name, size_t len,
			const char *separator, uint64_t line)
{
	/* An entry that had no end. */
	if (m->in_entry)
		folded_note_odd(&m->no_count, m->line);
	m->in_entry = true;
	m->line = line;
	m->is_list = false;
	m->separator = separator;
	m->name.len = 0;
	m->raw.len = 0;
	buf_add(&m->name, name, len);
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

/*
 * Counts of two maps may be of two units, so only one map is taken: the first, or the one that the
 * filter is for. A map that is printed again has the same keys again.
 */
static bool is_taken(struct bpftrace_map *m)
{
	uint32_t nr = m->seen.nr;

	if (m->filter && !text_filter_passes_event(m->filter, m->name.data, m->name.len))
		return false;
	if (!m->first.len)
		buf_add(&m->first, m->name.data, m->name.len);
	if (strcmp(m->name.data, m->first.data)) {
		m->other_maps++;
		return false;
	}
	m->repeated += strtab_add(&m->seen, m->raw.data, m->raw.len) < nr;
	return true;
}

static void end(struct bpftrace_map *m, struct folded *f, const char *value, size_t len)
{
	const char *name = m->functions.data;
	size_t nr = m->nr_keys + m->nr_functions, i;
	uint64_t count;

	m->in_entry = false;
	if (!nr || !is_count(value, scan_trim(value, len), &count)) {
		folded_note_odd(nr ? &m->no_count : &m->no_stack, m->line);
		return;
	}
	if (!is_taken(m))
		return;
	m->frame = mem_grow(m->frame, &m->room, nr, sizeof(*m->frame));
	m->nr_keys = take_keys(m);
	nr = m->nr_keys + m->nr_functions;
	for (i = 0; i < m->nr_functions; i++, name += strlen(name) + 1)
		m->frame[nr - 1 - i] = folded_frame(name);
	if (passes(m))
		folded_add(f, m->frame, nr, count);
}

void bpftrace_map_part(struct bpftrace_map *m, const char *line, size_t len, bool is_first)
{
	buf_add(&m->raw, line, len);
	buf_add(&m->raw, "\n", 1);
	if (is_first || (len && strchr(",])", *line))) {
		add_keys(m, line, len);
		return;
	}
	if (len)
		add_function(m, line, len);
}

void bpftrace_map_end(struct bpftrace_map *m, struct folded *f, const char *value)
{
	/* Without a stack it is left out; but a stack may be empty. */
	end(m, f, value, strcspn(value, ", }\n"));
}

/* What follows a stack: other keys, and the end. */
static void after_stack(struct bpftrace_map *m, struct folded *f, const char *line, size_t len)
{
	const char *last = find_end(line, len), *stop = line + len;

	len = last ? (size_t)(last - line) : len;
	buf_add(&m->raw, line, len);
	add_keys(m, line, len);
	if (last)
		end(m, f, last + 3, stop - last - 3);
}

/* An entry in one line has no stack, or an empty one, as of a task that was not in the kernel. */
static void whole_entry(struct bpftrace_map *m, struct folded *f, const char *keys, size_t len,
			const char *last)
{
	size_t keys_len = last - keys;

	buf_add(&m->raw, keys, keys_len);
	if (*keys == ',' || (keys_len > 1 && !memcmp(last - 2, ", ", 2)) ||
	    memmem(keys, keys_len, ", , ", 4))
		add_keys(m, keys, keys_len);
	end(m, f, last + 3, keys + len - last - 3);
}

/* "Lost 12 events" */
static bool take_lost(struct bpftrace_map *m, const char *line, size_t len)
{
	const char *p = line + strlen("Lost ");
	uint64_t lost;

	if (!scan_begins(line, len, "Lost ") || !scan_ends(line, len, " events") ||
	    !number_take(&p, NUMBER_DECIMAL, &lost))
		return false;
	bpftrace_map_lose(m, lost);
	return true;
}

void bpftrace_map_lose(struct bpftrace_map *m, uint64_t nr)
{
	if (nr < UINT64_MAX - m->lost)
		m->lost += nr;
}

bool bpftrace_map_line(struct bpftrace_map *m, struct folded *f, const char *line, size_t len,
		       uint64_t nr)
{
	size_t name = name_length(line, len, '[');
	const char *last;

	if (name) {
		bpftrace_map_begin(m, line, name - 1, ", ", nr);
		last = find_end(line + name, len - name);
		if (last) {
			whole_entry(m, f, line + name, len - name, last);
			return true;
		}
		bpftrace_map_part(m, line + name, len - name, true);
		return true;
	}
	if (!m->in_entry) {
		/* A single value; the bars of a histogram, which is one that is left out. */
		if (name_length(line, len, ':'))
			folded_note_odd(&m->no_stack, nr);
		else if (!take_lost(m, line, len))
			return *line == '[' || *line == '(' || bpftrace_map_begins(line, len);
		return true;
	}
	if (strchr(",])", *line))
		after_stack(m, f, line, len);
	else
		bpftrace_map_part(m, line, len, false);
	return true;
}

static void tell_left_out(const struct folded_odd *odd, const char *why, const char *from)
{
	if (odd->nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " value%s of bpftrace %s left out: %s", from,
			 odd->line, odd->nr, plural(odd->nr), plural_are(odd->nr), why);
}

static void tell(const struct bpftrace_map *m, const char *from)
{
	tell_left_out(&m->no_stack, "without a stack", from);
	tell_left_out(&m->no_count, "not a count", from);
	if (m->lost)
		msg_warn("%s: bpftrace lost %" PRIu64 " event%s while it recorded", from, m->lost,
			 plural(m->lost));
	if (m->other_maps)
		msg_warn("%s: %" PRIu64 " stack%s of other maps than %s %s left out; --source @NAME takes another one",
			 from, m->other_maps, plural(m->other_maps), m->first.data,
			 plural_are(m->other_maps));
	if (m->repeated)
		msg_warn("%s: the map %s is printed several times: %" PRIu64 " stack%s again, and counts are added up, which is right only if the map was cleared in between",
			 from, m->first.data, m->repeated,
			 m->repeated == 1 ? " comes" : "s come");
	if (m->addresses)
		msg_warn("%s: %" PRIu64 " frame%s without a name, only with an address, which differs between processes: 'ustack' prints the names that bpftrace knows, 'ustack(raw)' none",
			 from, m->addresses, plural(m->addresses));
}

int bpftrace_map_finish(struct bpftrace_map *m, const char *from)
{
	if (m->in_entry)
		folded_note_odd(&m->no_count, m->line);
	tell(m, from);
	if (!m->filter && !m->seen.nr)
		return msg_error("%s: a text of bpftrace without a map that has stacks as keys and counts as values",
				 from);
	return EXIT_OK;
}

void bpftrace_map_free(struct bpftrace_map *m)
{
	buf_free(&m->keys);
	buf_free(&m->functions);
	buf_free(&m->name);
	buf_free(&m->first);
	buf_free(&m->raw);
	strtab_free(&m->seen);
	free(m->frame);
}
