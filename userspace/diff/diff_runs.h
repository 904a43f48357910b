/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_runs.h - compare several runs with several others
 *
 * A row is a target and a context, or a function. Each run has one value of each quantity of a
 * row, so the differences of means are judged by how the runs of a side vary among themselves, not
 * by the calls of a run, which depend on each other.
 */
#ifndef KPROF_DIFF_RUNS_H
#define KPROF_DIFF_RUNS_H

#include <math.h>

#include "diff/diff.h"
#include "diff/diff_stacks.h"

#define DIFF_RUNS_LEAST	0.001	/* of recordings, r->least */
#define DIFF_RUNS_MIN	3	/* runs a side: with less, nothing can be told */

enum diff_kind { DIFF_LATENCIES, DIFF_FUNCTIONS };

/* Functions have self and total, of samples, calls or time; latencies have all four. */
enum diff_quantity { DIFF_CALLS, DIFF_AVG, DIFF_SELF, DIFF_TOTAL, DIFF_NR_QUANTITIES };

struct diff_values {
	double *value;			/* by run, those of A first; NAN: there is none */
	struct moments side[DIFF_NR_SIDES];
	double difference;		/* of the means; NAN: no machine has both */
	struct interval confidence;	/* of the difference; 95 % */
	bool enough;			/* runs of both sides */
	bool tested;			/* its chance is among those that are adjusted */
	double chance, adjusted;	/* see lib/discovery.h; 1 unless tested */
	bool found;			/* a discovery, and above the threshold */
};

struct diff_runs_row {
	const char *target, *context;	/* of a function: its name, and "" */
	struct diff_values of[DIFF_NR_QUANTITIES];
	enum diff_verdict verdict;	/* on DIFF_AVG; of a function, on DIFF_SELF */
	enum diff_calls calls;		/* of latencies: the verdict on DIFF_CALLS */
	bool differs;
	double cost, cost_calls, cost_time;	/* as in struct diff_row, of means */
	uint64_t unsure_ns[DIFF_NR_SIDES];	/* net: LAT_UNKNOWN, or as in struct lat_row */
	bool is_small;			/* of a function: too small to be tested */
	bool joined;			/* private: with the row of another name */
};

struct diff_runs {
	enum diff_kind kind;
	size_t nr[DIFF_NR_SIDES];	/* runs */
	char *const *path[DIFF_NR_SIDES];
	size_t machines;		/* run I of a side is of I modulo this; 0: all are of one */
	double threshold;		/* in percent */
	double rate;			/* of false discoveries, in percent */
	bool net;			/* of latencies: lat_net() is called */
	/*
	 * Is called with the stacks of each run, and the recording that they are of or NULL, unless
	 * it is NULL.
	 */
	void (*each)(void *arg, enum diff_side side, size_t run, const struct folded *f,
		     const struct data *d);
	void *arg;
	bool *lost[DIFF_NR_SIDES];	/* by run: it lost something; or NULL */
	bool by_shares;			/* of functions: in per cent of the run's total */
	bool are_counts;		/* of functions: not of time */
	double least;			/* of functions: see diff_runs.c; 0: all are tested */
	bool are_samples;		/* what is counted, of recordings; else calls */
	char unit[64];			/* of functions; "percent"; "": not known, of texts */
	const char *source;		/* of functions: only of this; NULL: any */
	int left_out;			/* of functions: sources of calls beside samples, at most */
	double total[DIFF_NR_SIDES];	/* of functions: the mean of the totals of the runs */
	struct diff head;		/* of latencies: boots and absences, by the first runs */
	struct data first[DIFF_NR_SIDES];	/* what it refers to */

	struct diff_runs_row *row;
	size_t nr_rows, row_room;
	/* Set by diff_runs_judge(): */
	size_t nr_tested;		/* rows with a test */
	size_t nr_tests;
	size_t nr_differ;		/* rows */
	struct strtab names;		/* private */
};

/* --- rows and verdicts (diff_runs.c); nr must be set --- */

/*
 * The row of a name, which is made if it is new. If it is absent from a run, it has
 * no calls there, and no time.
 */
struct diff_runs_row *diff_runs_row(struct diff_runs *r, const char *target, const char *context);

/* Add the latencies of run @run of a side, counted from 0. */
void diff_runs_add_table(struct diff_runs *r, enum diff_side side, size_t run,
			 const struct lat_table *t);

/* Add the functions of a run; unless @below is NULL, in stacks with the function of that name. */
void diff_runs_add_functions(struct diff_runs *r, enum diff_side side, size_t run,
			     const struct folded *f, const char *below);

/* Join rows of functions that have another name in B. */
void diff_runs_join(struct diff_runs *r);

/* Make the verdicts, when all values are set, and sort the rows. */
void diff_runs_judge(struct diff_runs *r);

const char *diff_runs_verdict_name(const struct diff_runs *r, const struct diff_runs_row *row);

void diff_runs_free(struct diff_runs *r);

/* --- reading the runs (diff_runs_read.c) --- */

/*
 * Read all recordings, or folded texts, of r->path. @part is for stacks. Returns EXIT_OK;
 * EXIT_LOST, EXIT_ERROR or EXIT_USAGE after a message.
 */
int diff_runs_read(struct diff_runs *r, const struct data_fold_options *part);

/* --- showing it (diff_runs_text.c, diff_runs_formats.c) --- */

typedef void diff_runs_printer(const struct diff_output *o, const struct diff_runs *r);

diff_runs_printer diff_runs_print_text, diff_runs_print_csv, diff_runs_print_json;

/* The members of the object of diff_runs_print_json(). */
void diff_runs_json(struct json *j, const struct diff_output *o, const struct diff_runs *r);

/* Is there anything of both sides to compare? */
static inline bool diff_runs_known(const struct diff_values *v)
{
	return v->side[DIFF_A].nr && v->side[DIFF_B].nr && !isnan(v->difference);
}

static inline size_t diff_runs_shown(const struct diff_output *o, const struct diff_runs *r)
{
	return o->lines && (size_t)o->lines < r->nr_rows ? (size_t)o->lines : r->nr_rows;
}

#endif /* KPROF_DIFF_RUNS_H */
