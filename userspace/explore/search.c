// SPDX-License-Identifier: GPL-2.0-only
/*
 * search.c - which values to try next, and which tries are enough
 *
 * Every second try is at an edge of a hole: ends of ranges, numbers that the code has in it, powers
 * of two. The others change one or two values of a try that reached something new, as fuzzers do.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/search.h"
#include "lib/mem.h"
#include "lib/random.h"

#define ATTEMPTS	1000	/* to find values that have not been tried */
#define NEAR		16	/* how far a value near another one is from it at most */

/* --- edges --- */

static bool is_within(const struct hole *hole, int64_t value)
{
	return value >= hole->first && value <= hole->last;
}

static void add_edge(struct search *s, uint32_t hole, size_t *room, int64_t value)
{
	uint32_t i;

	for (i = 0; i < s->nr_edges[hole]; i++)
		if (s->edge[hole][i] == value)
			return;
	s->edge[hole] = mem_grow(s->edge[hole], room, s->nr_edges[hole] + 1, sizeof(value));
	s->edge[hole][s->nr_edges[hole]++] = value;
}

/* A value and its neighbours, as comparisons are off by one. */
static void add_edges(struct search *s, uint32_t hole, size_t *room, int64_t value)
{
	int64_t near;
	int step;

	for (step = -1; step <= 1; step++)
		if (!__builtin_add_overflow(value, step, &near) &&
		    is_within(&s->holes->hole[hole], near))
			add_edge(s, hole, room, near);
}

/* The most promising ones first. */
static void find_edges(struct search *s, uint32_t hole, const int64_t *constant, size_t nr)
{
	const struct hole *h = &s->holes->hole[hole];
	size_t room = 0, k;
	int64_t i;

	if (h->text) {
		s->edge[hole] = mem_zalloc(h->last + 1, sizeof(*s->edge[hole]));
		for (i = 0; i <= h->last; i++)
			s->edge[hole][i] = i;
		s->nr_edges[hole] = h->last + 1;
		return;
	}
	add_edge(s, hole, &room, h->first);
	add_edge(s, hole, &room, h->last);
	for (k = 0; k < nr; k++)
		add_edges(s, hole, &room, constant[k]);
	for (i = 1; i > 0 && i <= INT64_MAX / 2; i *= 2) {
		add_edges(s, hole, &room, i);
		add_edges(s, hole, &room, -i);
	}
}

void search_begin(struct search *s, const int64_t *constant, size_t nr_constants)
{
	uint32_t i;

	s->random = s->seed;
	s->ways = holes_ways(s->holes);
	for (i = 0; i < s->holes->nr; i++)
		find_edges(s, i, constant, nr_constants);
}

/* --- values --- */

static int64_t some_edge(struct search *s, uint32_t hole)
{
	return s->edge[hole][random_below(&s->random, s->nr_edges[hole])];
}

static int64_t anything(struct search *s, uint32_t hole)
{
	const struct hole *h = &s->holes->hole[hole];
	uint64_t span = hole_span(h), number = random_next(&s->random);

	/* Small ones more often: as many of each number of bits. */
	if (random_next(&s->random) & 1)
		number >>= random_below(&s->random, 64);
	return (int64_t)((uint64_t)h->first + (span == UINT64_MAX ? number : number % (span + 1)));
}

/* A value near another one, or twice or half of it; itself if that is outside of the hole. */
static int64_t near(struct search *s, uint32_t hole, int64_t value)
{
	uint64_t kind = random_below(&s->random, 4);
	int64_t step = (int64_t)random_below(&s->random, NEAR) + 1, result;
	bool is_over = false;

	if (kind < 2)
		is_over = __builtin_add_overflow(value, kind ? step : -step, &result);
	else if (kind == 2)
		is_over = __builtin_mul_overflow(value, (int64_t)2, &result);
	else
		result = value / 2;
	return is_over || !is_within(&s->holes->hole[hole], result) ? value : result;
}

static void change(struct search *s, int64_t *value, uint32_t hole)
{
	const struct hole *h = &s->holes->hole[hole];
	int64_t other;

	switch (random_below(&s->random, 4)) {
	case 0:
		value[hole] = some_edge(s, hole);
		break;
	case 1:
		value[hole] = near(s, hole, value[hole]);
		break;
	case 2:
		/* Code may compare two values with each other. */
		other = value[random_below(&s->random, s->holes->nr)];
		value[hole] = is_within(h, other) ? other : some_edge(s, hole);
		break;
	default:
		value[hole] = anything(s, hole);
	}
}

/* A try that reached something new, the later the more often, with changes. */
static void mutate(struct search *s, int64_t *value)
{
	uint64_t a = random_below(&s->random, s->nr_kept);
	uint64_t b = random_below(&s->random, s->nr_kept);
	const struct search_try *base = &s->tried[s->kept[a > b ? a : b]];

	memcpy(value, base->value, s->holes->nr * sizeof(*value));
	do
		change(s, value, random_below(&s->random, s->holes->nr));
	while (!random_below(&s->random, 4));
}

