// SPDX-License-Identifier: GPL-2.0-only
/*
 * grade.c - the checker of a lab: a program of this, the questions' predicates and a truth.c
 *
 * It prints the token of a seed, an empty answers.txt, a hint, or what answers are worth, as a
 * table, JSON or CSV. labs/run calls it; what is printed never says what would be right. The
 * environment's LABS_KEY is mixed into tokens.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "answers.h"
#include "lib/buf.h"
#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/input.h"
#include "lib/json.h"
#include "lib/msg.h"
#include "lib/nearest.h"
#include "lib/opt.h"

#define SEAL_POINTS	10

static const char *lab, *seed, *dir, *answers, *seen, *taken = "", *student = "";
static const char *hint_of;
static long boot;
static bool want_token, want_template, want_json, want_csv, ungraded;

struct grade {
	struct truth truth;
	struct answers answers, guesses;
	struct buf seen;		/* what the recording shows, as text */
	struct buf hints;		/* that were taken: a line each, the question's name */
	bool sealed;			/* the guesses, one for each question */
	bool right[TRUTH_QUESTIONS];
	unsigned int points[TRUTH_QUESTIONS], sum, of;
};

/* A file; false if it is not there. One that cannot be read ends all. */
static bool load_path(const char *path, struct buf *text)
{
	bool there = !access(path, F_OK);
	char error[256];

	if (there && input_load_regular(path, text, error)) {
		msg_error("%s: %s", path, error);
		exit(EXIT_ERROR);
	}
	buf_printf(text, "%s", "");	/* a text, even if it is empty */
	return there;
}

/* A file of what was handed in. */
static bool load(const char *name, struct buf *text)
{
	struct buf path = { 0 };
	bool there;

	buf_printf(&path, "%s/%s", dir, name);
	there = load_path(path.data, text);
	buf_free(&path);
	return there;
}

static int hints_taken(const struct grade *g, const char *name)
{
	const char *at = g->hints.data, *line;
	int taken_so_far = 0;
	size_t len;

	while (buf_next_line(&at, &line, &len))
		taken_so_far += len == strlen(name) && !strncasecmp(line, name, len);
	return taken_so_far < TRUTH_HINTS ? taken_so_far : TRUTH_HINTS;
}

static const char *answer_of(const struct grade *g, const struct truth_question *q)
{
	return q->kind == TRUTH_SEEN ? g->seen.data : answers_get(&g->answers, q->name);
}

static const char *guess_of(const struct grade *g, const struct truth_question *q)
{
	struct buf name = { 0 };
	const char *guess;

	buf_printf(&name, "%s%s", ANSWERS_GUESS, q->name);
	guess = answers_get(&g->guesses, name.data);
	buf_free(&name);
	return guess ? guess : "";
}

/* Is there a guess for each question? The seal in the guest does not know them. */
static bool is_guessed(const struct grade *g)
{
	int i;

	for (i = 0; i < g->truth.nr; i++)
		if (g->truth.question[i].kind != TRUTH_SEEN && !*guess_of(g, &g->truth.question[i]))
			return false;
	return true;
}

/* The answers: those of the folder, or others. */
static int take_answers(struct grade *g)
{
	struct buf path = { 0 }, text = { 0 };
	int line, status = EXIT_OK;

	if (answers)
		buf_printf(&path, "%s", answers);
	else
		buf_printf(&path, "%s/answers.txt", dir);
	load_path(path.data, &text);
	if (answers_parse(&g->answers, text.data, &line))
		status = msg_error("%s:%d: expected KEY=VALUE", path.data, line);
	buf_free(&path);
	buf_free(&text);
	return status;
}

