// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - kprof diff: compare two measurements of latency, or two sets of stacks
 */
#include <errno.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "diff/diff.h"
#include "diff/diff_stacks.h"
#include "lib/msg.h"

static bool csv, json, us, ms, ns, samples, net;
static enum data_count count;
static double threshold = 1;
static long lines;
static const char *svg;

static const struct opt opts[] = {
	OPTION_US(&us),
	OPTION_MS(&ms),
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9, .help = "no more than N rows" },
	{ .name = "threshold", .type = OPT_DOUBLE, .value = &threshold, .arg = "P",
	  .min = 0, .max = 1000,
	  .help = "differences of up to P percent are none; default 1" },
	{ .name = "net", .type = OPT_FLAG, .value = &net, .help = LAT_NET_HELP },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the rows as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json,
	  .help = "all of it as JSON, in nanoseconds" },
	OPTION_NS(&ns),
	OPTION_SAMPLES(&samples),
	{ .name = "svg", .type = OPT_STRING, .value = &svg, .arg = "FILE",
	  .help = "a picture, instead: the two histograms of each row over\n"
		  "each other; - is standard output" },
	{ 0 }
};

static int take_table(struct diff *d, const struct stacks_side *file, enum diff_side side)
{
	char error[256];

	d->path[side] = file->name;
	d->data[side] = &file->data;
	if (!lat_is_measurement(&file->data))
		return msg_error("%s: no measurement of latency: record one with "
				 "'kprof lat --output FILE'", file->name);
	if (lat_of_data(&d->table[side], &file->data, error))
		return msg_error("%s: %s", file->name, error);
	if (net)
		lat_net(&d->table[side], &file->data);
	lat_sort(&d->table[side], LAT_NAME);
	return EXIT_OK;
}

static int draw(struct diff_output *o, const struct diff *d)
{
	int error;

	if (!strcmp(svg, "-")) {
		diff_print_svg(o, d);
		return EXIT_OK;
	}
	o->out = fopen(svg, "w");
	if (!o->out)
		return msg_error("--svg: cannot create '%s': %s", svg, strerror(errno));
	diff_print_svg(o, d);
	error = ferror(o->out);
	if (fclose(o->out) || error)
		return msg_error("--svg: cannot write '%s': %s", svg, strerror(errno));
	return EXIT_OK;
}

static int show(const struct diff *d)
{
	struct diff_output o = {
		.out = stdout, .lines = lines, .unit = ms ? LAT_MS : us ? LAT_US : LAT_NS,
	};

	if (svg)
		return draw(&o, d);
	(json ? diff_print_json : csv ? diff_print_csv : diff_print_text)(&o, d);
	return EXIT_OK;
}

/* Warn of losses on either side, as they affect the comparison. */
static int warn(const struct diff *d)
{
	int side, ret = EXIT_OK;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		struct buf where = { 0 };

		buf_printf(&where, "%s: ", d->path[side]);
		if (lat_warn(d->data[side], &d->table[side], where.data) ||
		    account_warn(d->data[side], d->path[side]))
			ret = EXIT_LOST;
		buf_free(&where);
	}
	return ret;
}

static int compare_tables(const struct stacks_side file[DIFF_NR_SIDES])
{
	struct diff d = { .threshold = threshold, .net = net };
	int ret = take_table(&d, &file[DIFF_A], DIFF_A);

	if (!ret)
		ret = take_table(&d, &file[DIFF_B], DIFF_B);
	if (!ret) {
		diff_boot_make(&d);
		diff_absences_make(&d);
		diff_rows_make(&d);
		ret = show(&d);
	}
	if (!ret)
		ret = warn(&d);
	diff_free(&d);
	return ret;
}

/* Is this a recording of samples or calls, or folded text? A recording of lat has only a table. */
static bool has_stacks(const struct stacks_side *file)
{
	return !file->is_recording ||
	       (!lat_is_measurement(&file->data) && file->data.nr_records);
}

static int compare_stacks(struct stacks_side file[DIFF_NR_SIDES])
{
	struct diff_stacks_options o = {
		.part = { .query = { .context = TALLY_ANY }, .count = count },
		.lines = lines ? lines : csv ? 0 : 40, .csv = csv,
	};
	bool first = has_stacks(&file[DIFF_A]);

	if (!first || !has_stacks(&file[DIFF_B]))
		return msg_error("'%s' has stacks and '%s' has none: two of a kind are compared",
				 file[!first].name, file[first].name);
	if (net)
		return msg_usage("--net is of latencies: what a sample costs is in no stack");
	if (json || svg || us || ms)
		return msg_usage("of stacks there is a table, and --csv; 'kprof flame A B' draws them");
	return diff_stacks(file, &o);
}

static int compare(char *const path[DIFF_NR_SIDES])
{
	const char *recording_only = ns || samples ? "--ns and --samples" : NULL;
	struct stacks_side file[DIFF_NR_SIDES];
	int ret = stacks_read_two(file, path, recording_only);

	if (ret == EXIT_OK)
		ret = has_stacks(&file[DIFF_A]) || has_stacks(&file[DIFF_B]) ?
		      compare_stacks(file) : compare_tables(file);
	stacks_close_two(file);
	return ret;
}

static int run(int argc, char **argv)
{
	if (argc != 2)
		return msg_usage("two recordings are compared, %d %s given", argc,
				 argc == 1 ? "is" : "are");
	if (csv + json + !!svg > 1)
		return msg_usage("--csv, --json and --svg contradict each other: give one of them");
	if (us && ms)
		return msg_contradiction("--us", "--ms");
	if (data_count_of_options(ns, samples, &count))
		return EXIT_USAGE;
	return compare(argv);
}

const struct verb verb_diff = {
	.name = "diff",
	.args = "A B",
	.summary = "Compare two recordings, row by row",
	.details =
		"A and B are recordings of 'kprof record', or folded texts, whose functions are\n"
		"compared, or recordings of 'kprof lat --output'. Of these, first comes what differs\n"
		"between the boots, and why functions have no calls on one side; then the rows that\n"
		"both have, by what B takes longer in all, split into more calls and slower calls.\n"
		"The interval is Welch's 95 % confidence interval of the difference of the averages.\n\n"
		"Exit status 3: the comparison is there, but one of the recordings lost calls.\n\n"
		"Examples:\n"
		"  kprof lat allocate_slab -o before.data -- make -j8\n"
		"  kprof diff before.data after.data\n"
		"  kprof diff --svg diff.svg before.data after.data\n"
		"  kprof record -o a.data -- make; kprof record -o b.data -- make -j2\n"
		"  kprof diff a.data b.data\n",
	.opts = opts,
	.run = run,
};
