/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * targets.h - the targets to watch: patterns are expanded to functions
 */
#ifndef KPROF_TARGETS_H
#define KPROF_TARGETS_H

#include <stdbool.h>

#include "lib/arena.h"

#define TARGETS_MAX	256	/* functions that a pattern may match */

struct target_item {
	const char *line;	/* NAME [by=...] [if=...] [min=...] */
	const char *pattern;	/* what it was found by; NULL: it was named */
	bool optional;		/* if it cannot be watched, it is left out */
};

struct target_list {
	struct target_item *item;
	size_t nr, room;
	struct arena texts;
};

/* Are they written as they can be? EXIT_OK, or EXIT_USAGE after a message. */
int targets_check(const char *const *given, int nr);

/*
 * From targets as they were given. Of the names of one address one is taken. EXIT_OK, or
 * EXIT_ERROR after a message. Free @list in any case.
 */
int targets_expand(struct target_list *list, const char *const *given, int nr,
		   bool skip_missing);
void targets_free(struct target_list *list);

/* Behind the module's words about a name that it does not know: which ones are close to it. */
void targets_suggest(const char *line);

#endif /* KPROF_TARGETS_H */
