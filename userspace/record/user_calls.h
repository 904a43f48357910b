/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_calls.h - which functions of a program, or of its libraries, are watched all at once
 *
 * Functions that return int return EXIT_OK, or EXIT_ERROR after a message.
 */
#ifndef KPROF_USER_CALLS_H
#define KPROF_USER_CALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/arena.h"
#include "record/setup.h"

/**
 * struct user_calls - what to watch
 * @line:	targets, in the module's format
 */
struct user_calls {
	const char **line;
	size_t nr, room;
	struct arena texts;
};

/**
 * struct user_calls_choice - which functions
 * @pattern:	shell patterns, one of which must match; all functions if there are none
 * @max:	how many at most
 * @of_program:	the program's own functions, not those that it imports
 */
struct user_calls_choice {
	const char *const *pattern;
	int nr_patterns;
	size_t max;
	bool of_program;
};

/* Find them. What is left out is said, with the reason. */
int user_calls_find(struct user_calls *calls, const char *path,
		    const struct user_calls_choice *choice);

/* Make them the targets of the module. Those that it refuses are left out, and said. */
int user_calls_watch(const struct user_calls *calls, struct setup *c);
void user_calls_free(struct user_calls *calls);

#endif /* KPROF_USER_CALLS_H */
