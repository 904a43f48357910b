/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lat.h - latency by context: the module's table, how it is measured and shown
 *
 * A measurement is a struct data with texts alone, whether it was just taken or
 * comes out of a file: DATA_LATENCY and DATA_BUCKETS are the table, the others
 * say what it is worth.
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
	uint64_t low, high;	/* the first value that is inside, the first beyond */
	uint64_t calls;
};

struct lat_row {
	const char *target, *context;
	uint64_t calls, missed;
	uint64_t total, self;	/* nanoseconds, as all below */
	uint64_t min, p50, p90, p99, max;
	struct lat_bucket *bucket;
	size_t nr_buckets, bucket_room;
	bool merged;		/* of several rows that read alike: stacks without offsets */
	bool net;		/* the probe's part is taken off */
	uint64_t unsure_ns;	/* if so: of each latency so much may be the probe's still */
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
 * Make one row of all that read alike. Their buckets are still to come: these have to go
 * through lat_merge_buckets() when they are there; false: they do not fit together.
 */
void lat_merge_rows(struct lat_table *t);
bool lat_merge_buckets(struct lat_table *t);

/* Add the calls of one row to another's. */
void lat_add_row(struct lat_row *row, const struct lat_row *other);

/* After rows came or went, before lat_find(). */
void lat_index(struct lat_table *t);

/* The row of that name, or NULL. */
struct lat_row *lat_find(const struct lat_table *t, const char *target, const char *context);

/* Largest first, but names ascending. */
void lat_sort(struct lat_table *t, enum lat_sort key);

/*
 * What was added since @before: rows without anything new go. False: @t has
 * less than @before, so it was emptied in between.
 */
bool lat_subtract(struct lat_table *t, const struct lat_table *before);

double lat_avg(const struct lat_row *row);

/* The calls in the buckets; other than row->calls where both were read amid calls. */
uint64_t lat_bucket_calls(const struct lat_row *row);

/*
 * The value of a rank (1: the smallest) among the calls in the buckets, which
 * are spread evenly inside each bucket, and never outside of what was seen.
 */
double lat_value_at(const struct lat_row *row, double rank);

/* What is known for certain of that value: it is between these two. */
void lat_bounds_at(const struct lat_row *row, double rank, double *low, double *high);

/* The part of a bucket in which calls can be: from *low to *high, both inside. */
void lat_bucket_bounds(const struct lat_row *row, const struct lat_bucket *b, double *low,
		       double *high);

void lat_free(struct lat_table *t);

/* --- the keys of a row (lat_names.c) --- */

struct lat_key {
	const char *name, *value;	/* not NUL-terminated */
	size_t name_len, len;
};

/* The next one of a context, of which *at is the rest; false: there is none. */
bool lat_next_key(const char **at, struct lat_key *key);

/* The name that a value has, be it a system call, an error or a softirq; NULL: none. */
const char *lat_key_text(const char *target, const struct lat_key *key);

/* Append the context of a row, with names for numbers. */
void lat_context_by_name(const struct lat_row *row, struct buf *out);

/* --- its text (lat_parse.c) --- */

/*
 * From the module's "latency" and "buckets", which are cut into words; -1 where
 * they are not of that form, with @error set. Rows that read alike become one.
 * Free @t in both cases.
 */
int lat_parse(struct lat_table *t, struct buf *latency, struct buf *buckets, char error[256]);

/*
 * From "latency" alone, the rows as they are: of each its number, by which records name it. The
 * text is cut into words, which go with it; -1 where it is not of that form, with @error set.
 */
int lat_parse_numbers(struct buf *latency,
		      void (*take)(uint64_t number, const struct lat_row *row, void *data),
		      void *data, char error[256]);

/* lat_parse() of a measurement, which is left as it is. */
int lat_of_data(struct lat_table *t, const struct data *d, char error[256]);

/* Back into that form. */
void lat_write(const struct lat_table *t, struct buf *latency, struct buf *buckets);

/* --- what was measured besides (lat_probe.c, lat_boot.c) --- */

/* How the calls of a kind of target were watched, and what it cost. */
struct lat_probe {
	const char *kind;
	uint64_t cost_ns;	/* what a watched call takes longer */
	uint64_t seen_ns;	/* the part of it that is inside the latencies shown */
	uint64_t high_ns;	/* the same, as most calls do not exceed it */
	bool calibrated;
	bool varies;		/* high_ns is known */
	struct buf targets;	/* "name, name" */
};

#define LAT_NR_PROBES	5

/* Those kinds that are in use; returns how many. */
int lat_probes(const struct data *d, struct lat_probe probe[LAT_NR_PROBES]);
void lat_probes_free(struct lat_probe probe[LAT_NR_PROBES]);

/*
 * Take off each latency what the probe has of it (lat_net.c), where that is known. Watched calls
 * inside of a call are still in its total with what their own probes cost.
 */
#define LAT_NET_HELP	"take off each latency what its probe has of it"
void lat_net(struct lat_table *t, const struct data *d);

/* Append a line of what that took off, for each kind of probe, behind @before. */
void lat_net_describe(const struct data *d, const char *before, struct buf *out);

/* Kernel, mitigations, configuration, functions: what tells two boots apart. */
void lat_boot_read(struct data *d);

/* Is it a measurement of latency, not of samples? */
bool lat_is_measurement(const struct data *d);

/* A line on standard error for what was lost; EXIT_OK or EXIT_LOST. */
int lat_warn(const struct data *d, const struct lat_table *t, const char *where);

/* --- showing it (lat_text.c, lat_formats.c, lat_histogram.c) --- */

enum lat_unit { LAT_NS, LAT_US, LAT_MS };

struct lat_output {
	FILE *out;
	const struct data *data;
	const char *path;	/* of the recording; NULL: measured just now */
	enum lat_unit unit;
	long lines;		/* rows; 0: all; negative: as many as people read */
	int nr;			/* of the table, from 1 on; 0: there is but one */
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
