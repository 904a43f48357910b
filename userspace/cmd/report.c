// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - kprof report: check options, and print the parts of a report
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "data/cgroups.h"
#include "data/empty.h"
#include "data/kept_code.h"
#include "data/regions.h"
#include "lat/lat.h"
#include "lib/msg.h"
#include "lib/pager.h"
#include "report/report.h"
#include "report/report_print.h"
#include "report/report_regions.h"
#include "wall/wall.h"

static bool ns, samples, callers, csv, json, us, ms, histogram, net, states, waits, all_waits;
static bool of_regions;
static bool children, no_children, stdio;
static int context = TALLY_ANY, tree = REPORT_NO_TREE;
static long lines = -1;
static double percent_limit = -1;
static enum data_count count;
static const char *sort, *source, *cpus, *input;
static struct frames_options frames;
static struct filter_options filter_options;
static struct filter filter;

/* Selects samples by --source, --cpus and --context. */
static struct tally_query query;

/* For completion: the keys, then the orders of rows of lat. */
static const char *const *sort_names(void)
{
	static const char *names[REPORT_NR_KEYS + LAT_NAME + 2];
	size_t i, nr = 0;

	for (i = 0; report_key_names[i]; i++)
		names[nr++] = report_key_names[i];
	for (i = 0; lat_sort_names[i]; i++)
		names[nr++] = lat_sort_names[i];
	names[nr] = NULL;
	return names;
}

static const struct opt opts[] = {
	{ .letter = 's', .name = "sort", .type = OPT_STRING, .value = &sort, .arg = "KEY[,KEY...]",
	  .values = sort_names,
	  .help = "a line for each sym, comm, pid (thread), cpu, source,\n"
		  "context, module, region, cgroup or srcline (FILE:LINE),\n"
		  "or each combination;\n"
		  "default sym;\n"
		  "of 'kprof lat', its order: total (the default), self,\n"
		  "calls, avg, min, p50, p90, p99, max, name" },
	{ .name = "children", .type = OPT_FLAG, .value = &children,
	  .help = "lines by what they have with what they called" },
	{ .name = "no-children", .type = OPT_FLAG, .value = &no_children,
	  .help = "lines by what they have of their own: the default" },
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &callers,
	  .help = "who called it, below each line" },
	{ .name = "tree", .type = OPT_CHOICE, .value = &tree, .arg = "DIRECTION",
	  .choices = report_tree_names,
	  .help = "stacks as a tree: down, from who called to what was\ncalled, or up, from what "
		  "ran to who called it; with\n--sort a tree below each line" },
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9,
	  .help = "no more than N lines of a table; of 'kprof lat' default\n"
		  "40, of --csv and --json all" },
	{ .name = "percent-limit", .type = OPT_DOUBLE, .value = &percent_limit, .arg = "P",
	  .min = 0, .max = 100,
	  .help = "only lines and callers of at least P percent; default\n"
		  "0.005: what would be shown as 0.00; of a tree 0.5" },
	{ .name = "states", .type = OPT_FLAG, .value = &states,
	  .help = "of 'kprof record --wall': how long each task ran, waited for\n"
		  "a CPU and was blocked" },
	{ .name = "waits", .type = OPT_FLAG, .value = &waits,
	  .help = "of 'kprof record --wall': who waited for whom, and why that\n"
		  "one took so long" },
	{ .name = "all-waits", .type = OPT_FLAG, .value = &all_waits,
	  .help = "as --waits, with sleeps until a timer, kernel threads\n"
		  "without work, and what kprof itself ended" },
	{ .name = "regions", .type = OPT_FLAG, .value = &of_regions,
	  .help = "of 'kprof record --regions': the functions in each region that\n"
		  "the program marks" },
	OPTION_INPUT(&input, "the recording, as FILE is"),
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
	{ .name = "stdio", .type = OPT_FLAG, .value = &stdio,
	  .help = "as text, which it is anyway: for who is used to perf" },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the table as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	OPTION_NO_PAGER,
	{ 0 }
};

static void tell_empty(const struct data *d, const char *path, bool is_wall)
{
	struct empty empty = {
		.path = path, .what = is_wall ? "no task" : "no sample", .is_wall = is_wall,
		.filter = &filter_options, .source = source, .cpus = cpus, .context = context,
	};

	empty_tell_of(&empty, d);
}

/* Check options of a table for each region: it has one order, and functions alone. */
static int check_regions(void)
{
	const char *other = sort ? "--sort" : callers ? "--callers" : children ? "--children" :
		tree != REPORT_NO_TREE ? "--tree" : states ? "--states" : waits ? "--waits" : NULL;

	return of_regions && other ? msg_contradiction("--regions", other) : EXIT_OK;
}

