/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next.h - choose the functions whose calls are worth measuring next, from samples
 *
 * Time is charged to the innermost function of a stack whose calls can be measured. Where
 * interrupts are off, no tick is taken; the next sample stands for all of them, in the function
 * that turns interrupts on. If most of a function's time is of such ticks, it is the time of its
 * callers. Of two recordings, only functions that both have are chosen: calls of others cannot be
 * compared.
 */
#ifndef KPROF_NEXT_H
#define KPROF_NEXT_H

#include "data/tally.h"
#include "lib/strtab.h"

struct next_function {
	const char *name;	/* as a target: NAME or MODULE:NAME */
	double samples, ticks;	/* where it is the leaf */
	double count[2];	/* what is charged to it, of each side */
	unsigned int sides;	/* private: bits of those where it was seen */
};

/* Zero-initialise. */
struct next {
	struct next_function *function;
	size_t nr;
	/* Private from here on. */
	size_t room;
	unsigned int sides;	/* of which there are recordings */
	struct strtab names;
};

/* Note what functions there are, and where ticks were merged. First, for each recording. */
void next_add_ticks(struct next *n, const struct data *d, const struct tally *t, int side);
/* Charge the rows to functions. @by_weight: not by number. @side: 0 or 1. */
void next_add_counts(struct next *n, const struct data *d, const struct tally *t, int side,
		     bool by_weight);
/* Is most of its time of merged ticks: time of callers with interrupts off? */
bool next_is_late(const struct next_function *f);
void next_free(struct next *n);

/* Has the recording calls of targets? */
bool next_has_targets(const struct data *d);
/* Append what ends a command line that measures the same once more: " -- make -j2". */
void next_add_command(const struct data *d, struct buf *line);

#endif /* KPROF_NEXT_H */