/* The next edge of a hole that has one left, and edges of the others. */
static bool take_edge(struct search *s, int64_t *value)
{
	uint32_t i, hole = 0;

	for (i = 0; i < s->holes->nr; i++) {
		value[i] = s->nr ? some_edge(s, i) : s->holes->hole[i].first;
		/* Of all holes as many, as far as there are. */
		if (s->next_edge[hole] == s->nr_edges[hole] ||
		    (s->next_edge[i] < s->nr_edges[i] && s->next_edge[i] < s->next_edge[hole]))
			hole = i;
	}
	if (s->next_edge[hole] == s->nr_edges[hole])
		return false;
	/* The first try has all holes at their first edge. */
	if (s->nr)
		value[hole] = s->edge[hole][s->next_edge[hole]];
	s->next_edge[hole]++;
	return true;
}

/* The @nr-th way to fill the holes. */
static void take_way(const struct search *s, int64_t *value, uint64_t nr)
{
	uint32_t i;

	for (i = 0; i < s->holes->nr; i++) {
		uint64_t values = hole_span(&s->holes->hole[i]) + 1;

		value[i] = (int64_t)((uint64_t)s->holes->hole[i].first + nr % values);
		nr /= values;
	}
}

static bool is_tried(const struct search *s, const int64_t *value)
{
	uint32_t i;

	for (i = 0; i < s->nr; i++)
		if (!memcmp(s->tried[i].value, value, s->holes->nr * sizeof(*value)))
			return true;
	return false;
}

static bool choose(struct search *s, int64_t *value)
{
	uint32_t attempt, i;

	if (s->ways <= s->max_tries) {
		take_way(s, value, s->nr);
		return true;
	}
	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		if (s->nr_kept && (s->nr + attempt) % 2)
			mutate(s, value);
		else if (!take_edge(s, value))
			for (i = 0; i < s->holes->nr; i++)
				value[i] = anything(s, i);
		if (!is_tried(s, value))
			return true;
	}
	return false;
}

const int64_t *search_next(struct search *s)
{
	int64_t *value;

	s->is_complete = s->nr == s->ways;
	if (s->nr == s->max_tries || s->is_complete)
		return NULL;
	value = mem_zalloc(s->holes->nr, sizeof(*value));
	if (!choose(s, value)) {
		free(value);
		return NULL;
	}
	s->tried = mem_grow(s->tried, &s->room, s->nr + 1, sizeof(*s->tried));
	s->tried[s->nr] = (struct search_try){ .value = value };
	s->is_trying = true;
	return value;
}

/* --- results --- */

static void add_all(struct features *to, const struct features *from)
{
	uint32_t i;

	for (i = 0; i < 64 * from->nr_words; i++)
		if (features_have(from, i))
			features_add(to, i);
}

void search_take(struct search *s, struct features *reached, int status, bool is_late)
{
	struct search_try *t = &s->tried[s->nr];

	t->reached = *reached;
	*reached = (struct features){ .nr_words = 0 };
	t->status = status;
	t->is_late = is_late;
	t->nr_new = features_beyond(&t->reached, &s->reached);
	add_all(&s->reached, &t->reached);
	if (t->nr_new) {
		s->kept = mem_grow(s->kept, &s->kept_room, s->nr_kept + 1, sizeof(*s->kept));
		s->kept[s->nr_kept++] = s->nr;
	}
	s->nr++;
	s->is_trying = false;
	s->is_complete = s->nr == s->ways;
}

static int by_number(const void *va, const void *vb)
{
	uint32_t a = *(const uint32_t *)va, b = *(const uint32_t *)vb;

	return (a > b) - (a < b);
}

uint32_t *search_cover(const struct search *s, uint32_t *nr)
{
	uint32_t *chosen = mem_zalloc(s->nr + 1, sizeof(*chosen));
	struct features covered = { .nr_words = 0 };
	uint32_t i, best, most, gain;

	for (*nr = 0; ; ++*nr) {
		for (i = 0, most = 0, best = 0; i < s->nr; i++) {
			gain = features_beyond(&s->tried[i].reached, &covered);
			if (gain > most) {
				most = gain;
				best = i;
			}
		}
		if (!most)
			break;
		chosen[*nr] = best;
		add_all(&covered, &s->tried[best].reached);
	}
	features_free(&covered);
	qsort(chosen, *nr, sizeof(*chosen), by_number);
	return chosen;
}

void search_free(struct search *s)
{
	uint32_t i;

	for (i = 0; i < s->nr + s->is_trying; i++) {
		free(s->tried[i].value);
		features_free(&s->tried[i].reached);
	}
	for (i = 0; i < HOLES_MAX; i++)
		free(s->edge[i]);
	features_free(&s->reached);
	free(s->tried);
	free(s->kept);
	*s = (struct search){ .nr = 0 };
}
