/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blocks.h - how often each block of instructions of a function runs
 *
 * Some blocks of the running function get a counting probe (blocks_watch.c); how often the others
 * ran follows (flow.h). Depends on code, data, lat, record and symbols.
 */
#ifndef KPROF_BLOCKS_H
#define KPROF_BLOCKS_H

#include "blocks/flow.h"
#include "blocks/graph.h"
#include "blocks/nest.h"
#include "data/data.h"
#include "data/frames.h"
#include "lat/lat.h"
#include "lib/json.h"
#include "record/setup.h"

/* Zero-initialise. */
struct blocks {
	struct data names;		/* symbols and build id of the running kernel */
	const struct symbol *symbol;	/* of the function */
	struct code_running kernel;
	struct code_function function;
	struct graph graph;
	struct nest nest;		/* inlined functions and loops */
	/* By block: */
	bool *counted;
	uint32_t *probed;		/* the instruction that has the probe, if it is counted */
	uint32_t nr_counted, nr_refused;
	struct buf refusal;		/* why a block could not be counted, the first one */
};

/* Behind an address, this makes it a point, which can have keys. */
#define BLOCKS_POINT	"(cpu)"

/*
 * Parse FUNCTION [by=KEYS] [if=CONDITION] of the command line; the latter two go to @keys, each
 * after a space. *@word is set to the command behind them. Returns EXIT_OK, or EXIT_USAGE after a
 * message.
 */
int blocks_take_words(char ***word, const char **function, struct buf *keys);

/*
 * Find a function of the running kernel: NAME, MODULE:NAME or NAME@0xADDRESS; or else the one that
 * a function of that name is inlined into, after a message. Returns EXIT_OK; after a message
 * EXIT_ERROR or EXIT_USAGE.
 */
int blocks_find(struct blocks *b, const char *name, const struct frames_options *options);

/*
 * The function that @name, which has no symbol, is inlined into. Returns EXIT_OK, after a message,
 * with *@host set, or to NULL without a message if the index has none; EXIT_ERROR, after a message,
 * if there are several.
 */
int blocks_find_host(const struct data *names, const char *name, const struct symbol **host);

/* Read its code, and choose the blocks that are to be counted; @every: all that can be. */
int blocks_read(struct blocks *b);

/*
 * Find an instruction of a block that can have a probe: kprobes refuse those that the kernel may
 * patch, and all instructions of a block run equally often. @use tries one, until it returns true.
 * Returns false if none will do. @insn: the last one that was tried.
 */
bool blocks_try(const struct blocks *b, uint32_t block, bool (*use)(uint64_t addr, void *arg),
		void *arg, uint32_t *insn);

/* Watch them; @keys is by=KEYS and if=CONDITION after a space, or "". */
int blocks_watch(struct blocks *b, struct setup *c, const char *keys, bool every);
void blocks_free(struct blocks *b);

/* What ran in a context. */
struct blocks_run {
	const char *context;	/* the values of the keys, or "" */
	uint64_t *count;	/* by block, where it is counted */
	struct flow flow;
	uint64_t calls, insns;	/* COUNT_UNKNOWN: not known */
	bool is_partial;	/* insns: without blocks whose count is not known */
};

struct blocks_runs {
	struct blocks_run *run;	/* those with the most instructions first */
	size_t nr, room;
	uint64_t missed;	/* hits that a probe could not count, in whatever context */
};

/* What ran of a node of the nest. COUNT_UNKNOWN: not known. */
struct blocks_share {
	uint64_t count;		/* calls of a function; turns of a loop */
	uint64_t entries;	/* of a loop, how often it was entered; of a function, its calls */
	uint64_t insns;		/* with all that is below it */
	uint64_t fixed;		/* of these, outside of the loops that are below it */
};

/* By node. Free it. */
struct blocks_share *blocks_shares(const struct blocks *b, const struct blocks_run *run);

/* Take the counts from a table. Returns false if it has a row that is not of these probes. */
bool blocks_take(struct blocks_runs *runs, const struct blocks *b, const struct lat_table *t);
void blocks_runs_free(struct blocks_runs *runs);

/* How results are shown. */
struct blocks_output {
	FILE *out;
	bool with_insns;	/* the instructions of each block, too */
	bool with_idle;		/* blocks that never ran, too */
	uint64_t own;		/* hits of kprof itself, which were left out */
	const char *lost;	/* what was lost, by cause; or NULL */
};

typedef void blocks_printer(const struct blocks_output *o, const struct blocks *b,
			    const struct blocks_runs *runs);

/* The last one prints a picture, SVG, with a graph for each context. */
blocks_printer blocks_print_text, blocks_print_json, blocks_print_svg;

/* What is inlined, and the loops, as text and as a member of an object of JSON. */
void blocks_print_nest(const struct blocks_output *o, const struct blocks *b,
		       const struct blocks_run *run);
void blocks_put_nest(struct json *j, const struct blocks *b, const struct blocks_run *run);

/* "+0x1c", or "NAME.cold+0x1c" */
void blocks_place(const struct blocks *b, uint32_t block, struct buf *out);

/* The innermost function of a block, maybe an inlined one; file and line if there is an index. */
void blocks_function(const struct blocks *b, uint32_t block, struct buf *out);

/* A number, or null: it is COUNT_UNKNOWN. */
void blocks_put_count(struct json *j, const char *name, uint64_t count);

/* The place and functions as JSON; all functions, innermost first. @node may be graph_outside(). */
void blocks_put_place(struct json *j, const char *name, const struct blocks *b, uint32_t node);
void blocks_put_functions(struct json *j, const struct blocks *b, uint32_t block);

/*
 * A hash of its instructions without what differs between two kernels that have the same code:
 * addresses, distances. The same on every machine.
 */
uint64_t blocks_code(const struct blocks *b, uint32_t block);

#endif /* KPROF_BLOCKS_H */
