/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holes.h - a command with holes, and the values that fill them
 *
 * {NAME:FIRST..LAST} is a hole for whole numbers, {NAME:A,B,...} one for texts, and {NAME} stands
 * for the value of a hole once more. Other braces are nothing special: those of ${NAME...}, and
 * those of names that are no hole's. {{NAME:... stands for {NAME:... itself.
 */
#ifndef KPROF_EXPLORE_HOLES_H
#define KPROF_EXPLORE_HOLES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/buf.h"

#define HOLES_MAX	64

struct hole {
	const char *name;
	int64_t first, last;	/* of texts: 0 and their number - 1 */
	const char **text;	/* NULL: it is for numbers */
};

/* Zero-initialise. */
struct holes {
	struct hole hole[HOLES_MAX];
	uint32_t nr;
	/* Private from here on. */
	char *const *argument;
	uint32_t nr_arguments;
	struct arena texts;
};

/*
 * Find the holes of a command, whose arguments must outlive @h. Returns 0, or -1 with @error set if
 * there are none, or a hole is no good. Call holes_free() in any case.
 */
int holes_parse(struct holes *h, char *const *argument, char error[256]);
void holes_free(struct holes *h);

/* How many values a hole has, less one. */
static inline uint64_t hole_span(const struct hole *hole)
{
	return (uint64_t)hole->last - (uint64_t)hole->first;
}

/* In how many ways can the holes be filled? UINT64_MAX: at least as many as that. */
uint64_t holes_ways(const struct holes *h);

/*
 * The command with these values, by hole; of texts it is their number. An argument that is nothing
 * but a hole, and whose value is empty, is left out. Call holes_free_command().
 */
char **holes_fill(const struct holes *h, const int64_t *value);
void holes_free_command(char **command);

/* Append "NAME=VALUE NAME=VALUE". */
void holes_print(const struct holes *h, const int64_t *value, struct buf *out);

#endif /* KPROF_EXPLORE_HOLES_H */