/* What was handed in: answers, guesses, the recording as text, the ledger. */
static int take(struct grade *g, u64 token)
{
	struct buf guesses = { 0 }, counted = { 0 };
	struct truth_ledger ledger = { 0 };
	int line, status = take_answers(g);

	if (status)
		return status;
	g->sealed = load("guesses", &guesses) && answers_is_sealed(guesses.data, token);
	if (g->sealed)
		answers_parse(&g->guesses, guesses.data, &line);
	if (load("ledger", &counted) && answers_ledger(&ledger, counted.data, token, &line))
		return msg_error("%s/ledger:%d: expected what the lab has written there for this seed; delete the file and run the lab again",
				 dir, line);
	buf_printf(&g->seen, "%s", "");
	if (seen)
		load_path(seen, &g->seen);
	lab_truth(&g->truth, token, &ledger);
	g->sealed = g->sealed && is_guessed(g);
	buf_free(&guesses);
	buf_free(&counted);
	return EXIT_OK;
}

static void judge(struct grade *g)
{
	const struct truth_question *q;
	int i;

	for (i = 0; i < g->truth.nr; i++) {
		q = &g->truth.question[i];
		g->right[i] = truth_holds(q, answer_of(g, q));
		g->points[i] = g->right[i] ? truth_points(q, hints_taken(g, q->name)) : 0;
		g->sum += g->points[i];
		g->of += q->points;
	}
	g->sum += g->sealed ? SEAL_POINTS : 0;
	g->of += SEAL_POINTS;
}

static const char *shown_answer(const struct grade *g, int i)
{
	const struct truth_question *q = &g->truth.question[i];
	const char *answer = answer_of(g, q);

	if (q->kind == TRUTH_SEEN)
		return g->right[i] ? "it is seen" : *g->seen.data ? "it is not seen" : "";
	return answer ? answer : "";
}

/* A key of answers.txt that is no question's: it would count for nothing, and nobody knew. */
static void print_unknown(const char *key, const char *const *names)
{
	char small[sizeof(((struct answers *)0)->pair->key)];
	const char *name = answers_is_guess(key) ? key + strlen(ANSWERS_GUESS) : key, *near;
	size_t i;

	for (i = 0; name[i]; i++)
		small[i] = tolower((unsigned char)name[i]);
	small[i] = '\0';
	near = nearest_name(names, small);
	if (!near || strcmp(near, small))
		printf("answers.txt: '%s' is no question of this lab%s%s%s\n", key,
		       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void print_all_unknown(const struct grade *g)
{
	const char *names[TRUTH_QUESTIONS + 1] = { NULL };
	int i, nr = 0;

	for (i = 0; i < g->truth.nr; i++)
		if (g->truth.question[i].kind != TRUTH_SEEN)
			names[nr++] = g->truth.question[i].name;
	for (i = 0; i < g->answers.nr; i++)
		print_unknown(g->answers.pair[i].key, names);
}

static void print_table(const struct grade *g)
{
	const struct truth_question *q;
	int i, hints;

	printf("lab %s, seed %s\n\n%-12s %-20s %-20s %s\n", lab, seed, "question", "guess",
	       "answer", "points");
	for (i = 0; i < g->truth.nr; i++) {
		q = &g->truth.question[i];
		hints = hints_taken(g, q->name);
		printf("%-12s %-20s %-20s %2u of %2u%s", q->name, guess_of(g, q),
		       shown_answer(g, i), g->points[i], q->points, hints ? "" : "\n");
		if (hints)
			printf(", hints: %d\n", hints);
	}
	printf("%-12s %-20s %-20s %2u of %2u\n\npoints: %u of %u\n", "guesses", "",
	       g->sealed ? "sealed" : g->guesses.nr ? "not complete" : "not sealed",
	       g->sealed ? SEAL_POINTS : 0, SEAL_POINTS,
	       g->sum, g->of);
	print_all_unknown(g);
	for (i = 0; i < g->truth.nr; i++)
		if (!g->right[i] && g->truth.question[i].kind != TRUTH_SEEN)
			break;
	if (i < g->truth.nr)
		printf("a hint costs a fifth of a question's points: add HINT=%s\n",
		       g->truth.question[i].name);
}

static void print_json(const struct grade *g)
{
	struct json j = json_begin(stdout);
	const struct truth_question *q;
	int i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "lab", lab);
	json_text(&j, "seed", seed);
	json_u64(&j, "points", g->sum);
	json_u64(&j, "of", g->of);
	json_bool(&j, "sealed", g->sealed);
	json_array(&j, "questions", JSON_LINES);
	for (i = 0; i < g->truth.nr; i++) {
		q = &g->truth.question[i];
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "name", q->name);
		json_text(&j, "guess", guess_of(g, q));
		json_text(&j, "answer", shown_answer(g, i));
		json_bool(&j, "right", g->right[i]);
		json_u64(&j, "hints", hints_taken(g, q->name));
		json_u64(&j, "points", g->points[i]);
		json_u64(&j, "of", q->points);
		json_close(&j);
	}
	json_close(&j);
	json_end(&j);
}

