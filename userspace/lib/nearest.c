// SPDX-License-Identifier: GPL-2.0-only
/*
 * nearest.c - find the name that a misspelt one was probably meant to be
 */
#include <stdlib.h>
#include <string.h>

#include "lib/nearest.h"

#define LONGEST	63	/* longer names are not compared */

static int least(int a, int b, int c)
{
	int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Damerau-Levenshtein distance (optimal string alignment: no letter is swapped twice). */
static int edits(const char *a, int len_a, const char *b, int len_b)
{
	int d[3][LONGEST + 1], i, j;

	for (j = 0; j <= len_b; j++)
		d[0][j] = j;
	for (i = 1; i <= len_a; i++) {
		int *now = d[i % 3], *before = d[(i + 2) % 3], *earlier = d[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= len_b; j++) {
			now[j] = least(before[j] + 1, now[j - 1] + 1,
				       before[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    earlier[j - 2] + 1 < now[j])
				now[j] = earlier[j - 2] + 1;
		}
	}
	return d[len_a % 3][len_b];
}

int nearest_distance(const char *name, const char *typed)
{
	int len = strlen(name), typed_len = strlen(typed), most = typed_len / 4 + 1, d;

	if (len > LONGEST || typed_len > LONGEST || abs(len - typed_len) > most)
		return INT_MAX;
	d = edits(name, len, typed, typed_len);
	return d <= most ? d : INT_MAX;
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
