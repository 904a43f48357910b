// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_histogram.c - draw the distribution of a row's latencies by powers of two
 */
#include <inttypes.h>
#include <string.h>

#include "lat/lat.h"

#define BAR_WIDTH	40
#define OCTAVES		65	/* 64 powers of two, and one for zero */

/* The exponent of the smallest power of two that exceeds all values of a bucket. */
static int octave_of(const struct lat_bucket *b)
{
	int octave = 0;
	uint64_t low;

	for (low = b->low; low; low >>= 1)
		octave++;
	return octave;
}

static uint64_t octave_end(int octave)
{
	return octave < 64 ? 1ULL << octave : UINT64_MAX;
}

/* Format a time: 512 ns, 4.10 us, 1.05 ms. */
static void time_text(uint64_t ns, char *text, size_t size)
{
	static const struct { double ns; const char *name; } units[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" },
	};
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		double value = ns / units[i].ns;

		if (value < 1)
			continue;
		snprintf(text, size, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value,
			 units[i].name);
		return;
	}
	snprintf(text, size, "%" PRIu64 " ns", ns);
}

static void draw_octave(FILE *out, int octave, uint64_t calls, uint64_t most)
{
	char low[32], high[32], range[80], bar[BAR_WIDTH + 1];
	int width = (double)calls / most * BAR_WIDTH;

	memset(bar, '@', width);
	bar[width] = '\0';
	time_text(octave ? octave_end(octave - 1) : 0, low, sizeof(low));
	time_text(octave_end(octave), high, sizeof(high));
	snprintf(range, sizeof(range), "[%s, %s)", low, high);
	fprintf(out, "%-24s %12" PRIu64 " |%-*s|\n", range, calls, BAR_WIDTH, bar);
}

void lat_draw_histogram(const struct lat_output *o, const struct lat_row *row)
{
	uint64_t calls[OCTAVES] = { 0 }, most = 0;
	int first = OCTAVES, last = -1, octave;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		octave = octave_of(&row->bucket[i]);
		calls[octave] += row->bucket[i].calls;
		most = calls[octave] > most ? calls[octave] : most;
		first = octave < first ? octave : first;
		last = octave;
	}
	fprintf(o->out, "\n%s  %s\n", row->target, row->context);
	for (octave = first; octave <= last; octave++)
		draw_octave(o->out, octave, calls[octave], most);
}
