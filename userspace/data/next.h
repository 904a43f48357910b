/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next.h - choose the functions whose calls are worth measuring next, from samples
 *
 * Time is charged to the innermost function of a stack whose calls can be measured. Where
 * interrupts are off, no tick is taken; the next sample stands for all of them, in the function
 * that turns interrupts on, after the instruction that does. If most of a function's time is of
 * such ticks, it is the time of its callers. Of two recordings, time is charged to functions that
 * both have, whose calls can be compared; and to the outermost function that only one side has,
 * which is what has been added.
 */
#ifndef KPROF_NEXT_H
#define KPROF_NEXT_H

#include <stdio.h>

#include "data/tally.h"
#include "lib/strtab.h"

struct next_function {
	const char *name;	/* as a target: NAME or MODULE:NAME */
	/* Of each side: */
	double ticks[2];	/* where it is the leaf */
	double late[2];		/* of these, those that came late */
	double count[2];	/* what is charged to it */
	unsigned int sides;	/* private: bits of those where it was seen */
};

/* Zero-initialise. */
struct next {
	struct next_function *function;
	size_t nr;
	double worth[2];	/* of a tick of each side, where they are compared; 0: 1 */
	/* Private from here on. */
	size_t room;
	unsigned int sides;	/* of which there are recordings */
	struct strtab names;
};

/* Note what functions there are, and where ticks came late. First, for each recording. */
void next_add_ticks(struct next *n, const struct data *d, const struct tally *t, int side);
/* Charge the rows to functions. @by_weight: not by number. @side: 0 or 1. */
void next_add_counts(struct next *n, const struct data *d, const struct tally *t, int side,
		     bool by_weight);

#define NEXT_LATE_PART	0.5	/* from so much of it on, a difference is that of callers */

/* Of two sides: how much of its difference is of late ticks; 0, too, if that may be chance. */
double next_late_part(const struct next *n, const struct next_function *f);
/*
 * Is most of its time, or of what it differs by, of late ticks: time of callers with interrupts
 * off?
 */
bool next_is_late(const struct next *n, const struct next_function *f);
/* The function of a module, "": of the kernel; or NULL. */
const struct next_function *next_find(const struct next *n, const char *module, const char *name);
/* The function that a folded stack shows as "NAME [MODULE]"; or NULL. */
const struct next_function *next_find_shown(const struct next *n, const char *shown);

/* By number of the function: what of another's time is of this one, which called it. */
struct next_callers {
	double *ns;
	size_t nr;
};

/*
 * Of rows in which @f is the leaf, add the time to the callers that can be measured, times @sign.
 * Zero-initialise what is added to, and free ns.
 */
void next_add_callers(struct next *n, const struct data *d, const struct tally *t,
		      const struct next_function *f, double sign, struct next_callers *c);
/*
 * Print those of whom it is most, ": a 60 %, b 20 %", shares of @of ns; nothing if there are none.
 * Once: it forgets what it printed.
 */
void next_print_callers(const struct next *n, struct next_callers *c, double of, FILE *out);

/* Say below what is late what that means for the other rows. */
void next_print_late(FILE *out);

void next_free(struct next *n);

/*
 * Is this code by which the kernel is entered and left? It is .noinstr or assembler, so nobody can
 * probe it; or it calls everything.
 */
bool next_is_entry(const char *name);

/* Append what ends a command line that measures the same once more: " -- make -j2". */
void next_add_command(const struct data *d, struct buf *line);

#endif /* KPROF_NEXT_H */
