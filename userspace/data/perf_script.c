// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_script.c - parse the output of perf script into stacks
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "data/perf_script.h"
#include "lib/mem.h"
#include "lib/number.h"

#define ADDRESS_DIGITS	8	/* at least, of an address in the line of the sample itself */

static bool is_text(const char *text, size_t len, const char *other)
{
	return len == strlen(other) && !memcmp(text, other, len);
}

static size_t trim(const char *line, size_t len)
{
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len;
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

/* The first line of a sample. */
struct header {
	const char *comm;
	size_t comm_len;
	const char *time;	/* its word */
	const char *cpu;	/* likewise, "[001]"; NULL: the text does not have it */
	uint64_t weight;	/* what the sample stands for; 1 if the text does not have it */
	const char *event;	/* without its colon; "" if the text does not have it */
	size_t event_len;
	const char *rest;	/* what a tracepoint prints, or the only frame */
	size_t rest_len;
};

static const char *skip_spaces(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *skip_word(const char *p, const char *end)
{
	while (p < end && !isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && isdigit((unsigned char)*p))
		p++;
	return p;
}

static const char *skip_hex(const char *p, const char *end)
{
	while (p < end && isxdigit((unsigned char)*p))
		p++;
	return p;
}

/* "SECONDS.FRACTION:" */
static bool is_time(const char *word, const char *end)
{
	const char *point = skip_digits(word, end);

	return point > word && point < end && *point == '.' &&
	       skip_digits(point + 1, end) == end - 1 && end[-1] == ':';
}

/* "[001]" */
static bool is_cpu(const char *word, const char *end)
{
	return end - word > 2 && *word == '[' && skip_digits(word + 1, end) == end - 1 &&
	       end[-1] == ']';
}

/* Behind the time, which comes after the thread id and whatever else was asked for. NULL: none. */
static const char *after_time(const char *p, const char *end, struct header *h)
{
	const char *word_end;

	for (p = skip_spaces(p, end); p < end; p = skip_spaces(word_end, end)) {
		word_end = skip_word(p, end);
		h->time = p;
		if (is_time(p, word_end))
			return word_end;
		if (is_cpu(p, word_end))
			h->cpu = p;
	}
	return NULL;
}

/* Returns what comes behind it. A sample has some weight, and no more than a count can be. */
static const char *take_weight(const char *p, const char *end, uint64_t *weight)
{
	const char *word_end = skip_digits(p, end);
	uint64_t number;

	*weight = 1;
	if (word_end == end || !isspace((unsigned char)*word_end) ||
	    !number_take(&p, NUMBER_DECIMAL, &number))
		return p;
	if (number && number <= INT64_MAX)
		*weight = number;
	return skip_spaces(word_end, end);
}

/* Where samples have no stacks, names of tasks are aligned to the right. */
static bool take_header(const char *line, size_t len, struct header *h)
{
	const char *end = line + trim(line, len), *p, *word_end;

	while (line < end && *line == ' ')
		line++;
	if (line == end || isspace((unsigned char)*line))
		return false;
	h->comm = line;
	h->comm_len = comm_length(line, end - line);
	h->cpu = NULL;
	p = h->comm_len ? after_time(line + h->comm_len, end, h) : NULL;
	if (!p)
		return false;
	p = take_weight(skip_spaces(p, end), end, &h->weight);
	word_end = skip_word(p, end);
	h->event = p;
	h->event_len = word_end > p && word_end[-1] == ':' ? word_end - 1 - p : 0;
	h->rest = h->event_len ? skip_spaces(word_end, end) : p;
	h->rest_len = end - h->rest;
	return true;
}

/* "PERF_RECORD_MMAP2 ...": what perf script prints of other records, if it is asked to */
static bool is_record(const struct header *h)
{
	static const char begin[] = "PERF_RECORD_";
	const char *text = h->event_len ? h->event : h->rest;
	size_t len = h->event_len ? h->event_len : h->rest_len;

	return len >= strlen(begin) && !memcmp(text, begin, strlen(begin));
}

/* Is the last word a number, as folded text has it? */
static bool ends_in_count(const char *text, size_t len)
{
	const char *end = text + len, *p = end;

	while (p > text && (isdigit((unsigned char)p[-1]) || p[-1] == '.'))
		p--;
	return p < end && (p == text || isspace((unsigned char)p[-1]));
}

bool perf_script_is_header(const char *line, size_t len)
{
	return is_text(line, len, "# ========");
}

bool perf_script_begins(const char *line, size_t len)
{
	struct header h;

	return take_header(line, len, &h) && !ends_in_count(h.rest, h.rest_len);
}

/* "12.345678:" in ns; what does not fit is as late as can be. */
static uint64_t time_of(const struct header *h)
{
	const char *p = h->time;
	uint64_t seconds, ns = 0, scale = 1000000000;

	if (!number_take(&p, NUMBER_DECIMAL, &seconds) || seconds >= UINT64_MAX / scale)
		return UINT64_MAX;
	for (p++; scale > 1 && *p != ':'; p++) {
		scale /= 10;
		ns += (*p - '0') * scale;
	}
	return seconds * 1000000000 + ns;
}

bool perf_script_time(const char *line, size_t len, uint64_t *time)
{
	struct header h;

	if (!take_header(line, len, &h) || is_record(&h))
		return false;
	*time = time_of(&h);
	return true;
}

/* A number in the line; what is none, such as -1, or too large is no id that can be asked for. */
static uint32_t take_id(const char **p)
{
	uint64_t id;

	return number_take(p, NUMBER_DECIMAL, &id) && id < UINT32_MAX ? id : UINT32_MAX;
}

/* What the filter asks about: "PID/TID", or "TID" alone; the CPU; the time. */
static void take_answers(struct text_stack *sample, const struct header *h)
{
	const char *p = skip_spaces(h->comm + h->comm_len, h->time);
	const char *cpu = h->cpu ? h->cpu + 1 : NULL;

	*sample = (struct text_stack){ .time = time_of(h), .has_cpu = cpu };
	sample->pid = take_id(&p);
	sample->tid = sample->pid;
	if (*p++ == '/')
		sample->tid = take_id(&p);
	if (cpu)
		sample->cpu = take_id(&cpu);
}

static void add_name(struct perf_script *s, const char *name, size_t len)
{
	buf_add(&s->names, name, len);
	buf_add(&s->names, "", 1);
	s->nr++;
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

/*
 * Add "NAME [MODULE]" for a function of a kernel module, as for a recording. If the symbol is not
 * known, the name of the file tells more than "[unknown]".
 */
static void add_function(struct perf_script *s, const char *name, size_t len, const char *module,
			 size_t module_len)
{
	const char *slash = memrchr(module, '/', module_len);
	struct buf full = { 0 };

	if (s->filter) {
		buf_add(&s->modules, module, module_len);
		buf_add(&s->modules, "", 1);
	}
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

/* Where an address ends in a line of its own: perf prints a tab, and aligns it to the right. */
#define ADDRESS_END	17

/* Without -F dso, a frame in a line of its own ends in the symbol. */
static bool add_frame(struct perf_script *s, const char *line, size_t len)
{
	static const char unknown[] = "[unknown]";
	const char *end = line + trim(line, len), *start = skip_spaces(line, end), *module;
	const char *p = skip_hex(start, end);
	bool is_aligned = *line == '\t' && p - line == ADDRESS_END;

	if (p == start || p == end || !isspace((unsigned char)*p))
		return false;
	p++;
	module = end[-1] == ')' ? find_module(p, end) : NULL;
	if (module)
		add_function(s, p, module - p, module + 2, end - 1 - (module + 2));
	else if (is_aligned)
		add_function(s, p, end - p, unknown, strlen(unknown));
	return module || is_aligned;
}

static void begin(struct perf_script *s, const struct header *h)
{
	bool is_asked = !s->filter || text_filter_passes_event(s->filter, h->event, h->event_len);

	if (!s->has_event && is_asked)
		buf_add(&s->event, h->event, h->event_len);
	s->has_event |= is_asked;
	s->in_sample = true;
	s->is_left_out = !is_asked || !is_text(h->event, h->event_len, s->event.data);
	/* Other events than the one that was asked for are no surprise. */
	s->left_out += s->is_left_out && is_asked;
	s->weight = h->weight;
	s->names.len = 0;
	s->modules.len = 0;
	s->nr = 0;
	if (s->filter)
		take_answers(&s->sample, h);
	add_name(s, h->comm, h->comm_len);
	/* Recorded without -g, a sample is one line. A word of a tracepoint's is no address. */
	if (skip_hex(h->rest, h->rest + h->rest_len) - h->rest >= ADDRESS_DIGITS)
		add_frame(s, h->rest, h->rest_len);
}

/* Does the filter let the sample pass, whose names are frames now: the task, then root first? */
static bool passes(struct perf_script *s)
{
	const char *module = s->modules.data;
	size_t nr = s->nr - 1, i;

	if (!s->filter)
		return true;
	s->module = mem_grow(s->module, &s->module_room, s->nr, sizeof(*s->module));
	for (i = 0; i < nr; i++, module += strlen(module) + 1)
		s->module[nr - 1 - i] = folded_frame(module);
	/* An inlined function is of the module of what it is inlined into, its caller. */
	for (i = 1; i < nr; i++)
		if (is_text(s->module[i].text, s->module[i].len, "inlined"))
			s->module[i] = s->module[i - 1];
	s->sample.task = s->frame[0];
	s->sample.frame = s->frame + 1;
	s->sample.module = s->module;
	s->sample.nr = nr;
	return text_filter_passes(s->filter, &s->sample);
}

void perf_script_end(struct perf_script *s, struct folded *f)
{
	const char *name = s->names.data;
	size_t i;

	if (s->in_sample && !s->is_left_out) {
		s->frame = mem_grow(s->frame, &s->room, s->nr, sizeof(*s->frame));
		for (i = 0; i < s->nr; i++, name += strlen(name) + 1)
			s->frame[i ? s->nr - i : 0] = folded_frame(name);
		if (passes(s))
			folded_add(f, s->frame, s->nr, s->weight);
	}
	s->in_sample = false;
}

/* Of -F srcline, that of the frame before it: "  FILE:LINE", or "  MODULE[ADDRESS]" */
static bool is_source_line(const char *line, size_t len)
{
	const char *end = line + trim(line, len), *p = end;

	if (end - line <= 2 || memcmp(line, "  ", 2) || isspace((unsigned char)line[2]))
		return false;
	if (end[-1] == ']')
		return memchr(line, '[', end - line);
	while (p > line && isdigit((unsigned char)p[-1]))
		p--;
	return p < end && p > line && p[-1] == ':';
}

bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len)
{
	struct header h;

	if (!trim(line, len)) {
		perf_script_end(s, f);
		return true;
	}
	if (*line == '#')
		return true;
	if (take_header(line, len, &h)) {
		perf_script_end(s, f);
		if (!is_record(&h))
			begin(s, &h);
		return true;
	}
	return s->in_sample && (add_frame(s, line, len) || is_source_line(line, len));
}

void perf_script_free(struct perf_script *s)
{
	buf_free(&s->event);
	buf_free(&s->names);
	buf_free(&s->modules);
	free(s->frame);
	free(s->module);
}
