// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_tables.c - the tables of a report: one for each source, in its own unit, or one for all
 */
#include <string.h>

#include "lib/opt.h"
#include "report/report_print.h"

/* Is there a table for each source? A recording that was cut off has no list of sources yet. */
static bool is_split(const struct report_output *o)
{
	return !o->source && !report_keys_have(&o->order.keys, REPORT_SOURCE) &&
	       o->data->nr_sources;
}

static void choose_unit(struct report_output *o, const struct data_presence *of,
			enum data_count count, uint32_t id)
{
	data_unit_choose_one(&o->unit, o->data, of, count, id);
	o->order.by_weight = o->unit.by_weight;
}

/* The unit of the only table. */
static void choose_one(struct report_output *o, enum data_count count)
{
	data_unit_choose(&o->unit, o->data, count, o->source);
	o->order.by_weight = o->unit.by_weight;
	data_unit_tell(&o->unit, o->path);
}

/* The unit of the first table, and whether others have another one. */
static void choose_units(struct report_output *o, const struct data_presence *of,
			 enum data_count count)
{
	struct data_unit other = { .name = "" };
	uint32_t id;

	for (id = o->data->nr_sources; id-- > 1;) {
		if (!of->has_records[id] || !o->data->source[id].name)
			continue;
		choose_unit(o, of, count, id);
		o->units_differ |= *other.name && strcmp(other.name, o->unit.name);
		other = o->unit;
	}
	if (!*other.name)
		choose_one(o, count);
}

static void print_table(struct report_output *o, const struct report_printer *printer,
			const struct tally *tally, const char *name)
{
	struct data_fold_options fold = {
		.query = *o->query, .tally = tally,
		.count = o->unit.by_weight ? DATA_COUNT_NS : DATA_COUNT_SAMPLES,
	};
	struct report_table t;

	fold.query.source = name;
	report_table_make(&t, o->data, tally, &o->order);
	if (t.total)
		printer->table(o, name, &t, &fold);
	report_table_free(&t);
}

static void print_each(struct report_output *o, const struct report_printer *printer,
		       const struct data_presence *of, enum data_count count, struct tally *all)
{
	const struct data *d = o->data;
	struct tally part;
	uint32_t id;

	for (id = 1; id < d->nr_sources; id++) {
		if (!d->source[id].name)
			continue;
		choose_unit(o, of, count, id);
		tally_part(&part, all, id);
		print_table(o, printer, &part, d->source[id].name);
		tally_free(&part);
	}
}

int report_tables(struct report_output *o, const struct report_printer *printer,
		  enum data_count count, bool *is_empty)
{
	struct tally_query all_rows = *o->query;
	struct data_presence of;
	struct tally all;
	int ret;

	if (is_split(o)) {
		data_presence_of(&of, o->data);
		choose_units(o, &of, count);
	} else {
		choose_one(o, count);
	}
	printer->begin(o);
	report_query(&all_rows, &o->order.keys);
	/* Of a source that is not there, tally_check_source() has told. */
	ret = tally_make(&all, o->data, &all_rows) ? EXIT_ERROR : EXIT_OK;
	if (!ret) {
		if (is_split(o))
			print_each(o, printer, &of, count, &all);
		else
			print_table(o, printer, &all, o->source);
		*is_empty = !all.nr;
		tally_free(&all);
	}
	printer->end(o);
	return ret;
}
