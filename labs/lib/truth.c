// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - questions, and predicates on answers: words, numbers with a tolerance, names seen
 */
#include <ctype.h>
#include <math.h>
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

const char **truth_between(struct truth *t, const char *name, unsigned int points,
			   const char *text, double one, double other, double tolerance,
			   const char *unit)
{
	return truth_near(t, name, points, text, (one + other) / 2,
			  tolerance + fabs(one - other) / 2, unit);
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

/* Is this the comma of "50,000" or "1,234,567.8", not that of "30,5" or "0,390"? */
static bool is_of_thousands(const char *number, const char *comma)
{
	return strspn(comma + 1, DIGITS) == 3 && strspn(number, "+-0") != (size_t)(comma - number);
}

/* As people write them: groups of three digits may be apart, and a comma may be a point. */
static void write_plainly(char *to, const char *answer)
{
	const char *number = answer;
	size_t len = 0;

	for (; *answer; answer++) {
		if (*answer != ',')
			to[len++] = *answer;
		else if (!is_of_thousands(number, answer))
			to[len++] = '.';
	}
	to[len] = '\0';
}

static bool is_quote(char c) { return c == '`' || c == '\'' || c == '"'; }

/* An answer being read: as it is written, and without what is written around it. */
struct piece {
	const char *from, *end;
};

static size_t length(const struct piece *p) { return p->end - p->from; }

/* Blanks and quotes around it say nothing. */
static void trim(struct piece *p)
{
	while (p->from < p->end && (*p->from == ' ' || is_quote(*p->from)))
		p->from++;
	while (p->from < p->end && (p->end[-1] == ' ' || is_quote(p->end[-1])))
		p->end--;
}

static struct piece piece_of(const char *text)
{
	struct piece p = { text, text + strlen(text) };

	trim(&p);
	return p;
}

static bool starts_with(const struct piece *p, const char *word)
{
	return length(p) >= strlen(word) && !strncasecmp(p->from, word, strlen(word));
}

static bool is_same(const struct piece *p, const char *word)
{
	return length(p) == strlen(word) && starts_with(p, word);
}

/* What kinds of number can stand behind another, and how many of the question's unit they are. */
static const struct {
	const char *unit, *name;
	double factor;
} units[] = {
	{ "%", "%", 1 }, { "%", "percent", 1 }, { "%", "per cent", 1 },
	{ "bytes", "b", 1 }, { "bytes", "byte", 1 }, { "bytes", "bytes", 1 },
	{ "bytes", "k", 1024 }, { "bytes", "kb", 1024 }, { "bytes", "kib", 1024 },
	{ "bytes", "m", 1048576 }, { "bytes", "mb", 1048576 }, { "bytes", "mib", 1048576 },
	{ "mib", "k", 1 / 1024.0 }, { "mib", "kb", 1 / 1024.0 }, { "mib", "kib", 1 / 1024.0 },
	{ "mib", "m", 1 }, { "mib", "mb", 1 }, { "mib", "mib", 1 },
	{ "ms", "ns", 0.000001 },
	{ "ms", "us", 0.001 }, { "ms", "usec", 0.001 },
	{ "ms", "\u00b5s", 0.001 }, { "ms", "\u03bcs", 0.001 },	/* micro sign, Greek letter */
	{ "ms", "msec", 1 }, { "ms", "millisecond", 1 }, { "ms", "milliseconds", 1 },
	{ "ms", "s", 1000 }, { "ms", "sec", 1000 }, { "ms", "second", 1000 },
	{ "ms", "seconds", 1000 },
};

/*
 * What a number that has no unit is of: "102 threads", "11 slabs", "53000 instructions", which are
 * nanoseconds where they are counted. No factor that could stand behind a number is as long.
 */
static bool is_noun(const struct piece *unit)
{
	const char *c;

	for (c = unit->from; c < unit->end; c++)
		if (!isalpha((unsigned char)*c))
			return false;
	return is_same(unit, "ns") || length(unit) > strlen("msec");
}

/* What a number with that behind it is to be multiplied by; 0: that is no unit of it. */
static double factor_of(const struct truth_question *q, const struct piece *unit)
{
	size_t i;

	if (!length(unit) || is_same(unit, q->unit) || (!*q->unit && is_noun(unit)))
		return 1;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcasecmp(units[i].unit, q->unit) && is_same(unit, units[i].name))
			return units[i].factor;
	return 0;
}

/*
 * A number, perhaps about ("~"), and perhaps its unit, with or without a blank; one that is a noun,
 * as in "sector 8", may stand in front.
 */
static bool parse(const struct truth_question *q, const char *text, double *number)
{
	struct piece given = piece_of(text), unit;
	char plain[NUMBER_LENGTH], number_text[NUMBER_LENGTH];
	const char *answer = plain;
	double factor;

	if (starts_with(&given, "~"))
		given.from++;
	else if (*q->unit && starts_with(&given, q->unit))
		given.from += strlen(q->unit);
	trim(&given);
	if (length(&given) >= sizeof(number_text))
		return false;
	memcpy(number_text, given.from, length(&given));
	number_text[length(&given)] = '\0';
	write_plainly(plain, number_text);
	if (!number_take_real(&answer, number))
		return false;
	unit = piece_of(answer);
	factor = factor_of(q, &unit);
	*number *= factor;
	return factor != 0;
}

static bool is_separator(char c) { return c == ' ' || c == '-' || c == '_'; }

static bool has_letter(const struct piece *p)
{
	const char *c;

	for (c = p->from; c < p->end && !isalpha((unsigned char)*c); c++)
		;
	return c < p->end;
}

