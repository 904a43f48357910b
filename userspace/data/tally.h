/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tally.h - the records of a recording added up: what fold and report start from
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
#define TALLY_COUNTS	(1 + KPROF_MAX_ALONG)	/* of the counter that leads, then of the others */

/* The names of enum kprof_context, up to a NULL. */
extern const char *const tally_contexts[];

/* What is told apart beside source, task and stack, and what is let through. */
struct tally_query {
	bool by_pid, by_cpu, by_context;
	const char *source;	/* NULL: any */
	const struct cpus *cpus;	/* NULL: any */
	int context;		/* enum kprof_context or TALLY_ANY */
	struct filter *filter;	/* NULL: all pass */
};

struct tally_row {
	uint64_t key;
	uint32_t pid, info;	/* as in struct kprof_record, as far as told apart */
	uint64_t samples;	/* of the timer, or calls begun */
	uint64_t ns;		/* time sampled, or latency of the calls that ended */
	uint64_t count[TALLY_COUNTS];	/* by event; where counters are read with samples */
};

struct tally {
	struct tally_row *row;	/* in the order in which they first came */
	size_t nr;
	int nr_sources;		/* that have rows */
	uint64_t samples, ns;	/* of all rows */
	size_t room;		/* private, as what follows */
	struct hash table;
	uint32_t *by_source, *first;	/* rows in the order of their sources; by source */
};

/* Was the record taken on one of the CPUs of @query, and in its context? */
bool tally_is_there(const struct tally_query *query, const struct kprof_record *rec);

/* Is it a sample or a call that @query lets pass, of the source of this id (0: of any)? */
bool tally_wants(const struct tally_query *query, uint32_t source,
		 const struct kprof_record *rec);

/* The id of a source, 0 where there is none of that name. */
uint32_t tally_source(const struct data *d, const char *name);

/* 0, or -1 where @query names a source that the recording does not have. */
int tally_make(struct tally *t, const struct data *d, const struct tally_query *query);

/* What another tally, of all sources, has of one of them. Free it, too. */
void tally_part(struct tally *t, struct tally *all, uint32_t source);
void tally_free(struct tally *t);

#endif /* KPROF_TALLY_H */