/* Check options of a tree: it has its own order, and branches of all sizes. */
static int check_tree(void)
{
	const char *other = callers ? "--callers" : children ? "--children" :
		lines >= 0 ? "--lines" : NULL;

	return tree != REPORT_NO_TREE && other ? msg_contradiction("--tree", other) : EXIT_OK;
}

static int take_keys(struct report_keys *keys, const char *path)
{
	if (report_keys_parse(keys, sort ? sort : report_key_names[REPORT_SYM], path))
		return EXIT_USAGE;
	if (callers && report_keys_have(keys, REPORT_MODULE) && !report_keys_have(keys, REPORT_SYM))
		return msg_usage("--callers: of a module there is no one caller: add sym to --sort");
	if (callers && report_keys_have(keys, REPORT_SRCLINE))
		return msg_usage("--callers: callers are those of functions: give --srcline, by which lines are part of their names, in place of '--sort %s'",
				 sort);
	return EXIT_OK;
}

static int report(struct data *d, const char *path)
{
	struct report_output o = {
		.data = d, .path = path, .lines = lines < 0 ? 0 : lines,
		.percent_limit = percent_limit, .source = source, .cpus = cpus, .query = &query,
		.filter = &filter_options, .callers = callers, .tree = tree, .is_grouped = sort,
	};
	struct pager pager;
	bool is_empty;
	int ret;

	if (take_keys(&o.order.keys, path))
		return EXIT_USAGE;
	if (report_keys_have(&o.order.keys, REPORT_REGION) && regions_open(d, path))
		return EXIT_ERROR;
	if (report_keys_have(&o.order.keys, REPORT_CGROUP) && cgroups_check(d, path))
		return EXIT_ERROR;
	if (kept_code_load(d, path))
		return EXIT_ERROR;
	o.out = pager_begin(&pager);
	o.color = pager_color(&pager);
	o.order.by_children = children;
	ret = report_tables(&o, json ? &report_json : csv ? &report_csv : &report_text, count,
			    &is_empty);
	pager_end(&pager);
	if (!ret && is_empty)
		tell_empty(d, path, false);
	return ret;
}

/* Print the table of a recording of 'kprof lat' again. */
static int report_measurement(const struct data *d, const char *path, enum lat_sort order)
{
	struct lat_output o = {
		.data = d, .path = path,
		.lines = lines < 0 && (csv || json) ? 0 : lines, .histogram = histogram,
		.unit = ms ? LAT_MS : us ? LAT_US : LAT_NS, .net = net, .sort = order,
	};
	struct buf where = { 0 };
	struct pager pager;
	struct lat_table t;
	char error[256];
	int ret;

	if (lat_of_data(&t, d, error)) {
		ret = msg_error("%s: %s", path, error);
	} else {
		if (net)
			lat_net(&t, d);
		lat_sort(&t, order);
		o.out = pager_begin(&pager);
		(json ? lat_print_json : csv ? lat_print_csv : lat_print_text)(&o, &t);
		pager_end(&pager);
		buf_printf(&where, "%s: ", path);
		ret = lat_warn(d, &t, where.data);
	}
	buf_free(&where);
	lat_free(&t);
	return ret;
}

/* Print what ran in each region of a program. */
static int report_of_regions(struct data *d, const char *path)
{
	struct report_output o = {
		.data = d, .path = path, .lines = lines < 0 ? 0 : lines, .source = source,
		.percent_limit = percent_limit, .query = &query,
	};
	bool is_empty = false;
	struct pager pager;
	int ret = regions_open(d, path);

	if (ret)
		return ret;
	data_unit_choose(&o.unit, d, count, source);
	o.out = pager_begin(&pager);
	ret = report_regions(&o, json ? REPORT_REGIONS_JSON : csv ? REPORT_REGIONS_CSV :
			     REPORT_REGIONS_TEXT, &is_empty);
	pager_end(&pager);
	if (!ret && is_empty)
		tell_empty(d, path, false);
	return ret;
}

/* Print how long each task was in each state, or for whom it waited. */
static int report_wall(const struct data *d, const char *path)
{
	enum wall_format format = json ? WALL_JSON : csv ? WALL_CSV : WALL_TEXT;
	struct wall w, part;
	struct pager pager;
	int ret = wall_make(&w, d, path);

	if (!ret) {
		FILE *out = pager_begin(&pager);

		wall_select(&part, &w, &query);
		if (waits)
			wall_print_waits(&w, &part, format, lines < 0 ? 0 : lines, all_waits, out);
		else
			wall_print(&part, format, lines < 0 ? 0 : lines, out);
		pager_end(&pager);
		if (!wall_shows_any(&part))
			tell_empty(d, path, true);
		wall_free(&part);
	}
	wall_free(&w);
	return ret;
}

