// SPDX-License-Identifier: GPL-2.0-only
/*
 * exact.c - moments in which nobody writes: all that was sampled is found again
 *
 * While sampling goes on, stats adds up by itself (account.c). What it says can be held against
 * the other files only when sampling has stopped and no other tormentor starts or empties it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "torture.h"

#define MAX_SOURCES	600

/* Of a span, "found" is what became of those recorded. */
struct source {
	char name[300];
	unsigned long long recorded;
	unsigned long long found;
	bool is_span;
};

static struct source *sources;
static size_t nr_sources;

/* What was looked at, in all. */
static unsigned long long looks, spans, samples;

/*
 * Who writes has a part of "writing", by way of "door". Who wants to be alone shuts the door first:
 * there is always somebody who writes. A tormentor that is killed lets go of both.
 */
static int door, writing;

static void open_locks(void)
{
	if (door)
		return;
	door = open("/tmp/torture.door", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	writing = open("/tmp/torture.writing", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (door < 0 || writing < 0)
		wrong("exact: no file for a lock");
}

void writing_begins(void)
{
	open_locks();
	flock(door, LOCK_SH);
	flock(writing, LOCK_SH);
	flock(door, LOCK_UN);
}

void writing_ends(void)
{
	flock(writing, LOCK_UN);
}

static struct source *source_of(const char *name, bool add)
{
	size_t i;

	for (i = 0; i < nr_sources; i++)
		if (!strcmp(sources[i].name, name))
			return &sources[i];
	if (!add || nr_sources == MAX_SOURCES)
		return NULL;
	memset(&sources[nr_sources], 0, sizeof(*sources));
	snprintf(sources[nr_sources].name, sizeof(sources->name), "%s", name);
	return &sources[nr_sources++];
}

/* A line of stats: "SOURCE.FIELD: VALUE"; "fired" is the first of each source. */
static void take_stat(char *line)
{
	char *value = strstr(line, ": "), *field;
	unsigned long long number;
	struct source *source;

	if (!value)
		return;
	*value = '\0';
	number = strtoull(value + 2, NULL, 10);
	field = strrchr(line, '.');
	if (!field)
		return;
	*field++ = '\0';
	source = source_of(line, !strcmp(field, "fired"));
	if (!source)
		return;
	if (!strcmp(field, "recorded"))
		source->recorded = number;
	if (!strcmp(field, "open"))
		source->is_span = true;
	if (!strcmp(field, "open") || !strcmp(field, "left_out") ||
	    !strcmp(field, "overwritten") || !strcmp(field, "unended"))
		source->found += number;
	if (!strcmp(field, "split"))	/* these are in two rows */
		source->found -= number;
}

/* A line of latency: source, context, calls, and what does not matter here. */
static void take_row(char *line)
{
	char *context = strchr(line, '\t'), *calls;
	struct source *source;

	calls = context ? strchr(context + 1, '\t') : NULL;
	if (!calls)
		return;
	*context = '\0';
	source = source_of(line, false);
	if (source)
		source->found += strtoull(calls, NULL, 10);
}

static unsigned long long folded_total;

static void take_stack(char *line)
{
	char *count = strrchr(line, ' ');

	if (count)
		folded_total += strtoull(count, NULL, 10);
}

static bool take_lines(const char *path, void (*take)(char *line))
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool whole;

	if (!file)
		return false;
	while (getline(&line, &room, file) > 0)
		take(line);
	whole = !ferror(file);
	fclose(file);
	free(line);
	return whole;
}

/* Each span that was recorded has ended, or it is known why not. */
static void check_spans(void)
{
	size_t i;

	nr_sources = 0;
	if (!take_lines(KPROF "/stats", take_stat) ||
	    !take_lines(KPROF "/latency", take_row)) {
		wrong("exact: stats and latency cannot be read");
		return;
	}
	for (i = 0; i < nr_sources; i++) {
		if (!sources[i].is_span)
			continue;
		spans += sources[i].recorded;
		if (sources[i].recorded != sources[i].found)
			wrong("exact: %s: %llu recorded, what became of %llu is known",
			      sources[i].name, sources[i].recorded, sources[i].found);
	}
}

static void check_folded(void)
{
	unsigned long long recorded = 0;
	size_t i;

	folded_total = 0;
	if (!take_lines(KPROF "/folded", take_stack)) {
		wrong("exact: folded cannot be read");
		return;
	}
	for (i = 0; i < nr_sources; i++)
		recorded += sources[i].recorded;
	samples += recorded;
	if (recorded != folded_total)
		wrong("exact: %llu samples recorded, %llu in folded", recorded, folded_total);
}

void torture_exact(void)
{
	if (!sources)
		sources = malloc(MAX_SOURCES * sizeof(*sources));
	doing("wait until nobody writes");
	open_locks();
	flock(door, LOCK_EX);
	flock(writing, LOCK_EX);
	doing("look whether it is exact");
	looks++;
	if (write_text(KPROF "/enable", "0"))
		wrong("exact: it does not stop");
	check_spans();
	/* Calls without a sample are in no stack; somebody may have asked for that. */
	write_text(KPROF "/record", "1");
	write_text(KPROF "/reset", "1");
	write_text(KPROF "/enable", "1");
	random_pause(1000);
	write_text(KPROF "/enable", "0");
	check_spans();
	check_folded();
	if (random_chance(50))
		write_text(KPROF "/enable", "1");
	flock(writing, LOCK_UN);
	flock(door, LOCK_UN);
}

void exact_tell(void)
{
	if (looks)
		printf("exact: %llu looks at %llu spans and %llu samples\n", looks, spans, samples);
}
