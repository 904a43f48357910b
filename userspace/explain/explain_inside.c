// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_inside.c - is it one of the functions that a function calls that makes it slow?
 *
 * What a call takes above the median of its function is its excess. If the excess of what is called
 * from there adds up to most of the function's own, its slow calls are slow in there.
 */
#include <string.h>

#include "explain/explain.h"

/* One that has less is not named at all. */
#define LEAST_SHARE	0.05

/* Of a function whose excess is a smaller part of its time no call is slow to speak of. */
#define LEAST_EXCESS	0.05

static double excess_of(const struct lat_row *row, double median)
{
	double low, high, sum = 0;
	size_t i;

	for (i = 0; i < row->nr_buckets; i++) {
		lat_bucket_bounds(row, &row->bucket[i], &low, &high);
		if ((low + high) / 2 > median)
			sum += row->bucket[i].calls * ((low + high) / 2 - median);
	}
	return sum;
}

/* NAME+0xOFFSET, perhaps with a module behind it. */
bool explain_is_called_by(const struct lat_row *row, const char *function)
{
	const char *colon = strchr(function, ':'), *name = colon ? colon + 1 : function;
	const char *context = row->context;
	size_t len = strlen(name);
	struct lat_key key;

	return lat_next_key(&context, &key) && key.len > len && !strncmp(key.value, name, len) &&
	       key.value[len] == '+';
}

void explain_inside_keep(struct explain_inside *in, const struct explain_callee *callee)
{
	int at;

	if (callee->calls < EXPLAIN_FEW || callee->share < LEAST_SHARE)
		return;
	at = in->nr < EXPLAIN_SHOWN ? in->nr++ : EXPLAIN_SHOWN - 1;
	if (at == EXPLAIN_SHOWN - 1 && in->callee[at].function &&
	    in->callee[at].share >= callee->share)
		return;
	for (; at && in->callee[at - 1].share < callee->share; at--)
		in->callee[at] = in->callee[at - 1];
	in->callee[at] = *callee;
}

/* The calls of one callee from all places of the function. */
static void add_callee(struct explain_inside *in, const struct lat_table *t, size_t first,
		       double excess, const char *function)
{
	struct explain_callee callee = { .function = t->row[first].target };
	double sum = 0, median = 0;
	uint64_t most = 0;
	size_t i;

	for (i = first; i < t->nr; i++) {
		const struct lat_row *row = &t->row[i];

		if (strcmp(row->target, callee.function) || !explain_is_called_by(row, function))
			continue;
		callee.calls += row->calls;
		if (row->calls <= most)
			continue;
		most = row->calls;
		median = row->p50;
	}
	for (i = first; i < t->nr; i++)
		if (!strcmp(t->row[i].target, callee.function) &&
		    explain_is_called_by(&t->row[i], function))
			sum += excess_of(&t->row[i], median);
	callee.share = sum < excess ? sum / excess : 1;
	explain_inside_keep(in, &callee);
}

static bool is_first(const struct lat_table *t, size_t row)
{
	size_t i;

	for (i = 0; i < row; i++)
		if (!strcmp(t->row[i].target, t->row[row].target))
			return false;
	return true;
}

bool explain_inside_find(struct explain_inside *in, const struct lat_table *t,
			 const char *function)
{
	const struct lat_row *whole = lat_find(t, function, "-");
	double excess;
	size_t i;

	*in = (struct explain_inside){ .calls = whole ? whole->calls : 0 };
	if (!whole)
		return false;
	excess = excess_of(whole, whole->p50);
	in->p50 = whole->p50;
	in->p99 = whole->p99;
	in->excess = whole->total ? excess / whole->total : 0;
	in->is_slow = in->excess >= LEAST_EXCESS;
	for (i = 0; in->is_slow && i < t->nr; i++)
		if (is_first(t, i))
			add_callee(in, t, i, excess, function);
	return in->nr && in->callee[0].share >= EXPLAIN_MOST;
}
