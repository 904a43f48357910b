// SPDX-License-Identifier: GPL-2.0-only
/*
 * check.c - do stats, latency, buckets and folded say what the model says
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void expect(uint64_t got, uint64_t expected, const char *of, const char *what)
{
	if (got != expected)
		wrong("%s.%s is %llu; the model says %llu", of, what,
		      (unsigned long long)got, (unsigned long long)expected);
}

/* --- stats --- */

static uint64_t stat_of(const char *stats, const char *of, const char *what)
{
	char name[96];
	uint64_t value;

	snprintf(name, sizeof(name), "%s.%s", of, what);
	if (!stat_find(stats, name, &value))
		wrong("stats has no line %s", name);
	return value;
}

static void check_target(const char *stats, enum function f)
{
	static const char * const never[] = {
		"dropped_idle", "dropped_nested", "dropped_noregs", "dropped_maxactive",
		"dropped_reentry", "dropped_stack", "count_table_full",
	};
	const struct target *target = &targets[f];
	const char *name = function_names[f];
	bool watched = target->state == WATCHED, has_line;
	char line[96];
	size_t i;

	snprintf(line, sizeof(line), "%s.fired", name);
	if (target->state == ABSENT) {
		if (stat_text(stats, line))
			wrong("stats knows %s, which was forgotten", name);
		return;
	}
	expect(stat_of(stats, name, "fired"), target->fired, name, "fired");
	expect(stat_of(stats, name, "recorded"), target->recorded, name, "recorded");
	expect(stat_of(stats, name, "dropped_filter"), target->filtered, name, "dropped_filter");
	expect(stat_of(stats, name, "left_out"), target->left_out, name, "left_out");
	for (i = 0; i < COUNT(never); i++)
		expect(stat_of(stats, name, never[i]), 0, name, never[i]);
	snprintf(line, sizeof(line), "%s.probe", name);
	has_line = stat_text(stats, line);
	if (has_line != watched)
		wrong("stats %s a line %s", watched ? "lacks" : "has", line);
}

static void check_rings(const char *stats)
{
	uint64_t offered = 0, dropped = 0, unread = 0;
	unsigned int i;

	expect(stat_of(stats, "ring", "recorded") + stat_of(stats, "ring", "dropped_full"),
	       stat_of(stats, "ring", "offered"), "ring", "recorded + dropped_full");
	if (timer_was_used)
		return;
	for (i = 0; i < nr_cpus; i++) {
		offered += rings[i].offered;
		dropped += rings[i].dropped;
		unread += rings[i].unread;
	}
	expect(stat_of(stats, "ring", "offered"), offered, "ring", "offered");
	expect(stat_of(stats, "ring", "dropped_full"), dropped, "ring", "dropped_full");
	expect(stat_of(stats, "ring", "unread"), unread, "ring", "unread");
}

static void check_stats(const char *stats)
{
	enum function f;
	uint64_t value;

	stat_find(stats, "running", &value);
	expect(value, running, "stats", "running");
	for (f = 0; f < NR_FUNCTIONS; f++)
		check_target(stats, f);
	check_rings(stats);
	expect(stat_of(stats, "row_table", "used"), rows_used, "row_table", "used");
	expect(stat_of(stats, "row_table", "capacity"), state_number(settings[MAX_ROWS_OF]),
	       "row_table", "capacity");
	expect(stat_of(stats, "stack_table", "capacity"), state_number(settings[MAX_STACKS]),
	       "stack_table", "capacity");
	expect(stat_of(stats, "nest_table", "full"), 0, "nest_table", "full");
}

/* --- latency and buckets --- */

/* The columns of a line, cut apart by tabs. Return: how many. */
static size_t columns(char *line, char **column, size_t max)
{
	size_t nr = 0;

	while (nr < max && (column[nr] = strsep(&line, "\t")))
		nr++;
	return nr;
}

/* What the model says of a row, and whether it has it at all. */
static bool find_row(const char *name, const char *context, uint64_t *calls)
{
	const struct target *target;
	unsigned int i;
	enum function f;

	for (f = 0; f < NR_FUNCTIONS && strcmp(function_names[f], name); f++)
		;
	if (f == NR_FUNCTIONS || targets[f].state == ABSENT)
		return false;
	target = &targets[f];
	for (i = 0; i < target->nr_rows; i++) {
		*calls = target->row[i].calls;
		if (!strcmp(target->row[i].context, context))
			return true;
	}
	*calls = target->rest;
	return !strcmp(context, target->option->context ? "[row table full]" : "-");
}

/* min <= p50 <= p90 <= p99 <= max, and the sums are what they may be. */
static void check_times(char **column, uint64_t calls)
{
	uint64_t total = strtoull(column[4], NULL, 10), self = strtoull(column[5], NULL, 10);
	uint64_t least = strtoull(column[7], NULL, 10), most = strtoull(column[11], NULL, 10);
	size_t i;

	for (i = 8; i <= 11; i++)
		if (strtoull(column[i - 1], NULL, 10) > strtoull(column[i], NULL, 10))
			wrong("latency of %s %s: column %zu is more than the next: %s > %s",
			      column[0], column[1], i, column[i - 1], column[i]);
	if (self > total || least * calls > total || most * calls < total)
		wrong("latency of %s %s: total %llu, self %llu, from %llu to %llu",
		      column[0], column[1], (unsigned long long)total, (unsigned long long)self,
		      (unsigned long long)least, (unsigned long long)most);
}