/* What a student has chosen; a table program would compute what begins as a formula does. */
static void print_csv_chosen(struct csv *c, const char *text)
{
	csv_textf(c, "%s%s", *text && strchr("=+-@", *text) ? "'" : "", text);
}

/* A row of the teacher's table: the same columns for every lab. It begins with whose it is. */
static struct csv begin_row(void)
{
	struct csv c = csv_begin(stdout, NULL);

	print_csv_chosen(&c, student);
	print_csv_chosen(&c, lab);
	print_csv_chosen(&c, seed);
	return c;
}

static void print_csv(const struct grade *g)
{
	struct csv c = begin_row();
	struct buf wrong = { 0 };
	u64 hints = 0;
	int i;

	buf_printf(&wrong, "%s", "");
	for (i = 0; i < g->truth.nr; i++) {
		hints += hints_taken(g, g->truth.question[i].name);
		if (!g->right[i])
			buf_printf(&wrong, "%s%s", wrong.len ? " " : "", g->truth.question[i].name);
	}
	csv_u64(&c, g->sum);
	csv_u64(&c, g->of);
	csv_text(&c, g->sealed ? "yes" : "no");
	csv_u64(&c, hints);
	csv_text(&c, wrong.data);
	csv_end_line(&c);
	buf_free(&wrong);
}

/* A row of what cannot be graded, so that nobody is missing in the table. */
static void print_ungraded(void)
{
	struct csv c = begin_row();
	int i;

	for (i = 0; i < 4; i++)
		csv_empty(&c);
	csv_text(&c, "cannot be graded");
	csv_end_line(&c);
}

/* An answers.txt to be filled in. */
static void print_template(const struct grade *g)
{
	const struct truth_question *q;
	int i, guess;

	printf("# Lab %s: %s\n#\n# Guess first: what do you expect? The first run of kprof seals "
	       "the guesses.\n\n", lab, lab_title);
	for (guess = 1; guess >= 0; guess--) {
		if (!guess)
			printf("\n# What you have found. A recording that shows it, kprof.data, "
			       "belongs to the answers.\n\n");
		for (i = 0; i < g->truth.nr; i++) {
			q = &g->truth.question[i];
			if (q->kind == TRUTH_SEEN)
				continue;
			if (!guess)
				printf("# %s\n", q->text);
			printf("%s%s=\n", guess ? ANSWERS_GUESS : "", q->name);
		}
	}
}

static int refuse_hint(const struct grade *g)
{
	struct buf names = { 0 };
	int i, status;

	for (i = 0; i < g->truth.nr; i++)
		if (g->truth.question[i].hints[0])
			buf_printf(&names, "%s%s", names.len ? ", " : "",
				   g->truth.question[i].name);
	status = msg_error("HINT=%s: expected the name of a question: %s", hint_of, names.data);
	buf_free(&names);
	return status;
}

