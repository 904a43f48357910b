/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * search.h - which values to try next, and which tries are enough to reach all that was reached
 *
 * What can be reached has numbers: features. The search knows nothing of what they stand for.
 */
#ifndef KPROF_EXPLORE_SEARCH_H
#define KPROF_EXPLORE_SEARCH_H

#include "explore/holes.h"

/* A set of features. Zero-initialise; features_free(). */
struct features {
	uint64_t *word;
	size_t nr_words;
};

void features_add(struct features *set, uint32_t feature);
bool features_have(const struct features *set, uint32_t feature);
uint32_t features_count(const struct features *set);
/* How many are in @set, and not in @other. */
uint32_t features_beyond(const struct features *set, const struct features *other);
void features_free(struct features *set);

struct search_try {
	int64_t *value;			/* by hole */
	struct features reached;
	uint32_t nr_new;		/* that no try before it reached */
	int status;			/* of the command, as a shell has it */
	bool is_late;			/* it did not end in time */
};

/* Zero-initialise; set the first three. */
struct search {
	const struct holes *holes;
	uint64_t seed;
	uint32_t max_tries;		/* at least 1 */
	struct search_try *tried;	/* all of them, in order */
	uint32_t nr;
	struct features reached;	/* by any of them */
	bool is_complete;		/* all ways to fill the holes were tried */
	/* Private from here on. */
	size_t room;
	bool is_trying;			/* search_take() is next */
	uint64_t random;
	uint64_t ways;
	int64_t *edge[HOLES_MAX];	/* values that are worth a try */
	uint32_t nr_edges[HOLES_MAX], next_edge[HOLES_MAX];
	uint32_t *kept, nr_kept;	/* tries that reached something new */
	size_t kept_room;
};

/*
 * Begin; @constant: numbers of which is known that the code compares something with them. If there
 * are no more ways to fill the holes than @max_tries, all of them are tried. Call search_free() in
 * any case.
 */
void search_begin(struct search *s, const int64_t *constant, size_t nr_constants);

/*
 * Values that have not been tried, for the next try; NULL if there are none left or if there have
 * been enough tries. Valid until search_take(), which must be next.
 */
const int64_t *search_next(struct search *s);

/* What the try of these values reached, which becomes the search's. */
void search_take(struct search *s, struct features *reached, int status, bool is_late);

/*
 * Choose the fewest tries, as far as a greedy choice finds them, that reached all that was reached.
 * Returns their numbers in order; free it.
 */
uint32_t *search_cover(const struct search *s, uint32_t *nr);
void search_free(struct search *s);

#endif /* KPROF_EXPLORE_SEARCH_H */