/* Rows that have calls: the model's, as file and model must have as many. */
static unsigned int rows_with_calls(void)
{
	const struct target *target;
	unsigned int nr = 0;
	enum function f;

	for (f = 0; f < NR_FUNCTIONS; f++) {
		target = &targets[f];
		if (target->state == ABSENT)
			continue;
		nr += target->nr_rows + (target->rest || !target->option->context);
	}
	return nr;
}

static void check_latency(char *text)
{
	char *line = strsep(&text, "\n"), *column[12];
	unsigned int nr = 0;
	uint64_t calls;

	while ((line = strsep(&text, "\n")) && *line) {
		nr++;
		if (columns(line, column, 12) != 12)
			wrong("latency: a line of too few columns: %s", line);
		else if (!find_row(column[0], column[1], &calls))
			wrong("latency has a row %s %s, of which the model knows nothing",
			      column[0], column[1]);
		else if (strtoull(column[2], NULL, 10) != calls || strcmp(column[3], "0"))
			wrong("latency of %s %s: %s calls, %s missed; the model says %llu, 0",
			      column[0], column[1], column[2], column[3],
			      (unsigned long long)calls);
		else
			check_times(column, calls);
	}
	expect(nr, rows_with_calls(), "latency", "rows");
}

static void check_buckets(char *text)
{
	char *line = strsep(&text, "\n"), *column[5];
	uint64_t sum = 0, expected = 0;
	enum function f;
	unsigned int i;

	while ((line = strsep(&text, "\n")) && *line)
		if (columns(line, column, 5) == 5)
			sum += strtoull(column[4], NULL, 10);
	for (f = 0; f < NR_FUNCTIONS; f++) {
		for (i = 0; i < targets[f].nr_rows; i++)
			expected += targets[f].row[i].calls;
		expected += targets[f].rest;
	}
	expect(sum, expected, "buckets", "calls");
}

/* --- folded --- */

/* The sources there are: a line "ID NAME KIND" each. */
static unsigned int nr_sources(const char *sources, char *only)
{
	unsigned int nr = 0;

	while (sscanf(sources, "%*u %63s", only) == 1) {
		sources = strchr(sources, '\n') + 1;
		nr++;
	}
	return nr;
}

/* The first frame is the task, by its name at that time. */
static void check_task(const char *line, enum function f)
{
	static const char * const tasks[NR_FUNCTIONS] = {
		[HELD] = "odd-held/", [EACH] = "known-call/",
	};
	const char *task = tasks[f] ? tasks[f] : "model;";

	if (strncmp(line, task, strlen(task)))
		wrong("folded: a call of %s by somebody else: %s", function_names[f], line);
}

/* Add the samples of each target up. Return: those of all sources. */
static uint64_t add_folded(char *text, const char *sources, uint64_t *sum)
{
	char only[64] = "", name[64], *line;
	unsigned int nr = nr_sources(sources, only);
	uint64_t all = 0, n;
	enum function f;

	while ((line = strsep(&text, "\n")) && *line) {
		n = strtoull(strrchr(line, ' '), NULL, 10);
		all += n;
		strcpy(name, only);
		if (nr > 1 && sscanf(line, "[%63[^]]];", name) != 1)
			wrong("folded: a line without its source: %s", line);
		for (f = 0; f < NR_FUNCTIONS; f++) {
			if (strcmp(name, function_names[f]))
				continue;
			check_task(nr > 1 ? strchr(line, ';') + 1 : line, f);
			sum[f] += n;
		}
	}
	return all;
}

static void check_folded(char *text, const char *sources, const char *stats)
{
	uint64_t sum[NR_FUNCTIONS] = { 0 }, all, expected = 0;
	enum function f;

	all = add_folded(text, sources, sum);
	for (f = 0; f < NR_FUNCTIONS; f++) {
		expect(sum[f], targets[f].state == ABSENT ? 0 : targets[f].samples,
		       function_names[f], "samples in folded");
		expected += targets[f].samples;
	}
	if (running && timer_was_used)
		return;
	if (stat_text(stats, "timer.recorded"))
		expected += stat_of(stats, "timer", "recorded");
	expect(all, expected, "folded", "samples");
}

void check_all(void)
{
	char *stats = read_file("stats"), *latency = read_file("latency");
	char *buckets = read_file("buckets"), *folded = read_file("folded");
	char *sources = read_file("sources");

	check_stats(stats);
	check_latency(latency);
	check_buckets(buckets);
	check_folded(folded, sources, stats);
	free(stats);
	free(latency);
	free(buckets);
	free(folded);
	free(sources);
}

/* Does a line of stats tell what is, rather than what was? Or what was since load? */
static bool is_state(const char *name)
{
	static const char * const states[] = {
		"abi", "running", "clock", "clock.tick_ns", "memory.taken", "nest_table.full",
	};
	const char *last = strrchr(name, '.');
	size_t i;

	for (i = 0; i < COUNT(states); i++)
		if (!strcmp(name, states[i]))
			return true;
	if (!strncmp(name, "probe.", 6) || !last)
		return true;
	return !strcmp(last, ".probe") || !strcmp(last, ".slowdown") ||
	       !strcmp(last, ".capacity") || !strcmp(last, ".inside");
}

/* Just after the profile was emptied, while nothing happens: no counter has kept anything. */
void check_cleared(void)
{
	char *text = read_file("stats"), *rest = text, *line, *value;

	while ((line = strsep(&rest, "\n")) && *line) {
		value = strstr(line, ": ");
		if (!value) {
			wrong("stats: no \": \" in '%s'", line);
			continue;
		}
		*value = '\0';
		value += 2;
		if (!is_state(line) && strcmp(value, "0"))
			wrong("%s is %s after the profile was emptied", line, value);
	}
	free(text);
}
