/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - select samples of a recording by time, task, region and function
 *
 *	struct filter f;
 *
 *	if (filter_open(&f, &data, &options, name))
 *		return EXIT_USAGE;
 *	query.filter = &f;
 *	...
 *	filter_close(&f);
 */
#ifndef KPROF_FILTER_H
#define KPROF_FILTER_H

#include "data/data.h"
#include "lib/opt.h"

/* The options as given on the command line. If all are zero, everything passes. */
struct filter_options {
	const char *time;	/* "FROM,TO" */
	const char *comm;	/* comm to parent are comma-separated lists of shell patterns */
	const char *cgroup;	/* of the task */
	const char *region;	/* of its program that the thread was in */
	const char *symbol;	/* the innermost function: "vfs_*", or "MODULE:NAME" */
	const char *module;	/* the module of that function: "ext4", "kernel", "libc.so.6" */
	const char *parent;	/* a direct or indirect caller of that function */
	struct opt_list pids;	/* of threads or processes */
};

/*
 * The names of all these options if any is given, else NULL: for a message that they need a
 * recording.
 */
const char *filter_options_given(const struct filter_options *options);

/* Is an option given that selects by stacks? */
bool filter_options_of_stacks(const struct filter_options *options);

struct filter {
	const struct data *data;
	const struct filter_options *options;
	uint64_t from, to;	/* CLOCK_MONOTONIC, both inclusive */
	uint32_t *pid;
	int nr_pids;
	bool active;
	unsigned char *task, *stack, *region;	/* by id: cached results, of a stack two */
};

/*
 * The recording must have been read, with its frames open. The filter keeps both pointers. Returns
 * EXIT_OK, EXIT_USAGE after a message if a time or a pid is malformed, or EXIT_ERROR after a
 * message, which calls the recording @name, if it does not have what is asked about. Call
 * filter_close() in all cases.
 */
int filter_open(struct filter *f, struct data *d, const struct filter_options *options,
		const char *name);
void filter_close(struct filter *f);

bool filter_passes(struct filter *f, const struct kprof_record *rec);

/* Only the task of a record: its ids, name and cgroup. */
bool filter_passes_task(struct filter *f, const struct kprof_record *rec);

/* Only its stacks; @waits: the task waits, and its innermost functions are of the scheduler. */
bool filter_passes_stacks(struct filter *f, const struct kprof_record *rec, bool waits);

/* Does a name match one of the patterns of a comma-separated list? */
bool filter_matches(const char *list, const char *name);

/* The same for a function; "ext4:*" is of a module, which may be NULL. */
bool filter_is_function(const char *list, const char *name, const char *module);

/* "kernel" also matches "[kernel]"; for a file, the last component of its path is sufficient. */
bool filter_is_module(const char *list, const char *module);

/*
 * Parse --time, where the first and the last sample are at these times, to bounds that are both
 * inclusive; one that is left out stays as it is. Returns EXIT_OK, or EXIT_USAGE after a message.
 */
int filter_parse_time(const char *text, uint64_t first, uint64_t last, uint64_t *from,
		      uint64_t *to);

/* Parse --pid to an array, which the caller frees in all cases. Returns the same. */
int filter_parse_pids(const struct filter_options *options, uint32_t **pid, int *nr);

#endif /* KPROF_FILTER_H */
