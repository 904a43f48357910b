// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_script.c - parse the output of perf script into stacks
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/perf_frame.h"
#include "data/perf_script.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "lib/scan.h"

static bool is_text(const char *text, size_t len, const char *other)
{
	return len == strlen(other) && !memcmp(text, other, len);
}

/* "PERF_RECORD_MMAP2 ...": perf script prints other records, too, if it is asked to. */
static const char *record_of(const struct perf_head *h, size_t *len)
{
	const char *text = h->event_len ? h->event : h->rest;

	*len = h->rest + h->rest_len - text;
	return scan_begins(text, *len, "PERF_RECORD_") ? text : NULL;
}

bool perf_script_is_header(const char *line, size_t len)
{
	return is_text(line, len, "# ========");
}

bool perf_script_time(const char *line, size_t len, uint64_t *time)
{
	struct perf_head h;
	size_t record_len;

	if (!perf_line_take_head(line, len, &h) || !h.time || record_of(&h, &record_len))
		return false;
	*time = perf_line_time(&h);
	return true;
}

/* A number in the line; what is none, such as -1, or too large is no id that can be asked for. */
static uint32_t take_id(const char **p)
{
	uint64_t id;

	return number_take(p, NUMBER_DECIMAL, &id) && id < UINT32_MAX ? id : UINT32_MAX;
}

/* What the filter asks about: "PID/TID", or "TID" alone; the CPU; the time. */
static void take_answers(struct text_stack *sample, const struct perf_head *h)
{
	const char *p = h->pid;
	const char *cpu = h->cpu ? h->cpu + 1 : NULL;

	*sample = (struct text_stack){
		.time = perf_line_time(h), .has_time = h->time, .has_cpu = cpu, .has_pid = p,
	};
	if (p) {
		sample->pid = take_id(&p);
		sample->tid = sample->pid;
		if (*p++ == '/')
			sample->tid = take_id(&p);
	}
	if (cpu)
		sample->cpu = take_id(&cpu);
}