/*
 * Is it that word? Upper and lower case are the same; so are "hardirq", "hard irq" and "hard-irq":
 * what separates two parts may be missing, unless these are numbers.
 */
static bool is_word(struct piece given, struct piece word)
{
	bool joins = has_letter(&given) && has_letter(&word);
	const char *begin = given.from, *word_begin = word.from;

	for (;; given.from++, word.from++) {
		while (joins && given.from > begin && given.from + 1 < given.end &&
		       is_separator(*given.from))
			given.from++;
		while (joins && word.from > word_begin && word.from + 1 < word.end &&
		       is_separator(*word.from))
			word.from++;
		if (given.from == given.end || word.from == word.end)
			return given.from == given.end && word.from == word.end;
		if (tolower((unsigned char)*given.from) != tolower((unsigned char)*word.from))
			return false;
	}
}

static bool is_one_of(const struct piece *given, const char *words)
{
	struct piece word;

	for (; *words; words = word.end) {
		word.from = words + strspn(words, " ");
		word.end = word.from + strcspn(word.from, " ");
		if (length(given) && length(&word) && is_word(*given, word))
			return true;
	}
	return false;
}

/* The last such character, if it is not the first; or NULL. */
static const char *last(const struct piece *p, char c)
{
	const char *at;

	for (at = p->end; at > p->from + 1; at--)
		if (at[-1] == c)
			return at - 1;
	return NULL;
}

/* A name as modules, programs and fields have it, from one place to another. */
static bool is_name(const char *from, const char *end)
{
	if (from == end || isdigit((unsigned char)*from))
		return false;
	for (; from < end; from++)
		if (!isalnum((unsigned char)*from) && !strchr("_-$.", *from))
			return false;
	return true;
}

/* "name()"; or, in brackets, "ENOMEM (-12)", the same once more, or "birch (pid 105)". */
static bool drop_note(struct piece *p, const char *words)
{
	const char *open = last(p, '(');
	struct piece note;

	if (!open || p->end[-1] != ')')
		return false;
	note = (struct piece){ open + 1, p->end - 1 };
	trim(&note);
	if (length(&note) && !is_one_of(&note, words)) {
		if (!starts_with(&note, "pid ") && !starts_with(&note, "tid "))
			return false;
		for (note.from += 4; note.from < note.end; note.from++)
			if (!isdigit((unsigned char)*note.from))
				return false;
	}
	p->end = open;
	return true;
}

/* "name [MODULE]": which module is not asked. */
static bool drop_module_behind(struct piece *p)
{
	const char *open = last(p, '[');

	if (!open || p->end[-1] != ']' || !is_name(open + 1, p->end - 1))
		return false;
	p->end = open;
	return true;
}

/* "MODULE:name", or "key=name". */
static bool drop_front(struct piece *p, char c)
{
	const char *at = memchr(p->from, c, length(p));

	if (!at || !is_name(p->from, at))
		return false;
	p->from = at + 1;
	return true;
}

static const char *skip_hex(const char *from, const char *end)
{
	if (end - from < 3 || strncmp(from, "0x", 2))
		return NULL;
	for (from += 2; from < end && isxdigit((unsigned char)*from); from++)
		;
	return from;
}

/* "name+0x46d", or "name+0x46d/0x500": a place in it. */
static bool drop_offset(struct piece *p)
{
	const char *plus = last(p, '+'), *at;

	at = plus ? skip_hex(plus + 1, p->end) : NULL;
	if (at && at < p->end && *at == '/')
		at = skip_hex(at + 1, p->end);
	if (at != p->end)
		return false;
	p->end = plus;
	return true;
}

/* A system call's name has another in front in the kernel, which depends on the architecture. */
static bool drop_call(struct piece *p)
{
	static const char *const fronts[] = { "__x64_sys_", "__arm64_sys_", "__do_sys_" };
	size_t i;

	for (i = 0; i < sizeof(fronts) / sizeof(*fronts); i++) {
		if (!starts_with(p, fronts[i]))
			continue;
		p->from += strlen(fronts[i]);
		return true;
	}
	return false;
}

/* "[name]", as ps prints a task of the kernel's own. */
static bool drop_brackets(struct piece *p)
{
	if (length(p) < 3 || *p->from != '[' || p->end[-1] != ']')
		return false;
	p->from++;
	p->end--;
	return true;
}

/* "kworker/0:1-events": which worker it was, and what it did last, is not asked. */
static bool drop_worker(struct piece *p)
{
	static const char front[] = "kworker/";
	const char *c;

	if (!starts_with(p, front))
		return false;
	for (c = p->from + strlen(front); c < p->end; c++)
		if (!isalnum((unsigned char)*c) && !strchr(":+-_", *c))
			return false;
	p->end = p->from + strlen("kworker");
	return true;
}

/* Is it one of the words, bare or as kprof and others print it? A list of several never is. */
static bool is_right_word(const char *answer, const char *words)
{
	struct piece p = piece_of(answer);

	while (!is_one_of(&p, words)) {
		if (!drop_note(&p, words) && !drop_module_behind(&p) && !drop_offset(&p) &&
		    !drop_brackets(&p) && !drop_worker(&p) &&
		    !drop_front(&p, ':') && !drop_front(&p, '=') && !drop_call(&p))
			return false;
		trim(&p);
	}
	return true;
}

bool truth_holds(const struct truth_question *q, const char *answer)
{
	double number;

	if (!answer || !*answer)
		return false;
	switch (q->kind) {
	case TRUTH_WORD:
		return is_right_word(answer, q->words);
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
