// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_line.c - the head of a sample, as perf script prints it
 */
#include <ctype.h>
#include <string.h>

#include "data/perf_frame.h"
#include "data/perf_line.h"
#include "lib/number.h"
#include "lib/process.h"
#include "lib/scan.h"

#define PID_MAX		(1u << 22)	/* the kernel's PID_MAX_LIMIT */
#define PERIOD_WIDTH	11	/* perf prints the period as " %10lu" */
#define WORDS_MAX	40	/* of a line that are looked at: a name has at most eight */

struct word {
	const char *at, *end;
};

/* The words of a line, and where the line begins. */
struct words {
	const char *line;
	struct word word[WORDS_MAX];
	size_t nr;
};

static void split(struct words *w, const char *line, const char *end)
{
	const char *p = line;

	w->line = line;
	for (w->nr = 0; w->nr < WORDS_MAX && (p = scan_spaces(p, end)) < end; w->nr++) {
		w->word[w->nr].at = p;
		p = scan_word(p, end);
		w->word[w->nr].end = p;
	}
}

/* "SECONDS.FRACTION:" */
static bool is_time(const struct word *w)
{
	const char *point = scan_digits(w->at, w->end);

	return point > w->at && point < w->end && *point == '.' && w->end[-1] == ':' &&
	       w->end - point > 2 && scan_digits(point + 1, w->end) == w->end - 1;
}

/* Do the digits of the word stand as in @form, whose '0' is a digit, and end where it does? */
static const char *skip_form(const struct word *w, const char *form)
{
	const char *p = w->at;

	for (; *form && p < w->end; form++, p++)
		if (*form == '0' ? !isdigit((unsigned char)*p) : *p != *form)
			return NULL;
	return *form ? NULL : p;
}

/* Of -F tod: "2024-01-01 10:00:00.123456" */
static bool is_time_of_day(const struct word *w)
{
	const char *p = skip_form(w, "00:00:00.0");

	return p && scan_digits(p, w->end) == w->end && skip_form(w - 1, "0000-00-00") == w[-1].end;
}

/* "[001]" */
static bool is_cpu(const struct word *w)
{
	return w->end - w->at > 2 && *w->at == '[' && w->end[-1] == ']' &&
	       scan_digits(w->at + 1, w->end) == w->end - 1;
}

static bool is_number(const struct word *w)
{
	return scan_digits(w->at, w->end) == w->end;
}

/* A thread id. That of a task that has exited is -1. NULL: there is none at @p. */
static const char *skip_id(const char *p, const char *end)
{
	const char *digits = p < end && *p == '-' ? p + 1 : p;
	const char *behind = scan_digits(digits, end);

	return behind > digits ? behind : NULL;
}

/* "PID", "TID" or "PID/TID" */
static bool is_pid(const struct word *w)
{
	const char *p = skip_id(w->at, w->end);

	if (p && p < w->end && *p == '/')
		p = skip_id(p + 1, w->end);
	return p == w->end;
}

/* Of -F misc: "U", "K", "Sp" ... */
static bool is_misc(const struct word *w)
{
	const char *p = w->at;

	while (p < w->end && strchr("UKGHMEDSLp", *p))
		p++;
	return p == w->end && isupper((unsigned char)*w->at);
}

/* Bytes of the name itself: kprof script writes a byte as "\x1b", a character as "\u202e". */
static size_t length_of_comm(const char *comm, size_t len)
{
	size_t i = 0, bytes = 0;

	while (i < len) {
		bool is_byte = len - i >= 4 && comm[i] == '\\' && comm[i + 1] == 'x';
		bool is_char = len - i >= 6 && comm[i] == '\\' && comm[i + 1] == 'u';

		i += is_byte ? 4 : is_char ? 6 : 1;
		bytes += is_char ? 2 : 1;
	}
	return bytes;
}

/* Of a guest, @with and a number of so many columns: returns how many words there are at @i. */
static size_t nr_of_guest(const struct words *w, size_t i, size_t nr, const char *with,
			  size_t digits)
{
	const struct word *word = &w->word[i];
	size_t skip = strlen(with);

	if (i >= nr || !scan_begins(word->at, word->end - word->at, with))
		return 0;
	if (word->end - word->at == (ptrdiff_t)skip)
		return i + 1 < nr && is_pid(word + 1) && word[1].at > word->end ? 2 : 0;
	return is_pid(&(struct word){ word->at + skip, word->end }) &&
	       word->end - word->at >= (ptrdiff_t)(skip + digits);
}

