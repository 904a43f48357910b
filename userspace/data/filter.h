/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - which samples of a recording are looked at: by time, task and functions
 *
 *	struct filter f;
 *
 *	if (filter_open(&f, &data, &options))
 *		return EXIT_USAGE;
 *	query.filter = &f;
 *	...
 *	filter_close(&f);
 */
#ifndef KPROF_FILTER_H
#define KPROF_FILTER_H

#include "data/data.h"
#include "lib/opt.h"

/* As they are given on the command line; all zero: everything passes. */
struct filter_options {
	const char *time;	/* "FROM,TO" */
	const char *comm;	/* these four are lists of shell patterns, with commas */
	const char *symbol;	/* the function that runs: "vfs_*", or "MODULE:NAME" */
	const char *module;	/* whose function that is: "ext4", "kernel", "libc.so.6" */
	const char *parent;	/* one that called it, directly or not */
	struct opt_list pids;	/* of threads or processes */
};

/* Their names, for who asks them of something that is no recording; NULL: none is given. */
const char *filter_options_given(const struct filter_options *options);

/* The name of one that takes a part of what a task did, and not tasks; NULL: none is given. */
const char *filter_options_of_samples(const struct filter_options *options);

struct filter {
	const struct data *data;
	const struct filter_options *options;
	uint64_t from, to;	/* of CLOCK_MONOTONIC, both included */
	uint32_t *pid;
	int nr_pids;
	bool active;
	unsigned char *task, *stack;	/* by id: what is known of it already */
};

/*
 * For a recording that has been read, whose frames are open; both must outlive it. EXIT_OK, or
 * EXIT_USAGE after a message where a time or a number is none. Close it in both cases.
 */
int filter_open(struct filter *f, const struct data *d, const struct filter_options *options);
void filter_close(struct filter *f);

bool filter_passes(struct filter *f, const struct kprof_record *rec);

/* Does a name match one of the patterns of a list with commas? */
bool filter_matches(const char *list, const char *name);

#endif /* KPROF_FILTER_H */
