/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lat.h - latency by context: parse, process and print the module's latency table
 *
 * A measurement is a struct data that has only texts, whether it was just taken
 * or comes from a file. DATA_LATENCY and DATA_BUCKETS are the table; the other
 * texts tell under which conditions, and how reliably, it was measured.
 */
#ifndef KPROF_LAT_H
#define KPROF_LAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "data/data.h"
#include "lib/arena.h"

/* --- the table (lat_table.c) --- */

#define LAT_UNKNOWN	UINT64_MAX

struct lat_bucket {
	uint64_t low, high;	/* low is inside, high is outside */
	uint64_t calls;
};

struct lat_row {
	const char *target, *context;
	uint64_t calls, missed;
	uint64_t total, self;	/* these and all times below are in nanoseconds */
	uint64_t min, p50, p90, p99, max;
	struct lat_bucket *bucket;
	size_t nr_buckets, bucket_room;
	bool merged;		/* merged from rows of the same text: stacks without offsets */
	bool net;		/* the probe's overhead has been subtracted */
	uint64_t unsure_ns;	/* net: how much overhead each latency may still include */
};

struct lat_table {
	struct lat_row *row;
	size_t nr, room;
	uint32_t *sorted;	/* rows by target and context; private */
	struct arena names;
};

enum lat_sort {
	LAT_TOTAL, LAT_SELF, LAT_CALLS, LAT_AVG, LAT_MIN, LAT_P50, LAT_P90, LAT_P99, LAT_MAX,
	LAT_NAME,
};

extern const char *const lat_sort_names[];

/*
 * Merge rows that have the same text, before their buckets have been read. When the buckets have
 * been read, call lat_merge_buckets(), which returns false if they do not fit together.
 */
void lat_merge_rows(struct lat_table *t);
bool lat_merge_buckets(struct lat_table *t);

/* Add the calls of one row to another's. */
void lat_add_row(struct lat_row *row, const struct lat_row *other);

/* The row of that name, or NULL. */
struct lat_row *lat_find(const struct lat_table *t, const char *target, const char *context);

/* Sort rows: numbers in descending order, names ascending. */
void lat_sort(struct lat_table *t, enum lat_sort key);

/*
 * Reduce @t to what was added since @before; rows without new calls are
 * removed. Returns false if @t has less than @before: it was cleared in between.
 */
bool lat_subtract(struct lat_table *t, const struct lat_table *before);

double lat_avg(const struct lat_row *row);

/* The calls in the buckets. They may differ from row->calls if calls ended during the read. */
uint64_t lat_bucket_calls(const struct lat_row *row);

/*
 * The value at a rank (1: the smallest) among the calls in the buckets. Calls
 * are assumed to be spread evenly inside a bucket, and between min and max.
 */
double lat_value_at(const struct lat_row *row, double rank);

/* Certain bounds of that value: it is between *low and *high. */
void lat_bounds_at(const struct lat_row *row, double rank, double *low, double *high);

/* The part of a bucket in which calls can be: from *low to *high, both inclusive. */
void lat_bucket_bounds(const struct lat_row *row, const struct lat_bucket *b, double *low,
		       double *high);

void lat_free(struct lat_table *t);

/* --- the keys of a row (lat_names.c) --- */

struct lat_key {
	const char *name, *value;	/* not NUL-terminated */
	size_t name_len, len;
};

/* Get the next key of a context at *at, and move *at past it. Returns false at the end. */
bool lat_next_key(const char **at, struct lat_key *key);

/* The name of a value that is a system call, an error or a softirq; NULL if it has none. */
const char *lat_key_text(const char *target, const struct lat_key *key);

/* Append the context of a row, with names for numbers. */
void lat_context_by_name(const struct lat_row *row, struct buf *out);
/* The same for people, to an empty buffer; but as it is if the recording is of another machine. */
void lat_context_shown(const struct data *d, const struct lat_row *row, struct buf *out);

/* --- its text (lat_parse.c) --- */

/*
 * Parse the module's "latency" and "buckets", which are split in place. Returns
 * -1 with @error set if they are malformed. Rows of the same text are merged.
 * Free @t in both cases.
 */
int lat_parse(struct lat_table *t, struct buf *latency, struct buf *buckets, char error[256]);

