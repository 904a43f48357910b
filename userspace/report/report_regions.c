// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_regions.c - the functions that ran in each region of a program: ticks and per cent
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/regions.h"
#include "lib/columns.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "report/report_regions.h"

/* A region, or the samples that are in none. */
struct region {
	size_t number;		/* 0: none */
	const char *name;
	struct tally part;
	struct report_table table;
};

struct regions_of {
	struct region *region;	/* by number; then sorted */
	size_t nr;
	uint64_t total;
};

/* Rows of the functions that were sampled, not of calls that were watched. */
static bool is_wanted(const struct report_output *o, const struct tally_row *row)
{
	uint32_t source = KPROF_KEY_SOURCE(row->key);

	return o->source || source >= o->data->nr_sources || !o->data->source[source].is_target;
}

static void part(struct regions_of *r, const struct report_output *o, const struct tally *all)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (all->row[i].region >= r->nr)
			r->nr = all->row[i].region + 1;
	r->region = mem_zalloc(r->nr, sizeof(*r->region));
	for (i = 0; i < all->nr; i++)
		r->region[all->row[i].region].part.nr += is_wanted(o, &all->row[i]);
	for (i = 0; i < r->nr; i++) {
		struct tally *t = &r->region[i].part;

		r->region[i].number = i;
		r->region[i].name = regions_name(o->data, i);
		t->row = mem_zalloc(t->nr, sizeof(*t->row));
		t->nr = 0;
	}
	for (i = 0; i < all->nr; i++) {
		struct tally *t = &r->region[all->row[i].region].part;

		if (is_wanted(o, &all->row[i]))
			t->row[t->nr++] = all->row[i];
	}
}

/* Most first; what is in no region comes last. */
static int by_share(const void *va, const void *vb)
{
	const struct region *a = va, *b = vb;

	if (!a->number != !b->number)
		return a->number ? -1 : 1;
	if (a->table.total != b->table.total)
		return a->table.total > b->table.total ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Leave only the entries that are shown; totals are of all. */
static void cut(const struct report_output *o, struct report_table *t)
{
	size_t i, nr = 0;

	for (i = 0; i < t->nr && (!o->lines || nr < (size_t)o->lines); i++)
		if (t->entry[i].self &&
		    report_percent(t->entry[i].self, t->total) >= o->percent_limit)
			t->entry[nr++] = t->entry[i];
	t->nr = nr;
}

static void print_text(const struct report_output *o, const struct regions_of *r)
{
	static const char *const names[] = { "ticks", "percent", "function" };
	struct columns c;
	size_t i, k;

	for (i = 0; i < r->nr; i++) {
		const struct report_table *t = &r->region[i].table;

		if (!t->total)
			continue;
		fprintf(o->out, "# %s: %" PRIu64 " tick%s, %.2f %% of all\n", r->region[i].name,
			t->samples, plural(t->samples), report_percent(t->total, r->total));
		columns_begin(&c, names, 3, 1);
		for (k = 0; k < t->nr; k++) {
			const struct report_entry *e = &t->entry[k];

			columns_add(&c, "%" PRIu64, e->samples);
			columns_add(&c, "%.2f", report_percent(e->self, t->total));
			columns_add(&c, *e->module ? "%s [%s]" : "%s", e->text[0], e->module);
		}
		columns_print(&c, o->out);
	}
}

static void print_csv(const struct report_output *o, const struct regions_of *r)
{
	struct csv c = csv_begin(o->out, NULL);
	size_t i, k;

	csv_text(&c, "region");
	csv_text(&c, "ticks");
	csv_text(&c, "percent");
	csv_text(&c, o->unit.name);
	csv_text(&c, "function");
	csv_text(&c, "module");
	csv_end_line(&c);
	for (i = 0; i < r->nr; i++) {
		const struct report_table *t = &r->region[i].table;

		for (k = 0; k < t->nr; k++) {
			const struct report_entry *e = &t->entry[k];

			csv_text(&c, r->region[i].name);
			csv_u64(&c, e->samples);
			csv_number(&c, report_percent(e->self, t->total), 4);
			csv_u64(&c, e->self);
			csv_text(&c, e->text[0]);
			csv_text(&c, e->module);
			csv_end_line(&c);
		}
	}
}

static void print_json(const struct report_output *o, const struct regions_of *r)
{
	struct json j = json_begin(o->out);
	size_t i, k;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "unit", o->unit.name);
	json_array(&j, "regions", JSON_LINES);
	for (i = 0; i < r->nr; i++) {
		const struct report_table *t = &r->region[i].table;

		if (!t->total)
			continue;
		json_object(&j, NULL, JSON_LINES);
		json_text(&j, "region", r->region[i].name);
		json_u64(&j, "ticks", t->samples);
		json_u64(&j, "self", t->total);
		json_number(&j, "percent", report_percent(t->total, r->total), 4);
		json_array(&j, "functions", JSON_LINES);
		for (k = 0; k < t->nr; k++) {
			const struct report_entry *e = &t->entry[k];

			json_object(&j, NULL, JSON_LINE);
			json_text(&j, "function", e->text[0]);
			json_text(&j, "module", e->module);
			json_u64(&j, "ticks", e->samples);
			json_u64(&j, "self", e->self);
			json_number(&j, "percent", report_percent(e->self, t->total), 4);
			json_close(&j);
		}
		json_close(&j);
		json_close(&j);
	}
	json_end(&j);
}

int report_regions(const struct report_output *o, enum report_regions_format format,
		   bool *is_empty)
{
	static void (*const print[])(const struct report_output *o, const struct regions_of *r) = {
		[REPORT_REGIONS_TEXT] = print_text, [REPORT_REGIONS_CSV] = print_csv,
		[REPORT_REGIONS_JSON] = print_json,
	};
	struct report_order order = {
		.keys = { .key = { REPORT_SYM }, .nr = 1 }, .by_weight = o->unit.by_weight,
	};
	struct tally_query query = *o->query;
	struct regions_of r = { .nr = 0 };
	struct tally all;
	size_t i;

	query.by_region = true;
	if (tally_make(&all, o->data, &query))
		return EXIT_ERROR;
	*is_empty = !all.nr;
	part(&r, o, &all);
	for (i = 0; i < r.nr; i++) {
		report_table_make(&r.region[i].table, o->data, &r.region[i].part, &order);
		cut(o, &r.region[i].table);
		r.total += r.region[i].table.total;
	}
	if (r.nr)
		qsort(r.region, r.nr, sizeof(*r.region), by_share);
	print[format](o, &r);
	for (i = 0; i < r.nr; i++) {
		report_table_free(&r.region[i].table);
		tally_free(&r.region[i].part);
	}
	free(r.region);
	tally_free(&all);
	return EXIT_OK;
}
