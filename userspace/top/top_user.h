/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top_user.h - names of functions of programs, found by a process of its own while top goes on
 *
 * The module has places, "PATH+0xOFFSET". Functions that are known are kept, as ranges of offsets;
 * of others, a process that has limits reads the files, and their names come with a later interval.
 */
#ifndef KPROF_TOP_USER_H
#define KPROF_TOP_USER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "data/folded.h"
#include "lib/buf.h"
#include "lib/strtab.h"

struct top_place {
	uint64_t offset;
	uint32_t path;		/* number in @paths */
};

/* What is known of some places of a file: a function, or that there is none. */
struct top_range {
	uint64_t start, size;
	uint32_t path, name;	/* numbers in @paths and @names */
};

/* Zero-initialise. Private, but for the first three. */
struct top_user {
	bool patient;			/* wait for names, for some time: nobody looks meanwhile */
	bool with_own;			/* what tasks named kprof do is not left out */
	struct buf table;		/* the module's file_table, which a reset empties */
	struct strtab paths, names;
	uint32_t *base;			/* by path: what a place without a name is, "[libc.so.6]" */
	size_t base_room;
	struct top_range *range;	/* sorted */
	size_t nr_ranges, range_room;
	struct top_place *wanted;	/* places that nothing is known of */
	size_t nr_wanted, wanted_room;
	bool is_full;			/* there is no room for more of these */
	struct top_place *asked;	/* those that the process looks for */
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
void top_user_fold(struct top_user *u, const struct buf *text, size_t before, struct folded *f);

/*
 * Take what was told: lines "PATH START SIZE NAME", see top_names.c. What was asked for in vain is
 * known to have no name, for some time.
 */
void top_user_take(struct top_user *u, const char *told);

/* What processor time looking for names took since the last call, in nanoseconds. */
uint64_t top_user_cpu(struct top_user *u);
void top_user_free(struct top_user *u);

/* --- the process (top_names.c) --- */

/* Look for the names of u->asked, in a process of its own. Returns false if there can be none. */
bool top_names_begin(struct top_user *u);

#endif /* KPROF_TOP_USER_H */
