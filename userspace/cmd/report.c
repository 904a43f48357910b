// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - kprof report: options, and what is put together into a report
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "lat/lat.h"
#include "lib/msg.h"
#include "lib/pager.h"
#include "report/report.h"
#include "report/report_print.h"

static bool ns, samples, callers, csv, json, us, ms, histogram, net;
static int sort = -1, context = TALLY_ANY;
static long lines = -1;
static double percent_limit = -1;
static enum data_count count;
static const char *source, *cpus;
static struct frames_options frames;
static struct filter_options filter_options;
static struct filter filter;

/* Which samples are looked at: of --source, --cpus and --context. */
static struct tally_query query;

/* Those of report_sort_names, then those of lat_sort_names. */
static const char *const sort_names[] = {
	"sym", "comm", "pid", "cpu", "source", "context", "total", "self", "calls", "avg", "min",
	"p50", "p90", "p99", "max", "name", NULL
};

#define SORT_LAT	(REPORT_CONTEXT + 1)

static const struct opt opts[] = {
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &sort, .arg = "KEY",
	  .choices = sort_names,
	  .help = "a line for each sym, comm, pid (thread), cpu, source or\ncontext; default sym; "
		  "of 'kprof lat', its order: total (the\ndefault), self, calls, avg, min, p50, p90, "
		  "p99, max, name" },
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &callers,
	  .help = "with --sort sym: who called it, below each symbol" },
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9,
	  .help = "no more than N lines of a table; of 'kprof lat' default\n"
		  "40, of --csv and --json all" },
	{ .name = "percent-limit", .type = OPT_DOUBLE, .value = &percent_limit, .arg = "P",
	  .min = 0, .max = 100,
	  .help = "only lines and callers of at least P percent; default\n"
		  "0.005: what would be shown as 0.00" },
	OPTION_SOURCE(&source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&context),
#include "cmd/filter_options.list"
	OPTION_NS(&ns),
	OPTION_SAMPLES(&samples),
	OPTION_US(&us),
	OPTION_MS(&ms),
	{ .letter = 'H', .name = "histogram", .type = OPT_FLAG, .value = &histogram,
	  .help = "of 'kprof lat': draw how the calls of each row are spread" },
	{ .name = "net", .type = OPT_FLAG, .value = &net,
	  .help = "of 'kprof lat': " LAT_NET_HELP },
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SRCLINE(&frames.lines),
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the table as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	{ 0 }
};

static const struct report_printer *printer(void)
{
	return json ? &report_json : csv ? &report_csv : &report_text;
}

static void table(struct report_output *o, const struct tally *tally, const char *name)
{
	struct data_fold_options fold = {
		.query = query, .tally = tally,
		.count = o->unit.by_weight ? DATA_COUNT_NS : DATA_COUNT_SAMPLES,
	};
	struct report_table t;

	fold.query.source = name;
	report_table_make(&t, o->data, tally, o->sort, o->unit.by_weight);
	if (t.total)
		printer()->table(o, name, &t, &fold);
	report_table_free(&t);
}

/* One of each source; of all sources where they are what is compared. */
static int tables(struct report_output *o)
{
	const struct data *d = o->data;
	struct tally_query all_rows = query;
	struct tally all, part;
	uint32_t id;

	report_query(&all_rows, o->sort);
	if (tally_make(&all, d, &all_rows))
		return msg_error("--source: '%s' is no source of the recording", source);
	/* A recording that was cut off has no list of sources yet. */
	if (source || o->sort == REPORT_SOURCE || !d->nr_sources)
		table(o, &all, source);
	else
		for (id = 1; id < d->nr_sources; id++) {
			if (!d->source[id].name)
				continue;
			tally_part(&part, &all, id);
			table(o, &part, d->source[id].name);
			tally_free(&part);
		}
	if (!all.nr && d->nr_records)
		msg_warn("no sample of %s is left by what was asked for; 'kprof report' without it, or "
			 "with --sort comm, pid or context, shows what there is", o->path);
	tally_free(&all);
	return EXIT_OK;
}

static int report(const struct data *d, const char *path)
{
	struct report_output o = {
		.data = d, .path = path, .lines = lines < 0 ? 0 : lines,
		.percent_limit = percent_limit, .source = source, .cpus = cpus, .query = &query,
		.filter = &filter_options,
		.sort = sort < 0 ? REPORT_SYM : sort,
	};
	struct pager pager;
	int ret;

	o.out = pager_begin(&pager);
	o.color = pager_color(&pager);
	o.callers = callers && o.sort == REPORT_SYM;
	data_unit_choose(&o.unit, d, count, source);
	printer()->begin(&o);
	ret = tables(&o);
	printer()->end(&o);
	pager_end(&pager);
	return ret;
}

