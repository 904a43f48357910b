/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - check the targets to watch, and expand patterns to functions
 */
#ifndef KPROF_TARGETS_H
#define KPROF_TARGETS_H

#include <stdbool.h>

#include "lib/arena.h"
#include "record/user_target.h"

struct target_item {
	const char *line;	/* NAME [by=...] [if=...] [min=...] */
	const char *pattern;	/* the pattern that it matches; NULL: given by name */
	bool optional;		/* leave it out if it cannot be watched */
};

struct target_list {
	struct target_item *item;
	size_t nr, room;
	struct arena texts;
};

/* Check the syntax of targets. Returns EXIT_OK, or EXIT_USAGE after a message. */
int targets_check(const char *const *given, int nr);

/*
 * Expand the targets that were given. If an address has several names, one is taken. Returns
 * EXIT_OK, or EXIT_ERROR after a message. Free @list in any case.
 */
int targets_expand(struct target_list *list, const char *const *given, int nr,
		   bool skip_missing);
void targets_free(struct target_list *list);

/* After the module rejected a name: suggest similar names. */
void targets_suggest(const char *line);

#endif /* KPROF_TARGETS_H */
