/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * turns.h - find what determines how often a loop turns
 *
 * The input is a table of calls by the turns of a loop and by other keys: arguments, and members
 * behind them. A formula is looked for that gives the turns from one key or two, as the end of a
 * loop is computed: n - 1, (s->oo.x & 0xffff) - 1, (end - start) >> 12. Where there is none, a key
 * may still determine the turns, as the address of an object does that has their number inside.
 */
#ifndef KPROF_TURNS_H
#define KPROF_TURNS_H

#include "explain/explain.h"

#define TURNS_KEYS	(EXPLAIN_MAX_KEYS - 1)	/* besides the turns themselves, which come first */
#define TURNS_FOUND	4			/* formulas that are kept */

/* Calls with the same turns, and the same values of all keys. */
struct turns_row {
	uint64_t calls, turns;
	int64_t value[TURNS_KEYS];	/* of a key that is a text: its number among the texts */
};

/* Zero-initialise. */
struct turns_table {
	const char *key[TURNS_KEYS];
	bool is_text[TURNS_KEYS];	/* a key that has values which are no numbers */
	int nr_keys;
	struct turns_row *row;		/* those with the most calls first */
	size_t nr;
	uint64_t calls;			/* that have a row */
	uint64_t without;		/* that found the module's table full */
	uint64_t usual_turns, usual;	/* the most frequent number of turns, and its calls */
	uint64_t least, most;
	double average;
	struct arena texts;
};

/*
 * Make it of the rows of a target, whose first key is the turns. Returns -1 with @error set if the
 * contexts of the rows are not keys. Free it in both cases.
 */
int turns_table_make(struct turns_table *t, const struct lat_table *from, const char *target,
		     char error[256]);
void turns_table_free(struct turns_table *t);

/* --- formulas (turns_formula.c) --- */

/* What is made of two keys, a and b. */
enum turns_pair {
	TURNS_ONE,		/* a alone */
	TURNS_DIFFERENCE,	/* a - b */
	TURNS_SUM,
	TURNS_PRODUCT,
	TURNS_LESSER,
	TURNS_QUOTIENT,
	TURNS_QUOTIENT_UP,	/* rounded up */
	TURNS_NR_PAIRS
};

/* And of that, or of one key. */
enum turns_form {
	TURNS_AS_IS,
	TURNS_MASK,		/* x & by */
	TURNS_SHIFT,		/* x >> by */
	TURNS_SHIFT_UP,		/* the same, rounded up */
	TURNS_DIVIDE,		/* x / by */
	TURNS_DIVIDE_UP,
	TURNS_MULTIPLY,		/* x * by */
	TURNS_AT_MOST,		/* the lesser of x and by */
	TURNS_BITS,		/* up to the highest that is set */
	TURNS_BITS_SET,
	TURNS_FIRST_BIT,	/* the lowest that is set */
	TURNS_FIELD,		/* x >> by & 0xff, or a mask of 16 or 32 bits */
	TURNS_NR_FORMS
};

struct turns_formula {
	enum turns_pair pair;
	enum turns_form form;
	int key[2];		/* key[1]: only of a pair */
	uint64_t by, mask;	/* mask: of TURNS_FIELD */
	int64_t plus;
};

/* The turns that a formula gives; what is below 0 is 0, as a loop does not begin then. */
uint64_t turns_of(const struct turns_formula *f, const int64_t *value);

/* The same before the form is applied: of the pair. */
int64_t turns_operand(const struct turns_formula *f, const int64_t *value);

/* "(s->oo.x & 0xffff) - 1" */
void turns_print_formula(const struct turns_formula *f, const char *const *key, struct buf *out);

/* How much there is to it: of two that are right as often, the simpler one is it. */
int turns_cost(const struct turns_formula *f);

/* --- looking for them (turns_find.c) --- */

struct turns_finding {
	struct turns_formula formula;
	char *text;
	uint64_t calls;		/* for which it is right */
	uint64_t of;		/* calls it was tried on */
	size_t distinct;	/* numbers of turns among these */
};

/* A key of which each value has one number of turns, nearly. */
struct turns_decider {
	char *key;
	uint64_t calls, of;	/* those that have the usual turns of their value */
	size_t values;
};

/* What was found for a loop, in all rounds. Zero-initialise. */
struct turns_found {
	struct turns_finding best[TURNS_FOUND];	/* best first */
	int nr;
	struct turns_decider decider;		/* the best; key is NULL: none */
	int nr_keys;				/* that were tried */
	uint64_t calls, without;		/* of the first round; without: most of all */
	uint64_t usual_turns, usual, least, most;
	double average;
};

/* Add what a round has. */
void turns_add(struct turns_found *f, const struct turns_table *t);

/*
 * Is there nothing left to look for: do all calls have the same turns, or is a formula right for
 * nearly all?
 */
bool turns_is_known(const struct turns_found *f);
void turns_found_free(struct turns_found *f);

/* What is known of a loop, as text (turns_text.c). */
void turns_print(const struct turns_found *f, FILE *out);

#endif /* KPROF_TURNS_H */