/* The table of 'kprof lat', once more. */
static int report_measurement(const struct data *d, const char *path)
{
	struct lat_output o = {
		.out = stdout, .data = d, .path = path,
		.lines = lines < 0 && (csv || json) ? 0 : lines, .histogram = histogram,
		.unit = ms ? LAT_MS : us ? LAT_US : LAT_NS, .net = net,
	};
	struct buf where = { 0 };
	struct lat_table t;
	char error[256];
	int ret;

	if (lat_of_data(&t, d, error)) {
		ret = msg_error("%s: %s", path, error);
	} else {
		if (net)
			lat_net(&t, d);
		lat_sort(&t, sort < 0 ? LAT_TOTAL : sort - SORT_LAT);
		(json ? lat_print_json : csv ? lat_print_csv : lat_print_text)(&o, &t);
		buf_printf(&where, "%s: ", path);
		ret = lat_warn(d, &t, where.data);
	}
	buf_free(&where);
	lat_free(&t);
	return ret;
}

static int check_sort(const struct data *d, const char *path)
{
	if (!lat_is_measurement(d) && sort >= SORT_LAT)
		return msg_usage("--sort: '%s' is an order of rows of 'kprof lat', and %s is a "
				 "recording of stacks: give sym, comm, pid, cpu, source or context",
				 sort_names[sort], path);
	if (lat_is_measurement(d) && sort >= 0 && sort < SORT_LAT)
		return msg_usage("--sort: %s is a measurement of 'kprof lat', whose rows are sorted by "
				 "total, self, calls, avg, min, p50, p90, p99, max or name, not by '%s'",
				 path, sort_names[sort]);
	return EXIT_OK;
}

/* What means nothing for this kind of recording is refused, not passed over. */
static int check_kind(const struct data *d, const char *path)
{
	const char *of_stacks = source ? "--source" : cpus ? "--cpus" :
		context != TALLY_ANY ? "--context" : callers ? "--callers" :
		percent_limit >= 0 ? "--percent-limit" : samples ? "--samples" :
		filter_options_given(&filter_options);
	const char *of_lat = net ? "--net" : us ? "--us" : ms ? "--ms" :
		histogram ? "--histogram" : NULL;

	if (lat_is_measurement(d) && of_stacks)
		return msg_usage("%s: %s is a measurement of 'kprof lat', of which no single call is "
				 "kept: measure with if=, --cpus or by=KEY", of_stacks, path);
	if (!lat_is_measurement(d) && of_lat)
		return msg_usage("%s is for measurements of 'kprof lat', and %s is a recording of "
				 "stacks", of_lat, path);
	return EXIT_OK;
}

static int report_any(const struct data *d, const char *path)
{
	int ret = check_sort(d, path);

	if (!ret)
		ret = check_kind(d, path);

	if (ret)
		return ret;
	ret = lat_is_measurement(d) ? report_measurement(d, path) : report(d, path);
	return ret ? ret : account_warn(d, path);
}

static int run(int argc, char **argv)
{
	const char *path = argc ? argv[0] : "kprof.data";
	struct data d;
	int ret;

	if (argc > 1)
		return msg_usage("one recording at a time, not also '%s'", argv[1]);
	query = (struct tally_query){ .source = source, .context = context, .filter = &filter };
	if (data_count_of_options(ns, samples, &count) || option_query_cpus(&query, cpus))
		return EXIT_USAGE;
	if (csv && json)
		return msg_contradiction("--csv", "--json");
	if (us && ms)
		return msg_contradiction("--us", "--ms");
	if (data_open(&d, path))
		ret = msg_error("%s: %s", path, d.error);
	else
		ret = frames_open(&d, &frames, path);
	if (!ret)
		ret = filter_open(&filter, &d, &filter_options);
	if (!ret)
		ret = report_any(&d, path);
	filter_close(&filter);
	data_close(&d);
	return ret;
}

const struct verb verb_report = {
	.name = "report",
	.args = "[FILE]",
	.summary = "Show what a recording says: shares of the time, latencies",
	.details =
		"FILE is a recording of 'kprof record' or 'kprof lat', by default kprof.data; - is\n"
		"standard input.\n"
		"'self' is where the samples were taken, 'children' adds what was called from\n"
		"there. Shares are of the time that samples stand for. On a terminal the report\n"
		"goes through $PAGER; NO_COLOR turns colours off.\n\n"
		"Examples:\n"
		"  kprof report -g --percent-limit 1\n"
		"  kprof report --sort comm --samples\n"
		"  kprof report --json | jq .latency\n",
	.opts = opts,
	.run = run,
};