/*
 * Parse "latency" alone, without merging rows, and call @take for each row with the number by which
 * records refer to it. The text is split in place; the rows point into it. Returns -1 with @error
 * set if it is malformed.
 */
int lat_parse_numbers(struct buf *latency,
		      void (*take)(uint64_t number, const struct lat_row *row, void *data),
		      void *data, char error[256]);

/* lat_parse() for a measurement, which is not changed. */
int lat_of_data(struct lat_table *t, const struct data *d, char error[256]);

/* Write the table back in the module's format. */
void lat_write(const struct lat_table *t, struct buf *latency, struct buf *buckets);

/* --- probe overhead and system configuration (lat_probe.c, lat_boot.c) --- */

/* A kind of probe that was used, its targets and its overhead. */
struct lat_probe {
	const char *kind;
	uint64_t cost_ns;	/* how much longer a watched call takes */
	uint64_t seen_ns;	/* the part of it that the shown latencies include */
	uint64_t high_ns;	/* the same at the 90th percentile */
	bool calibrated;
	bool varies;		/* high_ns is known */
	struct buf targets;	/* "name, name" */
	struct buf few;		/* the same, or "name, name, name and 44 more" */
};

#define LAT_NR_PROBES	6

/* The kinds of probes that are in use; returns how many. */
int lat_probes(const struct data *d, struct lat_probe probe[LAT_NR_PROBES]);
void lat_probes_free(struct lat_probe probe[LAT_NR_PROBES]);

/* Why functions are watched at a higher cost than by the trampoline. */
struct lat_reason {
	struct buf text;	/* as the module says it */
	struct buf targets, few;	/* as in struct lat_probe */
};

#define LAT_REASONS	16	/* more than the module knows */

/* Returns how many there are. */
int lat_reasons(const struct data *d, struct lat_reason reason[LAT_REASONS]);
void lat_reasons_free(struct lat_reason reason[LAT_REASONS]);

/* The kind of probe on the target of a row, of @nr; NULL if it or its overhead is not known. */
const struct lat_probe *lat_probe_of(const struct lat_row *row, const struct data *d,
				     const struct lat_probe *probe, int nr);

/*
 * Subtract the probe's overhead from each latency, if it is known (lat_net.c). The total of a call
 * still includes the overhead of probes on other watched calls inside of it.
 */
#define LAT_NET_HELP	"take off each latency what its probe has of it"
void lat_net(struct lat_table *t, const struct data *d);

/* For each kind of probe append a line on what lat_net() subtracted, prefixed with @before. */
void lat_net_describe(const struct data *d, const char *before, struct buf *out);

/* Read what can differ between two boots: kernel, mitigations, configuration, functions. */
void lat_boot_read(struct data *d);

/* Is it a measurement of latency, not of samples? */
bool lat_is_measurement(const struct data *d);

/* Print a line on standard error if anything was lost. Returns EXIT_OK or EXIT_LOST. */
int lat_warn(const struct data *d, const struct lat_table *t, const char *where);

/* --- showing it (lat_text.c, lat_formats.c, lat_histogram.c) --- */

enum lat_unit { LAT_NS, LAT_US, LAT_MS };

struct lat_output {
	FILE *out;
	const struct data *data;
	const char *path;	/* of the recording; NULL: measured just now */
	enum lat_unit unit;
	enum lat_sort sort;	/* that lat_sort() was called with */
	long lines;		/* rows; 0: all; negative: LAT_LINES */
	int nr;			/* number of the table, from 1 on; 0: there is only one */
	bool histogram;
	bool timestamp;
	bool net;		/* lat_net() was called */
};

extern const char *const lat_unit_names[];
extern const double lat_unit_ns[];

#define LAT_LINES	40	/* rows, unless more are asked for */

static inline size_t lat_rows_shown(const struct lat_output *o, const struct lat_table *t)
{
	if (o->lines < 0)
		return t->nr < LAT_LINES ? t->nr : LAT_LINES;
	return o->lines && (size_t)o->lines < t->nr ? (size_t)o->lines : t->nr;
}

typedef void lat_printer(const struct lat_output *o, const struct lat_table *t);

lat_printer lat_print_text, lat_print_csv, lat_print_json;

void lat_draw_histogram(const struct lat_output *o, const struct lat_row *row);

#endif /* KPROF_LAT_H */
