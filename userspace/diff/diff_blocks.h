/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_blocks.h - the blocks of a function compared: two outputs of kprof blocks --json
 *
 * Blocks are the same by their order in the function, their instructions, and the lines and
 * functions they are of, so two kernels can be compared. What is compared is how often things ran
 * for each call.
 */
#ifndef KPROF_DIFF_BLOCKS_H
#define KPROF_DIFF_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "diff/diff.h"
#include "lib/json.h"
#include "lib/json_read.h"

#define DIFF_NO_BLOCK	UINT32_MAX

struct diff_block {
	const char *place;		/* "+0x1c" */
	const char *line, *code;	/* or NULL */
	const char *function;		/* the innermost one, or NULL */
	uint64_t insns;
	uint32_t other;			/* the same block on the other side, or DIFF_NO_BLOCK */
};

struct diff_flow {
	uint32_t from, to;		/* blocks; their number: outside */
};

/* An inlined function or a loop, as a tree: the first one is the function itself. */
struct diff_nest {
	const char *function;
	const char *loop;		/* the block it begins with, or NULL: no loop */
	const char *file;		/* or NULL */
	uint64_t line;
	uint32_t depth, parent;
	uint32_t other;			/* the same on the other side, or DIFF_NO_BLOCK */
};

/* What ran of it, as in struct blocks_share; NAN: not known. */
struct diff_nest_share {
	double count, entries, insns, fixed;
};

/* What ran in a context. Counts are UINT64_MAX where they are not known. */
struct diff_blocks_run {
	const char *context;
	uint64_t calls, insns;
	uint64_t *block, *edge;		/* by block and by edge */
	struct diff_nest_share *share;	/* by node of the nest; NULL: there is none */
};

/* One of the two. Zero-initialise. */
struct diff_blocks_side {
	const char *path, *kernel, *function, *module, *lost;
	struct diff_block *block;
	uint32_t nr_blocks;
	struct diff_flow *edge;
	uint32_t nr_edges;
	struct diff_nest *nest;
	uint32_t nr_nest;		/* 0: none, as of an older kprof */
	struct diff_blocks_run *run;	/* in order of contexts */
	uint32_t nr_runs;
	struct json_tree json;		/* private; the texts are those of the file */
};

/* A block or an edge that differs, or that only one side has. */
struct diff_blocks_row {
	bool is_edge;
	uint32_t at[DIFF_NR_SIDES];	/* a block or an edge, or DIFF_NO_BLOCK */
	double ran[DIFF_NR_SIDES];	/* for each call; 0 where there is none */
	double insns[DIFF_NR_SIDES];	/* the same of its instructions; an edge has none */
};

/* A context that a side has; both, if it can be compared. */
struct diff_blocks_context {
	const struct diff_blocks_run *run[DIFF_NR_SIDES];	/* or NULL */
	struct diff_blocks_row *row;	/* blocks, then edges; the largest difference first */
	size_t nr, room;
	uint32_t unknown;		/* blocks whose count one side does not know */
};

/* Zero-initialise; set the threshold. */
struct diff_blocks {
	double threshold;		/* in percent of the larger value: less is no difference */
	struct diff_blocks_side side[DIFF_NR_SIDES];
	struct diff_blocks_context *context;
	size_t nr, room;
};

/* Read the JSON, which is changed. EXIT_OK, or EXIT_ERROR after a message. */
int diff_blocks_read(struct diff_blocks_side *side, const char *path, char *json);

/*
 * Find out which blocks are the same. EXIT_OK; after a message EXIT_USAGE, of two functions that
 * are no variants of one, or EXIT_ERROR: too many.
 */
int diff_blocks_match(struct diff_blocks_side side[DIFF_NR_SIDES]);

/* Compare what ran. */
void diff_blocks_compare(struct diff_blocks *d);
void diff_blocks_free(struct diff_blocks *d);

/* How often something ran for each call; NAN: not known. */
double diff_blocks_each(const struct diff_blocks_run *run, uint64_t count);

/* Blocks that only this side has. */
uint32_t diff_blocks_alone(const struct diff_blocks_side *side);

/*
 * The inlined functions and loops (diff_blocks_nest.c): read the tree of a run, and what ran in it,
 * as diff_blocks_read(); find out which are the same; print those of a context.
 */
int diff_nest_read(struct diff_blocks_side *side, const struct json_value *run);
int diff_nest_read_run(const struct diff_blocks_side *side, struct diff_blocks_run *run,
		       const struct json_value *from);
void diff_nest_match(struct diff_blocks_side side[DIFF_NR_SIDES]);
void diff_nest_print_text(const struct diff_blocks *d, const struct diff_blocks_context *c,
			  FILE *out);
void diff_nest_put(struct json *j, const struct diff_blocks *d,
		   const struct diff_blocks_context *c);

/* Print @lines rows of each context at most, 0: all. */
void diff_blocks_print_text(const struct diff_blocks *d, long lines, FILE *out);
void diff_blocks_print_json(const struct diff_blocks *d, FILE *out);

#endif /* KPROF_DIFF_BLOCKS_H */
