/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_names.h - names of functions of programs, found by a process of its own meanwhile
 *
 * The module has places, "PATH+0xOFFSET". Functions that are known are kept, as ranges of offsets;
 * of others, a process that has limits reads the files, and their names are there later.
 */
#ifndef KPROF_USER_NAMES_H
#define KPROF_USER_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "data/folded.h"
#include "lib/buf.h"
#include "lib/strtab.h"

struct user_name_place {
	uint64_t offset;
	uint32_t path;		/* number in @paths */
};

/* What is known of some places of a file: a function, or that there is none. */
struct user_name_range {
	uint64_t start, size;
	uint32_t path, name;	/* numbers in @paths and @names */
};

/* Zero-initialise. Private, but for the first three. */
struct user_names {
	bool patient;			/* wait for names, for some time: nobody looks meanwhile */
	bool with_own;			/* what tasks named kprof do is not left out */
	struct buf table;		/* the module's file_table, which a reset empties */
	struct strtab paths, names;
	uint32_t *base;			/* by path: what a place without a name is, "[libc.so.6]" */
	size_t base_room;
	struct user_name_range *range;	/* sorted */
	size_t nr_ranges, range_room;
	struct user_name_place *wanted;	/* places that nothing is known of */
	size_t nr_wanted, wanted_room;
	bool is_full;			/* there is no room for more of these */
	struct user_name_place *asked;	/* those that the process looks for */
	size_t nr_asked;
	pid_t child;			/* 0: none */
	int from;			/* what it tells */
	struct buf told;
	uint64_t started, forgotten, rests_until;	/* when, ns */
	uint64_t cpu;			/* ns that such processes took since it was asked */
};

/*
 * Add the lines of folded_ns to @f, with the names of functions that are known by now:
 * "function [program]", or "[program]". Of each line, @before frames are no functions; the last of
 * these is the task.
 */
void user_names_fold(struct user_names *u, const struct buf *text, size_t before, struct folded *f);

/*
 * Append a stack of places, "PLACE;PLACE", as functions in the same way. What is not known is noted
 * for user_names_look(), and stands as "[program]".
 */
void user_names_add(struct user_names *u, const char *stack, size_t len, struct buf *out);

/* Before a pass of user_names_add(): take what was told by now, and note anew what is not known. */
void user_names_renew(struct user_names *u);

/*
 * Behind that pass: have the process look for what is not known. With @wait, for some seconds until
 * its names are there; else they are in a later pass.
 */
void user_names_look(struct user_names *u, bool wait);

/*
 * Take what was told: lines "PATH START SIZE NAME", see user_names_find.c. What was asked for in
 * vain is known to have no name, for some time.
 */
void user_names_take(struct user_names *u, const char *told);

/* What processor time looking for names took since the last call, in nanoseconds. */
uint64_t user_names_cpu(struct user_names *u);
void user_names_free(struct user_names *u);

/* --- the process (user_names_find.c) --- */

/* Look for the names of u->asked, in a process of its own. Returns false if there can be none. */
bool user_names_begin(struct user_names *u);

#endif /* KPROF_USER_NAMES_H */
