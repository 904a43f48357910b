// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - questions, and predicates on answers: words, numbers with a tolerance, names seen
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "truth.h"

#define DIGITS		"0123456789"
#define NUMBER_LENGTH	64	/* no number that is meant is longer */

static struct truth_question *ask(struct truth *t, enum truth_kind kind, const char *name,
				  unsigned int points, const char *text)
{
	struct truth_question *q = &t->question[t->nr];

	if (t->nr == TRUTH_QUESTIONS) {
		msg_error("a lab has at most %d questions", TRUTH_QUESTIONS);
		exit(1);
	}
	t->nr++;
	*q = (struct truth_question){ .name = name, .kind = kind, .points = points, .text = text,
				      .words = "", .unit = "" };
	return q;
}

__attribute__((weak)) const char *lab_append(u64 token, int boot)
{
	(void)token;
	(void)boot;
	return "";
}

__attribute__((weak)) void lab_model(u64 token, struct truth_ledger *ledger)
{
	(void)token;
	(void)ledger;
}

u64 truth_token(const char *key, const char *lab, const char *seed)
{
	struct buf text = { 0 };
	u64 token, half;

	half = derive_hash(0, 0, key, strlen(key));
	buf_printf(&text, "%s/%s", lab, seed);
	token = derive_hash(half, ~half, text.data, text.len);
	buf_free(&text);
	return token ? token : 1;	/* 0 is none */
}

const char **truth_word(struct truth *t, const char *name, unsigned int points, const char *text,
			const char *words)
{
	struct truth_question *q = ask(t, TRUTH_WORD, name, points, text);

	q->words = words;
	return q->hints;
}

static const char **ask_number(struct truth *t, struct truth_question q)
{
	struct truth_question *asked = ask(t, q.kind, q.name, q.points, q.text);

	asked->number = q.number;
	asked->tolerance = q.tolerance;
	asked->unit = q.unit;
	return asked->hints;
}

const char **truth_near(struct truth *t, const char *name, unsigned int points, const char *text,
			double number, double tolerance, const char *unit)
{
	return ask_number(t, (struct truth_question){
		.kind = TRUTH_NEAR, .name = name, .points = points, .text = text,
		.number = number, .tolerance = tolerance, .unit = unit });
}

const char **truth_factor(struct truth *t, const char *name, unsigned int points, const char *text,
			  double number, double factor, const char *unit)
{
	return ask_number(t, (struct truth_question){
		.kind = TRUTH_FACTOR, .name = name, .points = points, .text = text,
		.number = number, .tolerance = factor, .unit = unit });
}

const char **truth_test(struct truth *t, const char *name, unsigned int points, const char *text,
			double number, bool (*test)(double answer, double number),
			const char *unit)
{
	struct truth_question *q = ask(t, TRUTH_TEST, name, points, text);

	q->number = number;
	q->test = test;
	q->unit = unit;
	return q->hints;
}

const char **truth_seen(struct truth *t, unsigned int points, const char *words)
{
	struct truth_question *q = ask(t, TRUTH_SEEN, "recording", points,
				       "kprof.data, a recording in which it can be seen");

	q->words = words;
	return q->hints;
}

bool truth_is_long(const struct truth_ledger *ledger)
{
	return ledger->nr >= 2 && ledger->number[1] >= ledger->number[0] + 2000000000;
}

/* Is this the comma of "50,000" or "1,234,567.8", not that of "30,5"? */
static bool is_of_thousands(const char *comma)
{
	return strspn(comma + 1, DIGITS) == 3;
}

/* As people write them: groups of three digits may be apart, and a comma may be a point. */
static void write_plainly(char *to, const char *answer)
{
	size_t len = 0;

	for (; *answer; answer++) {
		if (*answer != ',')
			to[len++] = *answer;
		else if (!is_of_thousands(answer))
			to[len++] = '.';
	}
	to[len] = '\0';
}

/* A number, and perhaps the unit behind it, with or without a blank. */
static bool parse(const struct truth_question *q, const char *text, double *number)
{
	char plain[NUMBER_LENGTH];
	const char *answer = plain;

	if (strlen(text) >= sizeof(plain))
		return false;
	write_plainly(plain, text);
	if (!number_take_real(&answer, number))
		return false;
	while (*answer == ' ')
		answer++;
	return !*answer || !strcasecmp(answer, q->unit);
}

static bool is_one_of(const char *answer, const char *words)
{
	size_t len, given = strlen(answer);

	for (; *words; words += len) {
		words += strspn(words, " ");
		len = strcspn(words, " ");
		if (len && len == given && !strncasecmp(words, answer, len))
			return true;
	}
	return false;
}

bool truth_holds(const struct truth_question *q, const char *answer)
{
	double number;

	if (!answer || !*answer)
		return false;
	switch (q->kind) {
	case TRUTH_WORD:
		return is_one_of(answer, q->words);
	case TRUTH_NEAR:
		return parse(q, answer, &number) && number >= q->number - q->tolerance &&
		       number <= q->number + q->tolerance;
	case TRUTH_FACTOR:
		return parse(q, answer, &number) && number * q->tolerance >= q->number &&
		       number <= q->number * q->tolerance;
	case TRUTH_TEST:
		return parse(q, answer, &number) && q->test(number, q->number);
	case TRUTH_SEEN:
		return truth_mentions(answer, q->words);
	}
	return false;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

bool truth_mentions(const char *text, const char *words)
{
	const char *word;
	size_t len;

	for (; *text; text += len) {
		while (*text && !in_word(*text))
			text++;
		for (len = 0; in_word(text[len]); len++)
			;
		for (word = words; len && *word; word += strcspn(word, " ")) {
			word += strspn(word, " ");
			if (strcspn(word, " ") == len && !strncmp(word, text, len))
				return true;
		}
	}
	return false;
}

/* A fifth for each hint: a right answer after all three is still worth something. */
unsigned int truth_points(const struct truth_question *q, int hints)
{
	return q->points - q->points * hints / 5;
}
