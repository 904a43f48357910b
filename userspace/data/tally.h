/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tally.h - add up the records of a recording, as input for fold and report
 */
#ifndef KPROF_TALLY_H
#define KPROF_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "data/data.h"
#include "data/filter.h"
#include "lib/cpus.h"
#include "lib/hash.h"

#define TALLY_ANY	(-1)
#define TALLY_COUNTS	(1 + KPROF_MAX_ALONG)	/* the leading counter, then the others */

/* The names of enum kprof_context; NULL-terminated. */
extern const char *const tally_contexts[];

/* What to distinguish beside source, task and stack, and which records to count. */
struct tally_query {
	bool by_pid, by_cpu, by_context;
	bool by_region;		/* regions_open() was called */
	const char *source;	/* NULL: any */
	bool samples_only;	/* of the timer and of counters, not calls */
	uint32_t without;	/* the id of a source that does not count; 0: none */
	const struct cpus *cpus;	/* NULL: any */
	int context;		/* enum kprof_context or TALLY_ANY */
	struct filter *filter;	/* NULL: all pass */
};

struct tally_row {
	uint64_t key;
	uint32_t pid, info;	/* as in struct kprof_record, or missed_name() takes; 0: any */
	uint32_t region;	/* see regions_at(); likewise */
	uint64_t samples;	/* samples, or calls begun */
	uint64_t ns;		/* time sampled, or latency of the calls that ended */
	uint64_t late;		/* of it, time by which samples came late, in kernel mode */
	uint64_t count[TALLY_COUNTS];	/* by event, if counters are read with samples */
};

struct tally {
	struct tally_row *row;	/* in order of first appearance */
	size_t nr;
	int nr_sources;		/* number of sources that have rows */
	uint64_t samples, ns;	/* of all rows */
	/* Private from here on. */
	size_t room;
	struct hash table;
	uint32_t *by_source, *first;	/* rows sorted by source; the first of each source */
};

/* Does the record match the CPUs, the context and the filter of @query? */
bool tally_is_there(const struct tally_query *query, const struct kprof_record *rec);

/* Is it a sample or a call that matches @query, of the source of this id (0: of any)? */
bool tally_wants(const struct tally_query *query, uint32_t source,
		 const struct kprof_record *rec);

/* The same, and what it is a record of counts, too: see samples_only and without. */
bool tally_counts(const struct tally_query *query, const struct data *d, uint32_t source,
		  const struct kprof_record *rec);

/*
 * What a record of kind KPROF_REC_LATE is about: @sample is that sample, with the weight that it
 * came late by, and @own what stands for that time if it is not the function's. Returns
 * missed_row().
 */
uint32_t tally_split_late(const struct kprof_record *late, struct kprof_record *sample,
			  struct kprof_record *own);

/* Does the query count such an @own? */
bool tally_counts_missed(const struct tally_query *query, const struct data *d, uint32_t source,
			 const struct kprof_record *own);

/* The id of a source; 0 if there is none of that name. */
uint32_t tally_source(const struct data *d, const char *name);

/*
 * Check --source, if @name is not NULL, before anything is printed. Returns EXIT_OK; or EXIT_ERROR
 * after a message, if the recording @path has no such source.
 */
int tally_check_source(const struct data *d, const char *name, const char *path);

/* Returns 0, or -1 if @query names a source that the recording does not have. */
int tally_make(struct tally *t, const struct data *d, const struct tally_query *query);

/* Make @t the rows of one source of @all. Free both. */
void tally_part(struct tally *t, struct tally *all, uint32_t source);
void tally_free(struct tally *t);

#endif /* KPROF_TALLY_H */
