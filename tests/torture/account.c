// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - does stats add up: for each source, what fired was recorded or dropped
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torture.h"

struct sum {
	const char *source;
	unsigned long long due;
	unsigned long long found;
};

/* The lines of a source come together, and "fired" (the ring's: "offered") first. */
static void check(const struct sum *sum)
{
	if (sum->due != sum->found)
		wrong("stats: %s: %llu fired, %llu recorded or dropped",
		      sum->source, sum->due, sum->found);
}

void account_check(char *stats)
{
	struct sum sum = { .source = "" };
	char *line, *field, *value;

	for (line = strtok(stats, "\n"); line; line = strtok(NULL, "\n")) {
		value = strstr(line, ": ");
		if (!value) {
			wrong("stats: no \": \" in '%s'", line);
			return;
		}
		*value = '\0';
		field = strrchr(line, '.');
		if (!field)
			continue;
		*field++ = '\0';
		if (!strcmp(field, "fired") || !strcmp(field, "offered")) {
			check(&sum);
			sum = (struct sum) { line, strtoull(value + 2, NULL, 10), 0 };
		} else if (!strcmp(line, sum.source) &&
			   (!strcmp(field, "recorded") || !strncmp(field, "dropped_", 8))) {
			sum.found += strtoull(value + 2, NULL, 10);
		}
	}
	check(&sum);
}
