/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * truth.h - the questions of a lab, and what counts as a right answer
 *
 * A lab's truth.c defines lab_title and lab_truth(), which asks its questions by the functions
 * below: each with its points, what the student is asked, and three hints, from the vaguest to
 * the plainest. None of them may contain an answer.
 */
#ifndef LABS_TRUTH_H
#define LABS_TRUTH_H

#include <stdbool.h>

#include "derive.h"

#define TRUTH_QUESTIONS	16
#define TRUTH_HINTS	3

enum truth_kind {
	TRUTH_WORD,	/* one of some words */
	TRUTH_NEAR,	/* a number, or one as near as the tolerance */
	TRUTH_FACTOR,	/* a number that is at most so many times too large or too small */
	TRUTH_TEST,	/* a number that a function of the lab finds right */
	TRUTH_SEEN,	/* no answer: a name that must be in the recording handed in */
};

struct truth_question {
	const char *name;
	enum truth_kind kind;
	unsigned int points;
	const char *text;	/* of the question, a line */
	const char *words;	/* that are right, separated by blanks */
	const char *unit;	/* that may stand behind the number, or in front, or "" */
	double number, tolerance;
	bool (*test)(double answer, double number);
	const char *hints[TRUTH_HINTS];
};

struct truth {
	struct truth_question question[TRUTH_QUESTIONS];
	int nr;
};

/* What the lab's module counted. */
struct truth_ledger {
	u64 number[64];
	int nr;			/* 0: there is none */
};

extern const char *const lab_title;

/* Ask the lab's questions, of a module that counted what stands in the ledger if it has numbers. */
void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger);

/*
 * What a lab's kernel is told beside the usual when it boots for the first time (1), and for the
 * second (2). Labs that have it boot once do not define it: then it is nothing.
 */
const char *lab_append(u64 token, int boot);

/*
 * What a machine would count, about: for the survey of many seeds, which has none. Labs whose truth
 * is there without a ledger do not define it.
 */
void lab_model(u64 token, struct truth_ledger *ledger);

/* The token of a lab and a seed: a keyed hash, so that none follows from another. */
u64 truth_token(const char *key, const char *lab, const char *seed);

/* The truth of a lab for a seed without a machine: lab_model() has counted. (seeds.c) */
void truth_of_seed(struct truth *t, const char *key, const char *lab, int seed);

/*
 * Ask for a word: any of @words is right, in upper or lower case, with what kprof and others print
 * around it, such as the module of a function. Like the other questions, it returns where its hints
 * belong.
 */
const char **truth_word(struct truth *t, const char *name, unsigned int points, const char *text,
			const char *words);

/*
 * Ask for a number: right if it differs by @tolerance or less. If @number is NAN, as nothing was
 * measured, no answer is right.
 */
const char **truth_near(struct truth *t, const char *name, unsigned int points, const char *text,
			double number, double tolerance, const char *unit);

/*
 * Ask for a number that comes and goes: right if it differs by @tolerance or less from @one, from
 * @other, or from anything between them.
 */
const char **truth_between(struct truth *t, const char *name, unsigned int points,
			   const char *text, double one, double other, double tolerance,
			   const char *unit);

/* Ask for an order of magnitude: right if it is between number / @factor and number * @factor. */
const char **truth_factor(struct truth *t, const char *name, unsigned int points, const char *text,
			  double number, double factor, const char *unit);

/* Ask for a number that fits @number, as @test says. */
const char **truth_test(struct truth *t, const char *name, unsigned int points, const char *text,
			double number, bool (*test)(double answer, double number),
			const char *unit);

/*
 * Ask for a recording, kprof.data, in which one of the functions @words can be seen; task_NAME is
 * a task of that name.
 */
const char **truth_seen(struct truth *t, unsigned int points, const char *words);

/*
 * Does a ledger that begins with two moments, in ns, say what usually happens? Not if the lab was
 * only just started again, say to write an answer down.
 */
bool truth_is_long(const struct truth_ledger *ledger);

/* Does the answer hold? NULL or "": there is none. */
bool truth_holds(const struct truth_question *q, const char *answer);

/* Is a name in a text, as a whole word? */
bool truth_mentions(const char *text, const char *words);

/* What is left of the points of a right answer after so many hints. */
unsigned int truth_points(const struct truth_question *q, int hints);

#endif /* LABS_TRUTH_H */