/* "VM:27650 VCPU: 0 ", of the fields machine_pid and vcpu, is no part of the name of a task. */
static size_t skip_guest(const struct words *w, size_t nr)
{
	size_t i = nr_of_guest(w, 0, nr, "VM:", 5);

	return i ? i + nr_of_guest(w, i, nr, "VCPU:", 1) : 0;
}

/* What stands before word @nr: CPU and thread id; the rest is the name. */
static void take_task(const struct words *w, size_t nr, struct perf_head *h)
{
	size_t first;

	h->cpu = NULL;
	h->pid = NULL;
	if (nr > 1 && is_time_of_day(&w->word[nr - 1]))
		nr -= 2;
	if (nr > 1 && is_misc(&w->word[nr - 1]) &&
	    (is_cpu(&w->word[nr - 2]) || is_pid(&w->word[nr - 2])))
		nr--;
	if (nr && is_cpu(&w->word[nr - 1]))
		h->cpu = w->word[--nr].at;
	if (nr && is_pid(&w->word[nr - 1]))
		h->pid = w->word[--nr].at;
	first = skip_guest(w, nr);
	h->comm = w->word[first < nr ? first : 0].at;
	h->comm_len = first < nr ? w->word[nr - 1].end - h->comm : 0;
}

static bool is_likely(const struct perf_head *h)
{
	return h->pid && length_of_comm(h->comm, h->comm_len) <= PROCESS_COMM_MAX;
}

/*
 * Of several readings, the last one with a likely name is right: in front of what is a field by
 * mistake, because a tracepoint prints it, stand all the fields, which are longer than a name.
 */
static void choose(struct perf_head *best, const struct perf_head *h)
{
	if (!best->comm || is_likely(h) || (h->pid && !best->pid))
		*best = *h;
}

/*
 * Returns where it ends; @at: there is none. A sample has some weight, and no more than a count can
 * be.
 */
static const char *take_weight(const char *at, const char *end, uint64_t *weight)
{
	const char *p = scan_spaces(at, end), *word_end = scan_digits(p, end);
	uint64_t number;

	*weight = 1;
	if (word_end < end && !isspace((unsigned char)*word_end))
		return at;
	if (!number_take(&p, NUMBER_DECIMAL, &number))
		return at;
	if (number && number <= INT64_MAX)
		*weight = number;
	return word_end;
}

/* The text of a tracepoint, "name=x", is no event; "cpu/event=0x3c,name=my event/" is. */
static bool is_text_of_event(const char *word, const char *end)
{
	const char *word_end = scan_word(word, end);
	size_t len = word_end - word;

	return memchr(word, '"', len) || memchr(word, '(', len) ||
	       (memchr(word, '=', len) && !memchr(word, '/', len)) ||
	       scan_begins(word, len, "PERF_RECORD_");
}

/*
 * Where the event ends, behind its colon; moves *p to where it begins. Its name may have blanks, as
 * "raw 0x1c2" has, but no two at a time: what is before those is another field.
 */
static const char *skip_event(const char **p, const char *end)
{
	const char *at = *p, *word = scan_spaces(at, end), *begin = word;

	while (word < end && !perf_frame_skip_address(at, end) && !is_text_of_event(word, end)) {
		if (word - at > 1)
			begin = word;
		at = scan_word(word, end);
		if (at[-1] == ':') {
			*p = begin;
			return at;
		}
		word = scan_spaces(at, end);
	}
	*p = scan_spaces(*p, end);
	return *p;
}

/*
 * Without an event, a number may be the address of an instruction: if it is in the columns of one,
 * or if there is no other one before a file.
 */
static bool is_address(const char *at, const char *behind, const char *end)
{
	bool has_other = perf_frame_skip_address(behind, end);

	return behind > at && (behind - at > PERF_ADDRESS_WIDTH ||
			       (perf_frame_find_file(behind, end) && !has_other));
}

/* What stands behind the time, or in a head without one behind the CPU. */
static void take_event(const char *at, const char *end, struct perf_head *h)
{
	const char *p = take_weight(at, end, &h->weight);
	const char *behind = p, *word_end = skip_event(&p, end);

	h->event = p;
	h->event_len = word_end > p ? word_end - 1 - p : 0;
	if (!h->event_len && is_address(at, behind, end)) {
		h->weight = 1;
		h->behind = at;
		h->rest = scan_spaces(at, end);
	} else {
		h->behind = h->event_len ? word_end : behind;
		h->rest = scan_spaces(h->behind, end);
	}
	h->rest_len = end - h->rest;
}

