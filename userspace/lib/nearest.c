// SPDX-License-Identifier: GPL-2.0-only
/*
 * nearest.c - find the name that a misspelt one was probably meant to be
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/nearest.h"

#define LONGEST	63	/* longer names are not compared */

/* Letters are dropped, added or swapped more often than mistaken for others, the first rarely. */
#define ADDED		2
#define MISTAKEN	3
#define MISTAKEN_FIRST	5

/* A word of which only the beginning is right, or that ends too early. */
#define BEGINS		4
#define BEGINNING_MIN	3
#define BEGINNING_MORE	6

static int least(int a, int b, int c)
{
	int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* What it costs to take letter @i of @a for letter @j of @b, counted from 1. */
static int mistake(const char *a, int i, const char *b, int j)
{
	if (a[i - 1] == b[j - 1])
		return 0;
	return i == 1 && j == 1 ? MISTAKEN_FIRST : MISTAKEN;
}

/* Damerau-Levenshtein distance (optimal string alignment: no letter is swapped twice), weighted. */
static int edits(const char *a, int len_a, const char *b, int len_b)
{
	int d[3][LONGEST + 1], i, j;

	for (j = 0; j <= len_b; j++)
		d[0][j] = j * ADDED;
	for (i = 1; i <= len_a; i++) {
		int *now = d[i % 3], *before = d[(i + 2) % 3], *earlier = d[(i + 1) % 3];

		now[0] = i * ADDED;
		for (j = 1; j <= len_b; j++) {
			now[j] = least(before[j] + ADDED, now[j - 1] + ADDED,
				       before[j - 1] + mistake(a, i, b, j));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    earlier[j - 2] + ADDED < now[j])
				now[j] = earlier[j - 2] + ADDED;
		}
	}
	return d[len_a % 3][len_b];
}

/* How far a name may be from one of @len letters: almost every short word is near to another. */
static int farthest(int len)
{
	return len <= 3 ? ADDED : len <= 5 ? MISTAKEN : len <= 11 ? ADDED + MISTAKEN :
	       2 * ADDED + MISTAKEN;
}

static bool is_beginning(const char *name, int len, const char *typed, int typed_len)
{
	int shorter = len < typed_len ? len : typed_len;

	return shorter >= BEGINNING_MIN && abs(len - typed_len) <= BEGINNING_MORE &&
	       !strncmp(name, typed, shorter);
}

int nearest_distance(const char *name, const char *typed)
{
	int len = strlen(name), typed_len = strlen(typed), most = farthest(typed_len), d = INT_MAX;

	if (len > LONGEST || typed_len > LONGEST)
		return INT_MAX;
	if (abs(len - typed_len) * ADDED <= most)
		d = edits(name, len, typed, typed_len);
	if (d > most)
		d = is_beginning(name, len, typed, typed_len) ? BEGINS : INT_MAX;
	return d;
}

const char *nearest_name(const char *const *names, const char *typed)
{
	const char *best = NULL;
	int least_far = INT_MAX, d;

	for (; *names; names++) {
		d = nearest_distance(*names, typed);
		if (d < least_far) {
			least_far = d;
			best = *names;
		}
	}
	return best;
}
