// SPDX-License-Identifier: GPL-2.0-only
/*
 * survey.c - what one fixed answer to each question of a lab would get, over many seeds
 *
 *	survey LAB SEEDS [QUESTION=ANSWER]
 *
 * prints for how many of the seeds 1..SEEDS an answer is right; or, if none is given, a line for
 * each question: its name, its kind, its points, for how many of the seeds the answer made from the
 * truth holds, for how many the best fixed answer does, and that answer. tests/tools/seeds says how
 * much is too much. No machine is needed: what a lab's module would count comes from lab_model().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"

#define SEEDS_MAX	1000
#define TEXT		256
#define NUMBERS		20000	/* where a function judges answers, each up to here is tried */
#define BITS		32	/* and so many powers of two */
#define LITTLE		0.000001

static struct truth truths[SEEDS_MAX];
static int nr_seeds;

static const char *const kinds[] = {
	[TRUTH_WORD] = "word", [TRUTH_NEAR] = "near", [TRUTH_FACTOR] = "factor",
	[TRUTH_TEST] = "test", [TRUTH_SEEN] = "seen",
};

struct best {
	char answer[TEXT];
	int right;
};

static int count_right(int question, const char *answer)
{
	int seed, right = 0;

	for (seed = 0; seed < nr_seeds; seed++)
		right += truth_holds(&truths[seed].question[question], answer);
	return right;
}

static void try_answer(struct best *best, int question, const char *answer)
{
	int right = count_right(question, answer);

	if (right <= best->right)
		return;
	best->right = right;
	snprintf(best->answer, sizeof(best->answer), "%s", answer);
}

static void try_number(struct best *best, int question, double number)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "%.9g", number);
	try_answer(best, question, text);
}

/* The next word of a list: false if there is none. */
static bool take_word(const char **words, char *word)
{
	size_t len;

	*words += strspn(*words, " ");
	len = strcspn(*words, " ");
	if (!len || len >= TEXT)
		return false;
	memcpy(word, *words, len);
	word[len] = '\0';
	*words += len;
	return true;
}

static void try_tested(struct best *best, int question)
{
	int number, bit;

	for (number = 0; number <= NUMBERS; number++)
		try_number(best, question, number);
	for (bit = 0; bit < BITS; bit++)
		try_number(best, question, (double)(1ULL << bit));
}

/*
 * The answers that are worth a try: where the right ones are an interval, one that is right for as
 * many seeds as any can be is the lower end of one of them; a little more, for what is rounded.
 */
static void try_seed(struct best *best, int question, const struct truth_question *q)
{
	const char *words = q->words;
	char word[TEXT];

	switch (q->kind) {
	case TRUTH_WORD:
		while (take_word(&words, word))
			try_answer(best, question, word);
		break;
	case TRUTH_NEAR:
		try_number(best, question, q->number);
		try_number(best, question, q->number - q->tolerance + LITTLE);
		break;
	case TRUTH_FACTOR:
		try_number(best, question, q->number);
		try_number(best, question, q->number / q->tolerance * (1 + LITTLE));
		break;
	default:
		break;
	}
}

static struct best best_fixed(int question)
{
	struct best best = { .right = 0, .answer = "-" };
	int seed;

	if (truths[0].question[question].kind == TRUTH_TEST)
		try_tested(&best, question);
	for (seed = 0; seed < nr_seeds; seed++)
		try_seed(&best, question, &truths[seed].question[question]);
	return best;
}

/* An answer as it follows from the truth, which a student would write. */
static void answer_of(const struct truth_question *q, char *answer)
{
	const char *words = q->words;
	long number;

	strcpy(answer, "");
	switch (q->kind) {
	case TRUTH_WORD:
	case TRUTH_SEEN:
		take_word(&words, answer);
		break;
	case TRUTH_NEAR:
	case TRUTH_FACTOR:
		snprintf(answer, TEXT, "%.9g%s%s", q->number, *q->unit ? " " : "", q->unit);
		break;
	case TRUTH_TEST:
		for (number = 0; number < 1L << 20 && !q->test(number, q->number); number++)
			;
		snprintf(answer, TEXT, "%ld", number);
		break;
	}
}

/* Of all seeds the same questions are asked, with the same points: or the form would tell. */
static void compare_forms(const struct truth *t)
{
	const struct truth_question *q = t->question, *first = truths[0].question;
	bool same = t->nr == truths[0].nr;
	int i;

	for (i = 0; i < t->nr && same; i++)
		same = !strcmp(q[i].name, first[i].name) && !strcmp(q[i].text, first[i].text) &&
		       q[i].points == first[i].points;
	if (same)
		return;
	fprintf(stderr, "survey: not all seeds have the same questions\n");
	exit(1);
}

/* answers.txt with all answers, read as the checker reads it: for how many seeds each holds. */
static void count_full(const char *lab, int full[TRUTH_QUESTIONS])
{
	static char text[TRUTH_QUESTIONS * (TEXT + 64)];
	struct answers answers;
	char answer[TEXT];
	int seed, i, line, len;
	const struct truth *t;

	for (seed = 0; seed < nr_seeds; seed++) {
		t = &truths[seed];
		truth_of_seed(&truths[seed], "", lab, seed + 1);
		compare_forms(t);
		for (i = 0, len = 0; i < t->nr; i++) {
			answer_of(&t->question[i], answer);
			len += sprintf(text + len, "%s = %s\n", t->question[i].name, answer);
		}
		if (answers_parse(&answers, text, &line))
			continue;
		for (i = 0; i < t->nr; i++)
			full[i] += truth_holds(&t->question[i],
					       answers_get(&answers, t->question[i].name));
	}
}

static void print_all(const int full[TRUTH_QUESTIONS])
{
	const struct truth_question *q;
	struct best best;
	int i;

	for (i = 0; i < truths[0].nr; i++) {
		q = &truths[0].question[i];
		best = best_fixed(i);
		printf("%s %s %u %d %d %s\n", q->name, kinds[q->kind], q->points, full[i],
		       best.right, best.answer);
	}
}

static int print_one(const char *pair)
{
	struct answers answers;
	const char *answer;
	int line, i;

	if (!answers_parse(&answers, pair, &line))
		for (i = 0; i < truths[0].nr; i++) {
			answer = answers_get(&answers, truths[0].question[i].name);
			if (answer)
				return printf("%d\n", count_right(i, answer)) < 0;
		}
	fprintf(stderr, "survey: %s: expected QUESTION=ANSWER\n", pair);
	return 1;
}

int main(int argc, char **argv)
{
	int full[TRUTH_QUESTIONS] = { 0 };

	nr_seeds = argc == 3 || argc == 4 ? atoi(argv[2]) : 0;
	if (nr_seeds < 1 || nr_seeds > SEEDS_MAX) {
		fprintf(stderr, "usage: survey LAB SEEDS [QUESTION=ANSWER]\n");
		return 2;
	}
	count_full(argv[1], full);
	if (argc == 4)
		return print_one(argv[3]);
	print_all(full);
	return 0;
}