static bool by_time(const struct words *w, struct perf_head *best)
{
	struct perf_head h;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		if (!is_time(&w->word[i]))
			continue;
		h = (struct perf_head){ .time = w->word[i].at, .event = w->word[i].end };
		take_task(w, i, &h);
		choose(best, &h);
	}
	/* "dd-12 [001] d..1. 1.5:" is of ftrace. */
	if (!best->pid && length_of_comm(best->comm, best->comm_len) > PROCESS_COMM_MAX)
		best->comm = NULL;
	return best->comm;
}

/*
 * Is the number before the event the period, where another one stands before it? Behind a CPU it
 * is. Else the other one is the thread id if this one is too large for that, or stands where perf
 * puts a period. If not, the first one may be part of a name.
 */
static bool is_period(const struct words *w, size_t nr, bool *is_doubtful)
{
	const struct word *word = &w->word[nr], *before = word - 1;
	const char *p = word->at;
	uint64_t number;

	if (is_cpu(before) || is_misc(before) || (nr > 1 && is_time_of_day(before)))
		return true;
	if (!is_pid(before))
		return false;
	if (memchr(before->at, '/', before->end - before->at))
		return true;
	if (!number_take(&p, NUMBER_DECIMAL, &number) || number > PID_MAX)
		return true;
	*is_doubtful = word->end - before->end < PERIOD_WIDTH;
	return !*is_doubtful;
}

/* A head without a time: the thread id, or the CPU, stands before the period and the event. */
static bool by_event(const struct words *w, struct perf_head *best)
{
	struct perf_head h;
	size_t i, task;

	for (i = 1; i < w->nr; i++) {
		if (w->word[i].end[-1] != ':' || w->word[i].end - w->word[i].at < 2)
			continue;
		h = (struct perf_head){ .event = w->word[i - 1].end };
		task = i;
		if (i > 1 && is_number(&w->word[i - 1]) && is_period(w, i - 1, &h.is_doubtful))
			task--;
		if (task < i)
			h.event = w->word[task - 1].end;
		take_task(w, task, &h);
		if (h.pid && (h.comm_len || h.cpu))
			choose(best, &h);
	}
	return best->comm;
}

/* "COMM PID [CPU]" */
static bool by_cpu(const struct words *w, const char *end, struct perf_head *h)
{
	if (w->nr < 2 || w->nr == WORDS_MAX || !is_cpu(&w->word[w->nr - 1]))
		return false;
	take_task(w, w->nr, h);
	h->event = end;
	return h->pid;
}

/* Names of tasks may be aligned to the right. A frame begins with a tab. */
static bool take_words(struct words *w, const char *line, const char *end)
{
	while (line < end && *line == ' ')
		line++;
	if (line == end || isspace((unsigned char)*line))
		return false;
	split(w, line, end);
	return true;
}

bool perf_line_take_head(const char *line, size_t len, struct perf_head *h)
{
	const char *end = line + scan_trim(line, len);
	struct words w;

	*h = (struct perf_head){ .weight = 1 };
	if (!take_words(&w, line, end) ||
	    (!by_time(&w, h) && !by_event(&w, h) && !by_cpu(&w, end, h)))
		return false;
	take_event(h->event, end, h);
	return true;
}

bool perf_line_take_bare_head(const char *line, size_t len, struct perf_head *h)
{
	const char *end = line + scan_trim(line, len);
	bool is_doubtful = false;
	struct words w;

	*h = (struct perf_head){ .weight = 1 };
	if (!take_words(&w, line, end) || w.nr < 2 || w.nr == WORDS_MAX ||
	    !is_pid(&w.word[w.nr - 1]))
		return false;
	if (w.nr > 2 && is_number(&w.word[w.nr - 1]) && is_period(&w, w.nr - 1, &is_doubtful))
		w.nr--;
	take_task(&w, w.nr, h);
	take_event(w.word[w.nr - 1].end, end, h);
	h->is_doubtful = is_doubtful;
	return h->pid && h->comm_len;
}

uint64_t perf_line_time(const struct perf_head *head)
{
	uint64_t seconds, ns = 0, scale = 1000000000;
	const char *p = head->time;

	if (!p || !number_take(&p, NUMBER_DECIMAL, &seconds) || seconds >= UINT64_MAX / scale)
		return UINT64_MAX;
	for (p++; scale > 1 && *p != ':'; p++) {
		scale /= 10;
		ns += (*p - '0') * scale;
	}
	return seconds * 1000000000 + ns;
}