/* The tables of --wall have one order, and are of all that makes up the time of a task. */
static int check_wall(const struct data *d, const char *path)
{
	const char *name = states ? "--states" : waits ? "--waits" : NULL;
	const char *part = source ? "--source" : callers ? "--callers" :
		children ? "--children" : tree != REPORT_NO_TREE ? "--tree" :
		percent_limit >= 0 ? "--percent-limit" :
		samples ? "--samples" : ns ? "--ns" : sort ? "--sort" :
		filter_options.region ? "--region" : NULL;

	if (name && lat_is_measurement(d))
		return msg_usage("%s is for recordings of 'kprof record --wall', and %s is a "
				 "measurement of 'kprof lat'", name, path);
	if (name && part)
		return msg_usage("%s is of what a task did at each time, and %s is of samples",
				 name, part);
	return EXIT_OK;
}

/* Refuse options that mean nothing for this kind of recording, rather than ignore them. */
static int check_kind(const struct data *d, const char *path)
{
	const char *of_stacks = source ? "--source" : cpus ? "--cpus" :
		context != TALLY_ANY ? "--context" : callers ? "--callers" :
		children ? "--children" : tree != REPORT_NO_TREE ? "--tree" :
		percent_limit >= 0 ? "--percent-limit" : samples ? "--samples" :
		of_regions ? "--regions" : filter_options_given(&filter_options);
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

/* Parse the order of the rows of lat. */
static int take_lat_sort(enum lat_sort *order, const char *path)
{
	int i = 0;

	*order = LAT_TOTAL;
	if (!sort)
		return EXIT_OK;
	while (lat_sort_names[i] && strcmp(lat_sort_names[i], sort))
		i++;
	if (!lat_sort_names[i])
		return msg_usage("--sort: %s is a measurement of 'kprof lat', whose rows are sorted by "
				 "total, self, calls, avg, min, p50, p90, p99, max or name, not by '%s'",
				 path, sort);
	*order = i;
	return EXIT_OK;
}

static int report_any(struct data *d, const char *path)
{
	enum lat_sort order;
	int ret = check_wall(d, path);

	if (!ret)
		ret = tally_check_source(d, source, path);
	if (ret)
		return ret;
	if (states || waits) {
		ret = report_wall(d, path);
	} else if (of_regions) {
		ret = report_of_regions(d, path);
	} else if (!lat_is_measurement(d)) {
		ret = report(d, path);
	} else {
		ret = take_lat_sort(&order, path);
		if (!ret)
			ret = report_measurement(d, path, order);
	}
	return ret ? ret : account_warn(d, path);
}

/* What perf report -g takes as its value would be a file here. */
static int check_operand(const char *operand)
{
	static const char *const kinds[] = {
		"none", "graph", "flat", "fractal", "folded", "caller", "callee"
	};
	size_t len = strcspn(operand, ","), i;

	for (i = 0; callers && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i]) == len && !strncmp(operand, kinds[i], len) &&
		    access(operand, F_OK))
			return msg_usage("--callers takes no value, and there is no file '%s': "
					 "--tree down is from who called to what was called, up "
					 "the other way, and --percent-limit P leaves out less",
					 operand);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	const char *path;
	struct data d;
	int ret;

	query = (struct tally_query){ .source = source, .context = context, .filter = &filter };
	if (data_count_of_options(ns, samples, &count) || option_query_cpus(&query, cpus))
		return EXIT_USAGE;
	if (csv && json)
		return msg_contradiction("--csv", "--json");
	if (callers && (csv || json))
		return msg_contradiction("--callers", csv ? "--csv" : "--json");
	if (stdio && (csv || json))
		return msg_contradiction("--stdio", csv ? "--csv" : "--json");
	if (children && no_children)
		return msg_contradiction("--children", "--no-children");
	waits |= all_waits;
	if (check_tree() || check_regions())
		return EXIT_USAGE;
	if (us && ms)
		return msg_contradiction("--us", "--ms");
	if (states && waits)
		return msg_contradiction("--states", all_waits ? "--all-waits" : "--waits");
	ret = argc ? check_operand(*argv) : EXIT_OK;
	if (!ret)
		ret = option_take_recording(&path, argc, argv, input);
	if (ret)
		return ret;
	ret = frames_open_recording(&d, &frames, path);
	/* A filter that is of samples cannot be opened where there are none. */
	if (!ret)
		ret = check_kind(&d, path);
	if (!ret)
		ret = filter_open(&filter, &d, &filter_options, path);
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
		"goes through $PAGER, or pager or less; NO_COLOR turns colours off.\n\n"
		"Examples:\n"
		"  kprof report -g --percent-limit 1\n"
		"  kprof report --tree down --percent-limit 2\n"
		"  kprof report --tree up --sort comm,module,sym\n"
		"  kprof report --sort comm,module --samples\n"
		"  kprof report --states\n"
		"  kprof report --regions\n"
		"  kprof report --waits --comm 'worker*'\n"
		"  kprof report --json | jq .latency\n",
	.opts = opts,
	.hints = hints_of_report,
	.run = run,
};
