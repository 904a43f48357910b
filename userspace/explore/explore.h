/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explore.h - which values in a command lead to which blocks of a function
 *
 * Runs the command many times, with values that search.h chooses for its holes, and counts the
 * blocks of the function in each. Depends on blocks, code, data, lat and record.
 */
#ifndef KPROF_EXPLORE_H
#define KPROF_EXPLORE_H

#include "blocks/blocks.h"
#include "explore/holes.h"
#include "explore/search.h"
#include "lib/opt.h"

#define EXPLORE_CONTEXTS	1024	/* that are told apart */

/* A try that is needed, which was run once more. */
struct explore_chosen {
	uint32_t nr;			/* of search.tried */
	struct features again;		/* what it reached then */
	bool is_run;			/* false: it was not run once more */
};

/* Zero-initialise; the first members are for the caller. */
struct explore {
	struct blocks blocks;		/* of which the function has been found */
	struct holes holes;		/* of the command */
	char **command;
	const char *keys;		/* as blocks_watch() has them */
	struct search search;		/* its seed and max_tries */
	double duration;		/* of a try at most, in seconds */
	long max_rows;
	bool all, own;
	const char *comm, *cpus, *module;
	/* Results. Features are blocks; then contexts, which begin at blocks.graph.nr. */
	const char **context;
	uint32_t nr_contexts;
	bool has_more_contexts;		/* than there is room for */
	bool *unknown;			/* by block: whether it is reached is not known */
	uint64_t calls;
	struct explore_chosen *chosen;
	uint32_t nr_chosen;
	struct buf lost;		/* what was lost, by cause; empty: nothing */
	bool is_interrupted;
	int status;			/* EXIT_NOT_RUN or so: the command cannot be run */
	/* Private from here on. */
	struct arena texts;
	size_t context_room;
};

/* Returns EXIT_OK, or EXIT_ERROR after a message. Call explore_free() in any case. */
int explore_run(struct explore *x);
void explore_free(struct explore *x);

static inline bool explore_reached(const struct explore *x, uint32_t block)
{
	return features_have(&x->search.reached, block);
}

/* How many of the features of a set are blocks. */
uint32_t explore_count_blocks(const struct explore *x, const struct features *set);

/* Does a reached block lead to this one? */
bool explore_leads(const struct explore *x, const struct graph_edge *edge, uint32_t to);

void explore_print_text(const struct explore *x, FILE *out);
void explore_print_json(const struct explore *x, FILE *out);

#endif /* KPROF_EXPLORE_H */
