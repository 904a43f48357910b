// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_map.c - the functions in a perf-PID.map, which a process writes for code that it generates
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "user/layers.h"
#include "user/perf_map.h"

/* A function without a size ends here if no other one follows closely. */
#define SIZE_MAX_GUESSED	(64 * 1024)

struct line {
	uint64_t start, size;
	const char *name;
	size_t len;
};

/* Java writes numbers with "0x". */
static bool take_hex(const char **at, uint64_t *value)
{
	if (!strncmp(*at, "0x", 2))
		*at += 2;
	return number_take(at, NUMBER_HEX, value) && *(*at)++ == ' ';
}

static bool parse(const char *at, size_t len, struct line *line)
{
	const char *end = at + len;

	if (!take_hex(&at, &line->start) || !take_hex(&at, &line->size) || at >= end)
		return false;
	line->name = at;
	line->len = (size_t)(end - at) < PERF_MAP_NAME_MAX ? (size_t)(end - at) : PERF_MAP_NAME_MAX;
	return true;
}

static int by_value(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* All addresses at which functions begin, sorted. */
static uint64_t *starts_of(const struct buf *text, size_t *nr)
{
	const char *at = text->data, *line;
	uint64_t *start = NULL;
	struct line one;
	size_t room = 0, len;

	*nr = 0;
	while (*nr < PERF_MAP_LINES_MAX && buf_next_line(&at, &line, &len)) {
		if (!parse(line, len, &one))
			continue;
		start = mem_grow(start, &room, *nr + 1, sizeof(*start));
		start[(*nr)++] = one.start;
	}
	if (*nr)
		qsort(start, *nr, sizeof(*start), by_value);
	return start;
}

static uint64_t guess_size(const uint64_t *starts, size_t nr, uint64_t start)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (starts[mid] <= start)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == nr || starts[low] - start > SIZE_MAX_GUESSED)
		return SIZE_MAX_GUESSED;
	return starts[low] - start;
}

void user_perf_map_read(struct user_functions *f, const struct buf *text, size_t before)
{
	const char *at = text->data, *begin;
	struct layers layers = { 0 };
	bool is_settled = false;
	uint64_t *starts;
	struct line line;
	size_t nr, len;

	starts = starts_of(text, &nr);
	while (layers.nr < PERF_MAP_LINES_MAX && buf_next_line(&at, &begin, &len)) {
		if (!is_settled && (size_t)(begin - text->data) >= before) {
			layers_settle(&layers);
			is_settled = true;
		}
		if (!parse(begin, len, &line))
			continue;
		if (!line.size)
			line.size = guess_size(starts, nr, line.start);
		if (line.start <= KPROF_USER_MASK && line.size > KPROF_USER_MASK - line.start)
			line.size = KPROF_USER_MASK - line.start;
		layers_add(&layers, line.start, line.size, line.name, line.len);
	}
	free(starts);
	if (!is_settled && before == text->len)
		layers_settle(&layers);
	layers_show(&layers, f);
}