/* The next hint of a question that there is; then labs/run notes that it was taken. */
static int print_hint(const struct grade *g)
{
	const struct truth_question *q;
	int i, step;

	for (i = 0; i < g->truth.nr; i++) {
		q = &g->truth.question[i];
		if (strcasecmp(q->name, hint_of) || !q->hints[0])
			continue;
		step = hints_taken(g, q->name);
		if (step == TRUTH_HINTS || !q->hints[step])
			return msg_error("there is no further hint for '%s'", hint_of);
		printf("%s, hint %d: %s\n", q->name, step + 1, q->hints[step]);
		return EXIT_OK;
	}
	return refuse_hint(g);
}

static int run(int argc, char **argv)
{
	static struct grade g;
	/* Not an option: any user of the machine sees those. */
	const char *key = getenv("LABS_KEY");
	u64 token;
	int status;

	if (argc != 2)
		return msg_usage("expected LAB SEED");
	lab = argv[0];
	seed = argv[1];
	token = truth_token(key ? key : "", lab, seed);
	if (want_token) {
		printf("%016" PRIx64 "\n", token);
		return EXIT_OK;
	}
	if (boot) {
		puts(lab_append(token, boot));
		return EXIT_OK;
	}
	if (ungraded) {
		print_ungraded();
		return EXIT_OK;
	}
	buf_printf(&g.hints, "%s", taken);
	if (dir) {
		status = take(&g, token);
		if (status)
			return status;
	} else {
		lab_truth(&g.truth, token, &(struct truth_ledger){ 0 });
	}
	if (hint_of)
		return print_hint(&g);
	if (want_template) {
		print_template(&g);
		return EXIT_OK;
	}
	if (!dir)
		return msg_usage("expected --dir, --token, --template or --hint");
	judge(&g);
	if (want_json)
		print_json(&g);
	else if (want_csv)
		print_csv(&g);
	else
		print_table(&g);
	return EXIT_OK;
}

static const struct opt opts[] = {
	{ .letter = 'd', .name = "dir", .type = OPT_STRING, .value = &dir, .arg = "DIR",
	  .help = "What was handed in: answers.txt, guesses, ledger." },
	{ .name = "answers", .type = OPT_STRING, .value = &answers, .arg = "FILE",
	  .help = "The answers, instead of those that are there." },
	{ .name = "seen", .type = OPT_STRING, .value = &seen, .arg = "FILE",
	  .help = "What its recording shows, as text." },
	{ .name = "taken", .type = OPT_STRING, .value = &taken, .arg = "LINES",
	  .help = "The hints that were taken: names of questions." },
	{ .name = "student", .type = OPT_STRING, .value = &student, .arg = "NAME",
	  .help = "The first column of --csv." },
	{ .name = "token", .type = OPT_FLAG, .value = &want_token,
	  .help = "Print the token of the seed." },
	{ .name = "append", .type = OPT_LONG, .value = &boot, .arg = "BOOT",
	  .min = 1, .max = 2,
	  .help = "Print what its kernel is told when it boots for the first, or second, time." },
	{ .name = "template", .type = OPT_FLAG, .value = &want_template,
	  .help = "Print an answers.txt to be filled in." },
	{ .name = "hint", .type = OPT_STRING, .value = &hint_of, .arg = "QUESTION",
	  .help = "Print the next hint." },
	{ .name = "json", .type = OPT_FLAG, .value = &want_json, .help = "The grade as JSON." },
	{ .name = "csv", .type = OPT_FLAG, .value = &want_csv,
	  .help = "The grade as a row of CSV." },
	{ .name = "ungraded", .type = OPT_FLAG, .value = &ungraded,
	  .help = "That row of what cannot be graded; nothing is read." },
	{ 0 }
};

static const struct verb verb_grade = {
	.name = "grade",
	.args = "LAB SEED",
	.summary = "Check the answers to a lab.",
	.details = "Tokens follow from lab and seed, and from the text in LABS_KEY, if there is one.\n",
	.opts = opts,
	.run = run,
};

int main(int argc, char **argv)
{
	int status;

	escape_begin();
	status = opt_run_verb(&verb_grade, argc, argv);
	return escape_end() ? EXIT_ERROR : status;
}
