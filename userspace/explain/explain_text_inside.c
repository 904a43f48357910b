// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_text_inside.c - print in which callee a function is slow, and the command to look closer
 */
#include <string.h>

#include "explain/explain.h"
#include "lib/plural.h"

void explain_print_next(const struct explain_again *again, const char *verb, const char *words,
			bool same, FILE *out)
{
	bool net = again->net && (!strcmp(verb, "lat") || !strcmp(verb, "explain"));

	fprintf(out, "kprof %s %s%s%s%s%s\n", verb, words,
		same && again->filters ? again->filters : "",
		again->options ? again->options : "", net ? " --net" : "",
		again->command ? again->command : "");
}

/* The way inward where the samples of a call, not keys, have to tell. */
static void print_longest_calls(const struct explain_inside *in, const char *function,
				const struct explain_again *again, FILE *out)
{
	struct buf words = { 0 };

	fputs("each of the longest calls by itself:\n", out);
	buf_printf(&words, "%s by=caller,comm min=%.0fns", function, in->p99);
	explain_print_next(again, "trace", words.data, false, out);
	buf_free(&words);
}

/* Calls so long that are all alike most likely wait: what a call does rarely takes so long. */
#define LONG_NS		1e6

/* No call is longer than others, so that none tells more by itself. */
static void print_even(const struct explain_inside *in, const char *function,
		       const struct explain_again *again, FILE *out)
{
	if (in->p50 < LONG_NS) {
		fprintf(out, "no call of %s is slow to speak of: only %.1f %% of their time is above "
			"the median;\n", function, 100 * in->excess);
		print_longest_calls(in, function, again, out);
		return;
	}
	fprintf(out, "all calls of %s take about %.4g ms: only %.1f %% of their time is above the "
		"median;\nif they wait, where:\n", function, in->p50 / 1e6, 100 * in->excess);
	explain_print_next(again, "offcpu", "--stacks", false, out);
}

void explain_print_no_callees(const char *function, const struct explain_again *again, FILE *out)
{
	fprintf(out, "#\nno function that %s calls can be watched; how often each part of its code "
		"ran:\n", function);
	explain_print_next(again, "blocks", function, false, out);
}

void explain_print_inside(const struct explain_inside *in, bool found, const char *function,
			  const struct explain_again *again, FILE *out)
{
	const struct explain_callee *first = &in->callee[0];
	int i;

	fputs("#\n", out);
	if (found) {
		fprintf(out, "where %s is slow, it is in %s, which it calls: %.0f %% of the time above "
			"the median;\n", function, first->function, 100 * first->share);
	} else if (!in->calls) {
		fprintf(out, "%s was not called in the last round: what it calls is not known\n",
			function);
	} else if (!in->is_slow) {
		print_even(in, function, again, out);
	} else {
		fputs("no function that it calls has half of the slow calls' time", out);
		for (i = 0; i < in->nr; i++)
			fprintf(out, "%s%s %.0f %%", i ? ", " : ": ", in->callee[i].function,
				100 * in->callee[i].share);
		fputs(in->nr ? "; the largest:\n" : "; ", out);
	}
	if (in->nr)
		explain_print_next(again, "explain", first->function, false, out);
	else if (in->is_slow)
		print_longest_calls(in, function, again, out);
}

/* --- the chain --- */

/* "f, with $arg2=3, $arg3=5 and 1 other value," */
static void print_whose(const struct explain_finding *f, const char *function, FILE *out)
{
	int others = f->worst.nr - 1;

	fprintf(out, "%s, with ", function);
	explain_print_values(f, &f->worst.value[0], out);
	if (others)
		fprintf(out, " and %d other value%s", others, plural(others));
	fputc(',', out);
}

/* Why it was not followed further, and the next command. */
static void print_end(const struct explain_chain *chain, const char *last, bool same,
		      const struct explain_again *again, FILE *out)
{
	const char *verb = "explain";

	switch (chain->end) {
	case EXPLAIN_GOES_ON:
		fputs("interrupted before it was followed further:\n", out);
		break;
	case EXPLAIN_TOO_DEEP:
		fprintf(out, "what %s calls was not looked at:\n", last);
		break;
	case EXPLAIN_NO_CALLEES:
		fprintf(out, "no function that %s calls can be watched; how often each part of its "
			"code ran:\n", last);
		verb = "blocks";
		break;
	case EXPLAIN_NO_CALLEE:
		fprintf(out, "no function that %s calls has half of that%s%s; how often each part of "
			"its code ran:\n", last, chain->others.len ? ": " : "",
			chain->others.len ? chain->others.data : "");
		verb = "blocks";
		break;
	case EXPLAIN_NOT_SURE:
		fprintf(out, "that may be in %s, but as many calls with other values took as long by chance, so "
			"it is not sure;\nmeasure again, for longer (-d), or look there:\n",
			chain->others.data);
		last = chain->others.data;
		same = false;
		break;
	case EXPLAIN_NOT_AGAIN:
		fprintf(out, "such calls took no longer than others in round %d, so that it could not be "
			"followed further:\n", chain->round);
		break;
	case EXPLAIN_ELSEWHERE:
		fprintf(out, "%s is called from elsewhere, too, so that it was not followed further:\n",
			last);
		break;
	}
	explain_print_next(again, verb, last, same && !strcmp(verb, "explain"), out);
}

void explain_print_chain(const struct explain_chain *chain, const struct explain_finding *f,
			 const char *function, const struct explain_again *again, FILE *out)
{
	const struct explain_step *last = chain->nr ? &chain->step[chain->nr - 1] : NULL;
	int i;

	fputs("#\n", out);
	print_whose(f, function, out);
	if (last) {
		fputs(" is slow in ", out);
		for (i = 0; i < chain->nr; i++)
			fprintf(out, "%s%s", i ? " -> " : "", chain->step[i].function);
		fprintf(out, ", called at %s: %.0f %%\nof what these calls take longer than others\n",
			last->place, 100 * last->share);
	} else {
		fputs(" is slow:\n", out);
	}
	print_end(chain, last ? last->function : function, !last, again, out);
}
