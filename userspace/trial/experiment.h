/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * experiment.h - run a described comparison of two sides, several runs each, and report it
 *
 * A side is what a command line, or a set-up before it, makes of a machine: the commands
 * are the user's. A run leaves one file, a recording or folded text; these are compared as
 * kprof diff compares several runs a side.
 */
#ifndef KPROF_EXPERIMENT_H
#define KPROF_EXPERIMENT_H

#include "diff/diff_blocks.h"
#include "diff/diff_runs.h"

#define EXPERIMENT_RUNS_MAX	1000	/* a side */
#define EXPERIMENT_RUNS		5	/* the same, where the file says nothing, or some more */

/* Commands of the shell, with placeholders; see experiment_expand(). */
struct experiment_commands {
	const char *setup, *run, *teardown;	/* NULL: none */
	const char *blocks;	/* counts the blocks of a function; NULL: none */
};

struct experiment_side {
	const char *name;	/* "a" and "b" unless the file has others */
	const char *args;	/* what %a stands for */
	struct experiment_commands commands;
};

struct experiment_run {
	enum diff_side side;
	size_t nr;		/* of its side, from 0 on */
	const char *machine;	/* NULL: there is no list of them */
	char *path;		/* of its file */
	bool done;		/* before, or now */
	int status;		/* of its command, if it ran now */
	double seconds;		/* that it took; negative: it did not run now */
};

struct experiment {
	const char *file;	/* that describes it */
	const char *title;
	long runs;		/* a side */
	const char **machine;	/* where the runs are, side by side */
	size_t nr_machines;	/* 0: none is named, and runs come one by one */
	uint64_t seed;
	double rate, threshold;	/* in percent, as of kprof diff */
	const char *function;	/* what %f stands for, in a command that counts blocks; or NULL */
	struct experiment_side side[DIFF_NR_SIDES];
	struct experiment_run *run;	/* in order of execution */
	size_t nr_runs;
	struct buf text;	/* of the file; private */
	struct arena texts;
};

/* --- reading it (experiment_file.c) --- */

/* Read the file. Returns EXIT_OK, or EXIT_ERROR after a message. Free it in both cases. */
int experiment_read(struct experiment *e, const char *path);
void experiment_free(struct experiment *e);

/* --- machines (experiment_machines.c) --- */

/*
 * Take the names of a value, separated by white space. Returns NULL, or, when one of them is bad,
 * this one, and what is wrong with it as @right.
 */
const char *experiment_machines(struct experiment *e, const char *value, const char **right);

/*
 * Set the runs of a side if there are none yet, so that each machine has as many of each side.
 * Returns EXIT_OK, or EXIT_ERROR after a message: there are others.
 */
int experiment_spread(struct experiment *e);

/*
 * Refuse runs that were made with other machines: which is whose follows from the list, so @folder
 * keeps it. Without runs it is written there, if there is one. Returns EXIT_OK, or EXIT_ERROR
 * after a message.
 */
int experiment_check_machines(const struct experiment *e, const char *folder);
int experiment_note_machines(const struct experiment *e, const char *folder);

/* --- the order (experiment_plan.c) --- */

/*
 * Set the order of the runs and their files in @folder. The order follows from the seed,
 * on every machine. Run I of either side is of machine I modulo their number.
 */
void experiment_plan(struct experiment *e, const char *folder);

/* --- running it (experiment_run.c) --- */

/* Has a command the placeholder? */
bool experiment_has(const char *command, char placeholder);

/*
 * Append a command with its placeholders replaced: %o the output file, %r the number of the run,
 * %s the side's name, %a its args, %m the machine, %f the function whose blocks are counted, %% a
 * percent sign; all but the args quoted for the shell where necessary. Returns false after a
 * message if there is any other.
 */
bool experiment_expand(const struct experiment *e, const struct experiment_run *run,
		       const char *path, const char *command, struct buf *out);

/*
 * Run what is not done yet, on each machine one at a time. If one fails, those under way go on, and
 * no other begins. EXIT_OK, or after a message EXIT_ERROR, or 128 + N if signal N interrupts it.
 */
int experiment_run(struct experiment *e);

/* Run the command that counts the blocks of a function, to @path. Returns as experiment_run(). */
int experiment_run_blocks(const struct experiment *e, enum diff_side side, const char *path,
			  const char *function);

/* --- the report (experiment_report.c, experiment_html.c) --- */

/*
 * The stacks of a run, of the part that all runs are compared by. Returns EXIT_OK, or after a
 * message EXIT_ERROR; what the run lost has been said before. Free @f in both cases.
 */
int experiment_stacks(const struct experiment_run *run, struct folded *f);

#define EXPERIMENT_CALLS	5	/* system calls that are taken apart, at most */
#define EXPERIMENT_FUNCTIONS	10	/* of each, as text */
#define EXPERIMENT_BLOCKS	20	/* lines of each context, as text */

/* Where the difference is. Zero-initialise. */
struct experiment_refined {
	struct diff_runs calls;		/* system calls; what is below them counts as theirs */
	const struct diff_runs_row *call[EXPERIMENT_CALLS];	/* those that differ most */
	struct diff_runs below[EXPERIMENT_CALLS];	/* what is below each, compared */
	size_t nr, more;
	const char *function;		/* that itself differs most, or NULL */
	bool has_blocks;		/* of it */
	const char *machine;		/* where they were counted, or NULL */
	struct diff_blocks blocks;
	const char *path[DIFF_NR_SIDES];	/* their counts */
	struct buf json[DIFF_NR_SIDES];	/* private */
	struct strtab kernel;		/* private: functions that are the kernel's */
	struct arena texts;
};

/*
 * Take what is needed of the runs while diff_runs_read() reads them to @r, which has been set up,
 * and must stay.
 */
void experiment_refine_begin(struct experiment_refined *x, struct diff_runs *r);

/*
 * Find it, when @r has been judged; it must stay. @may_run: count blocks now, if the experiment has
 * a command for that. Returns EXIT_OK, or as experiment_run(). Free it in both cases.
 */
int experiment_refine(struct experiment_refined *x, const struct experiment *e,
		      const struct diff_runs *r, const char *folder, bool may_run);
void experiment_refined_free(struct experiment_refined *x);

/* As text, and as members of an object of JSON. */
void experiment_refined_print(const struct experiment_refined *x, FILE *out);
void experiment_refined_json(const struct experiment_refined *x, struct json *j);

/*
 * Compare the runs, write report.txt, .json and .html into @folder, and the text to stdout.
 * @may_run is as of experiment_refine().
 */
int experiment_report(const struct experiment *e, const char *folder, bool may_run);

/* One page that needs no other file. @r has been judged, and has lost. */
int experiment_html(const struct experiment *e, const struct diff_runs *r,
		    const struct experiment_refined *x, FILE *out);

#endif /* KPROF_EXPERIMENT_H */
