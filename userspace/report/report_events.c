// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_events.c - the columns of a report for sources with several counters
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "data/tally.h"
#include "lib/mem.h"
#include "report/report_events.h"

#define COUNT_WIDTH	14
#define RATIO_WIDTH	6
#define RATIO_NAME	"ipc"	/* instructions per cycle */

static int find(const struct report_events *e, const char *name)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		if (!strcmp(e->name[i], name))
			return i;
	return -1;
}

static void find_ratio(struct report_events *e)
{
	e->cycles = find(e, "cycles");
	e->instructions = find(e, "instructions");
}

/* Add the events of a list, each once. @source comes from a file, so it can be anything. */
static void add(struct report_events *e, const char *source)
{
	char name[REPORT_EVENT_NAME];
	int len, i;

	if (!source || !strchr(source, ','))
		return;
	for (i = 0; i < TALLY_COUNTS && *source; i++) {
		len = strcspn(source, ",");
		snprintf(name, sizeof(name), "%.*s", len, source);
		if (find(e, name) < 0) {
			e->name = mem_grow(e->name, &e->room, e->nr + 1, sizeof(*e->name));
			memcpy(e->name[e->nr++], name, sizeof(name));
		}
		source += len + !!source[len];
	}
}

void report_events_of_source(struct report_events *e, const char *source)
{
	*e = (struct report_events){ 0 };
	add(e, source);
	find_ratio(e);
}

void report_events_of_data(struct report_events *e, const struct data *d)
{
	uint32_t id;

	*e = (struct report_events){ 0 };
	for (id = 1; id < d->nr_sources; id++)
		if (!d->source[id].is_target)
			add(e, d->source[id].name);
	find_ratio(e);
}

void report_events_free(struct report_events *e)
{
	free(e->name);
}

static bool has_ratio(const struct report_events *e)
{
	return e->cycles >= 0 && e->instructions >= 0;
}

/* Compute the ratio. Returns false if it cannot be computed from these counts. */
static bool ratio(const struct report_events *e, const uint64_t *count, double *value)
{
	if (!has_ratio(e) || !count[e->cycles])
		return false;
	*value = (double)count[e->instructions] / count[e->cycles];
	return true;
}

void report_events_header(const struct report_events *e, FILE *out)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		fprintf(out, " %*s", COUNT_WIDTH, e->name[i]);
	if (has_ratio(e))
		fprintf(out, " %*s", RATIO_WIDTH, RATIO_NAME);
}

void report_events_text(const struct report_events *e, const uint64_t *count, FILE *out)
{
	double value;
	size_t i;

	for (i = 0; i < e->nr; i++)
		fprintf(out, " %*" PRIu64, COUNT_WIDTH, count[i]);
	if (ratio(e, count, &value))
		fprintf(out, " %*.2f", RATIO_WIDTH, value);
	else if (has_ratio(e))
		fprintf(out, " %*s", RATIO_WIDTH, "-");
}

void report_events_total(const struct report_events *e, const uint64_t *count, FILE *out)
{
	double value;
	size_t i;

	for (i = 0; i < e->nr; i++)
		fprintf(out, "%s%" PRIu64 " %s", i ? ", " : "# ", count[i], e->name[i]);
	if (ratio(e, count, &value))
		fprintf(out, ", %.2f instructions per cycle", value);
	if (e->nr)
		fputc('\n', out);
}

void report_events_json(const struct report_events *e, const uint64_t *count, struct json *j)
{
	double value;
	size_t i;

	if (!e->nr)
		return;
	json_object(j, "counts", JSON_LINE);
	for (i = 0; i < e->nr; i++)
		json_u64(j, e->name[i], count[i]);
	json_close(j);
	if (ratio(e, count, &value))
		json_number(j, RATIO_NAME, value, 4);
}

void report_events_csv_header(const struct report_events *all, struct csv *c)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		csv_text(c, all->name[i]);
	if (has_ratio(all))
		csv_text(c, RATIO_NAME);
}

/* The column of an event that a source does not have stays empty. */
void report_events_csv(const struct report_events *all, const struct report_events *here,
		       const uint64_t *count, struct csv *c)
{
	double value;
	size_t i;
	int at;

	for (i = 0; i < all->nr; i++) {
		at = find(here, all->name[i]);
		if (at >= 0)
			csv_u64(c, count[at]);
		else
			csv_empty(c);
	}
	if (!has_ratio(all))
		return;
	if (ratio(here, count, &value))
		csv_number(c, value, 4);
	else
		csv_empty(c);
}