/* Undo what kprof script does to names: "\x20" is a blank at an end, "\x5c" a backslash. */
static void add_name(struct perf_script *s, const char *name, size_t len)
{
	const char *end = name + len, *p;

	while ((p = memmem(name, end - name, "\\x", 2)) && end - p >= 4) {
		buf_add(&s->names, name, p - name);
		if (!memcmp(p + 2, "20", 2))
			buf_add(&s->names, " ", 1);
		else if (!memcmp(p + 2, "5c", 2))
			buf_add(&s->names, "\\", 1);
		else
			buf_add(&s->names, p, 4);
		name = p + 4;
	}
	buf_add(&s->names, name, end - name);
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
	const char *slash;
	struct buf full = { 0 };

	/* -F dsoff: "/usr/lib/libc.so.6+0x1136" */
	module_len = without_offset(module, module_len);
	slash = memrchr(module, '/', module_len);
	if (s->filter) {
		buf_add(&s->modules, module, module_len);
		buf_add(&s->modules, "", 1);
	}
	if (is_text(name, len, "[unknown]") && !is_text(module, module_len, "[unknown]") &&
	    !is_text(module, module_len, "unknown")) {
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

static void add_frame(struct perf_script *s, const struct perf_frame *frame, uint64_t nr)
{
	static const char unknown[] = "[unknown]";
	bool has_name = frame->name_len, has_file = frame->file_len;

	s->frames++;
	if (!has_name && !has_file && !s->nameless++)
		s->nameless_line = nr;
	add_function(s, has_name ? frame->name : unknown,
		     has_name ? frame->name_len : strlen(unknown),
		     has_file ? frame->file : unknown,
		     has_file ? frame->file_len : strlen(unknown));
}

static void begin(struct perf_script *s, const struct perf_head *h, uint64_t nr)
{
	bool is_asked = !s->filter || text_filter_passes_event(s->filter, h->event, h->event_len);
	struct perf_frame frame;

	if (!s->has_event && is_asked)
		buf_add(&s->event, h->event, h->event_len);
	s->has_event |= is_asked;
	s->in_sample = true;
	s->has_tab = false;
	s->is_left_out = !is_asked || !is_text(h->event, h->event_len, s->event.data);
	/* Other events than the one that was asked for are no surprise. */
	s->left_out += s->is_left_out && is_asked;
	s->samples += !s->is_left_out;
	if (h->is_doubtful && !s->doubtful++)
		s->doubtful_line = nr;
	s->weight = h->weight;
	s->names.len = 0;
	s->modules.len = 0;
	s->nr = 0;
	if (s->filter)
		take_answers(&s->sample, h);
	add_name(s, h->comm, h->comm_len);
	/* Recorded without -g, a sample is one line. */
	s->has_head_frame = perf_frame_take_only(h->behind, h->rest + h->rest_len, &frame);
	if (s->has_head_frame)
		add_frame(s, &frame, nr);
	else if (perf_frame_has_file(h->rest, h->rest_len))
		folded_note_odd(&s->no_address, nr);
}

/* Frames follow: what the head had was an address of data. */
static void drop_head_frame(struct perf_script *s)
{
	s->names.len = strlen(s->names.data) + 1;
	s->modules.len = 0;
	s->nr = 1;
	s->frames--;
	s->has_head_frame = false;
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

static void end(struct perf_script *s, struct folded *f)
{
	const char *name = s->names.data;
	size_t i;

	if (s->in_sample && !s->is_left_out) {
		s->frame = mem_grow(s->frame, &s->room, s->nr, sizeof(*s->frame));
		for (i = 0; i < s->nr; i++, name += strlen(name) + 1)
			s->frame[i ? s->nr - i : 0] = folded_frame(name);
		s->with_stack += s->nr > 1;
		if (passes(s))
			folded_add(f, s->frame, s->nr, s->weight);
	}
	s->in_sample = false;
}

/* Of -F srcline or srccode, for the frame before: "  FILE:LINE", "  MODULE[ADDRESS]", "|8  code" */
static bool is_source_line(const char *line, size_t len)
{
	const char *end = line + scan_trim(line, len), *p = end;

	if (*line == '|')
		return true;
	if (end - line <= 2 || memcmp(line, "  ", 2) || isspace((unsigned char)line[2]))
		return false;
	if (end[-1] == ']')
		return memchr(line, '[', end - line);
	while (p > line && isdigit((unsigned char)p[-1]))
		p--;
	return p < end && p > line && p[-1] == ':';
}

/* What a program of BPF has put out, behind an empty line: "      BPF output: 0000: 52 61   Ra" */
static bool is_bpf_output(const char *line, size_t len)
{
	const char *end = line + len, *p = line, *word_end;

	while (p < end && *p == ' ')
		p++;
	word_end = scan_hex(p, end);
	return scan_begins(p, end - p, "BPF output:") || scan_begins(p, end - p, "BPF string:") ||
	       (p - line > PERF_ADDRESS_WIDTH && word_end - p == 4 && word_end < end &&
		*word_end == ':');
}

/* A name and a colon: before the instructions of a branch, of -F brstackinsn. */
static bool is_label(const char *line, size_t len)
{
	len = scan_trim(line, len);
	return len > 2 && *line == '\t' && !isspace((unsigned char)line[1]) && line[len - 1] == ':';
}

/* " work+0x10/main+0x3/P/-/-/3", " /system.slice/foo.service", "        12345000 4K 2M" */
static bool is_branch_or_place(const char *line, size_t len)
{
	const char *end = line + len, *word = scan_spaces(line, end);
	const char *word_end = scan_word(word, end);

	if (word == line + 1)
		return memchr(word, '/', word_end - word) ||
		       (word_end - word == 2 && isdigit((unsigned char)*word));
	return word_end - line >= PERF_ADDRESS_WIDTH && scan_hex(word, word_end) == word_end;
}

/*
 * What perf prints in lines of its own behind the frames: registers, branches, a physical address,
 * a cgroup. These begin with a blank, where frames have a tab. But where empty lines are lost, this
 * may be the next head.
 */
static bool is_other_field(const struct perf_script *s, const char *line, size_t len, bool is_head)
{
	static const char *const fields[] = { " ilen:", " insn:", " ABI:", " IPC:", " 0x" };
	struct perf_head h;
	size_t i;

	if (s->has_tab && is_label(line, len))
		return true;
	/* Some of these look like heads: "ilen: 4 insn: 48" */
	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (scan_begins(line, len, fields[i]))
			return true;
	return s->has_tab && *line == ' ' && !is_head && is_branch_or_place(line, len) &&
	       !perf_line_take_bare_head(line, len, &h);
}

/* Of -F metric, behind the sample: "dd 42 1.500000: \tmetric:     0.50  insn per cycle" */
static bool is_metric(const struct perf_head *h)
{
	const char *end = h->rest + h->rest_len;

	return is_text(h->event, h->event_len, "metric") &&
	       memchr(h->rest, '.', scan_word(h->rest, end) - h->rest);
}

/* "# hostname : NAME" in the header. Texts of several recordings may be one file. */
static void take_comment(struct perf_script *s, const char *line, size_t len)
{
	static const char hostname[] = "# hostname : ";

	if (!scan_begins(line, len, hostname))
		return;
	line += strlen(hostname);
	len = scan_trim(line, len - strlen(hostname));
	if (!s->host.len)
		buf_add(&s->host, line, len);
	else
		s->other_hosts += !is_text(line, len, s->host.data);
}

/* "PERF_RECORD_LOST lost 12", "PERF_RECORD_LOST_SAMPLES lost 3" */
static void take_record(struct perf_script *s, const char *text, size_t len)
{
	const char *p = memmem(text, len, " lost ", 6);
	uint64_t lost;

	if (!scan_begins(text, len, "PERF_RECORD_LOST") || !p)
		return;
	p += 6;
	if (number_take(&p, NUMBER_DECIMAL, &lost) && lost < UINT64_MAX - s->lost)
		s->lost += lost;
}

static void take_head(struct perf_script *s, struct folded *f, const struct perf_head *h,
		      uint64_t nr)
{
	size_t len;
	const char *record = record_of(h, &len);

	end(s, f);
	s->in_record = record;
	if (record)
		take_record(s, record, len);
	else
		begin(s, h, nr);
}

/* A record without a time, "dd 42 PERF_RECORD_CGROUP cgroup: 7 /x", or what follows one. */
static bool is_of_record(struct perf_script *s, struct folded *f, const char *line, size_t len)
{
	const char *record;

	if (*line == '\t')
		return s->in_record && scan_begins(line, len, "\t\t");
	record = memmem(line, len, "PERF_RECORD_", strlen("PERF_RECORD_"));
	if (!record || (record > line && record[-1] != ' '))
		return false;
	end(s, f);
	s->in_record = true;
	take_record(s, record, line + len - record);
	return true;
}

static bool take_frame(struct perf_script *s, const char *line, size_t len, uint64_t nr)
{
	struct perf_frame frame;

	if (!perf_frame_take(line, len, &frame))
		return false;
	/* "\t0000000000401136\tpush %rbp": behind the address of a frame is a blank. */
	if (*line == '\t' && frame.name_len && frame.name[-1] == '\t')
		return true;
	if (s->has_head_frame)
		drop_head_frame(s);
	s->has_tab |= *line == '\t';
	add_frame(s, &frame, nr);
	return true;
}

bool perf_script_line(struct perf_script *s, struct folded *f, const char *line, size_t len,
		      uint64_t nr)
{
	struct perf_head h;
	bool is_head;

	if (!scan_trim(line, len)) {
		end(s, f);
		return true;
	}
	/* Most lines are frames, which no other line is that begins with a tab. */
	if (s->in_sample && *line == '\t' && take_frame(s, line, len, nr))
		return true;
	is_head = perf_line_take_head(line, len, &h);
	/* The name of a task may begin like a comment. */
	if (*line == '#' && !(is_head && h.time && h.pid)) {
		take_comment(s, line, len);
		return true;
	}
	if ((!is_head && (is_of_record(s, f, line, len) || is_bpf_output(line, len))) ||
	    (s->in_sample && is_other_field(s, line, len, is_head)) || (is_head && is_metric(&h)))
		return true;
	if (is_head ||
	    (!s->in_sample && perf_line_take_bare_head(line, len, &h))) {
		take_head(s, f, &h, nr);
		return true;
	}
	if (!s->in_sample) {
		if (perf_frame_is_headless(line, len))
			folded_note_odd(&s->headless, nr);
		return false;
	}
	if (*line == '\t')
		folded_note_odd(&s->no_address, nr);
	return take_frame(s, line, len, nr) || is_source_line(line, len);
}

static void tell(const struct perf_script *s, const char *from)
{
	if (s->left_out)
		msg_warn("%s: %" PRIu64 " sample%s of other events than %s %s left out; --source EVENT takes another one",
			 from, s->left_out, plural(s->left_out),
			 s->event.len ? s->event.data : "the first one", plural_are(s->left_out));
	if (s->lost)
		msg_warn("%s: perf lost %" PRIu64 " sample%s while it recorded", from, s->lost,
			 plural(s->lost));
	if (s->other_hosts)
		msg_warn("%s: the text has samples of several hosts, '%s' and others: they are added up",
			 from, s->host.data);
	if (s->doubtful)
		msg_warn("%s:%" PRIu64 ": in %" PRIu64 " line%s the last number before the event is taken for the thread id, but may be the period: with 'perf script -F +time' there is no doubt",
			 from, s->doubtful_line, s->doubtful, plural(s->doubtful));
	if (s->samples && !s->with_stack && s->no_address.nr)
		msg_warn("%s:%" PRIu64 ": no frame has an address: the field ip is missing, which 'perf script -F +ip' prints",
			 from, s->no_address.line);
	else if (s->samples && !s->with_stack)
		msg_warn("%s: no sample has a function, only the name of its task: 'perf record -g' records stacks, 'perf script -F +ip,+sym' prints them",
			 from);
	if (s->nameless && s->nameless < s->frames)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " of %" PRIu64 " frames have neither the field sym nor dso",
			 from, s->nameless_line, s->nameless, s->frames);
}

int perf_script_finish(struct perf_script *s, struct folded *f, const char *from)
{
	end(s, f);
	if (!s->samples && s->headless.nr)
		return msg_error("%s:%" PRIu64 ": frames without the head of a sample: fields are missing, which 'perf script -F +comm,+tid' prints",
				 from, s->headless.line);
	if (!s->samples && !s->filter)
		return msg_error("%s: a text of perf script that has no sample", from);
	if (s->nameless && s->nameless == s->frames)
		return msg_error("%s:%" PRIu64 ": frames are addresses without a name: the field sym is missing, which 'perf script -F +sym' prints",
				 from, s->nameless_line);
	tell(s, from);
	return EXIT_OK;
}

void perf_script_free(struct perf_script *s)
{
	buf_free(&s->event);
	buf_free(&s->host);
	buf_free(&s->names);
	buf_free(&s->modules);
	free(s->frame);
	free(s->module);
}
