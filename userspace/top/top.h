/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top.h - which functions take the time just now: intervals of the module's profile, rows, keys
 *
 * An interval is what the module aggregated since the last one. A view says which rows of it are
 * shown; keys change the view. Functions that return int return 0, or an exit code after a message.
 */
#ifndef KPROF_TOP_H
#define KPROF_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/folded.h"
#include "lib/buf.h"
#include "lib/strtab.h"
#include "record/user_names.h"

/* --- an interval: top_take.c --- */

struct top_interval {
	struct folded stacks;	/* counts are nanoseconds; the first frame is the task's name */
	bool has_cgroups;	/* the frame before that is the task's cgroup */
	double seconds;
	long cpus;		/* that are online; 0: not known */
	uint64_t fired, recorded, idle, own, lost;	/* samples */
	struct buf causes;	/* of the losses: "timer.dropped_full 12" */
	double own_cpu;		/* what this process takes of a CPU: 0.01 is one per cent */
};

struct top_clock {
	uint64_t wall, cpu;	/* nanoseconds, at the last step; private */
	bool has_cgroups;	/* the module's setting */
	bool began_anew;	/* since the last interval, files have other numbers */
};

/* An interval begins, in which the module tells tasks apart by their cgroups, or not. */
void top_clock_begin(struct top_clock *clock, bool has_cgroups);

/* A time in which nothing was sampled is not a part of the interval. */
void top_clock_skip(struct top_clock *clock, uint64_t ns);

/*
 * Hold the module still, read what it has, empty it, and let it go on. So an interval needs no more
 * memory than its own stacks, however long kprof runs. @user: names of functions of programs; NULL:
 * their stacks were not taken. Free @t in both cases.
 */
int top_take(struct top_interval *t, struct top_clock *clock, struct user_names *user);
void top_interval_free(struct top_interval *t);

/* --- its rows: top_rows.c --- */

enum top_sort { TOP_SELF, TOP_TOTAL, TOP_NAME };
extern const char *const top_sort_names[];

#define TOP_DEPTH	16	/* how far callers can be followed */

/* What is shown; texts are the user's, and "" is no filter. */
struct top_view {
	enum top_sort sort;
	bool by_cgroup;		/* rows are cgroups, not functions */
	char comm[64];		/* shell patterns for names of tasks, with commas */
	char cgroup[256];	/* the same for their cgroups */
	char text[64];		/* a part of the name of a row, in any case */
	char *inside;		/* only this cgroup and those below it; NULL: all */
	char *path[TOP_DEPTH];	/* callers of path[0], called from path[1] and so on */
	size_t depth;
};

struct top_row {
	const char *name;	/* belongs to the interval, or to the rows */
	/* Nanoseconds; of callers, they are those of path[0] when called from there. */
	folded_count self;	/* in the function itself, in tasks of the cgroup */
	folded_count total;	/* with all that it called, with the cgroups below it */
};

struct top_rows {
	struct top_row *row;	/* in the order of the view */
	size_t nr;
	folded_count sum;	/* nanoseconds of the tasks that are shown: 100 per cent */
	/* Private from here on. */
	size_t room;
	struct strtab paths;
};

void top_rows(struct top_rows *rows, const struct top_interval *t, const struct top_view *view);
void top_rows_free(struct top_rows *rows);

/*
 * Go on to the callers of a function, to the functions of a cgroup, or back. Returns false if that
 * is not possible.
 */
bool top_view_enter(struct top_view *view, const char *row);
bool top_view_leave(struct top_view *view);

/* --- what keys do: top_keys.c --- */

enum top_prompt { TOP_NO_PROMPT, TOP_ASK_COMM, TOP_ASK_CGROUP, TOP_ASK_PID, TOP_ASK_TEXT };

struct top_state {
	struct top_view view;
	enum top_prompt prompt;
	char typed[64];
	char pid[64];		/* the module's setting */
	bool pid_changed;	/* the caller is to tell the module, and clears this */
	bool wants_cgroups;	/* the module is to tell tasks apart by their cgroups */
	bool paused, help, quit;
	size_t selected, first;	/* rows */
	size_t page;		/* rows that there is room for */
	char message[256];	/* shown until the next key; may be hostile */
};

/*
 * Do what the first key of @text does, which is what a terminal sent. Returns how long that key is.
 * @rows are those of the view; after a key it may be another one.
 */
size_t top_key(struct top_state *s, const char *text, size_t len, const struct top_rows *rows);

/* --- as text: top_print.c --- */

/* The lines above the rows: what was sampled, what was lost, what is shown. */
void top_heading(struct buf *out, const struct top_interval *t, const struct top_view *view,
		 const char *pid);
/* The names of the columns; a row. Without a line feed; nothing is escaped. */
void top_columns(struct buf *out, const struct top_view *view);
void top_line(struct buf *out, const struct top_row *row, const struct top_rows *rows);

/* The whole screen of a terminal with so many lines, as its control sequences, escaped. */
void top_screen(struct buf *out, struct top_state *s, const struct top_interval *t,
		const struct top_rows *rows, size_t lines);

#endif /* KPROF_TOP_H */
