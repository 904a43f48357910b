// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - kprof diff: compare latencies, stacks or blocks of two recordings, or several of each
 */
#include <errno.h>
#include <string.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "data/kept_code.h"
#include "diff/diff.h"
#include "diff/diff_blocks.h"
#include "diff/diff_runs.h"
#include "diff/diff_stacks.h"
#include "lib/msg.h"
#include "lib/output.h"

static bool csv, json, us, ms, ns, samples, net, exit_code, shares, counts;
static enum data_count count;
static enum stacks_by by;
static double threshold = -1, rate;	/* -1: not given */
static long lines;
static const char *svg, *source;
static int format = TEXT_AUTO;
static struct filter_options filter_options;

static const struct opt opts[] = {
	OPTION_US(&us),
	OPTION_MS(&ms),
	{ .letter = 'n', .name = "lines", .type = OPT_LONG, .value = &lines, .arg = "N",
	  .min = 1, .max = 1e9, .help = "no more than N rows" },
	{ .name = "threshold", .type = OPT_DOUBLE, .value = &threshold, .arg = "P",
	  .min = 0, .max = 1000,
	  .help = "differences of up to P percent are none; default 1; not of\n"
		  "stacks of two recordings" },
	{ .name = "net", .type = OPT_FLAG, .value = &net, .help = LAT_NET_HELP },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv, .help = "the rows as CSV" },
	{ .name = "json", .type = OPT_FLAG, .value = &json,
	  .help = "all of it as JSON, in nanoseconds or what stacks count" },
	OPTION_NS(&ns),
	OPTION_SAMPLES(&samples),
	OPTION_SOURCE(&source),
	OPTION_FORMAT(&format),
#include "cmd/filter_options.list"
	{ .name = "normalize", .type = OPT_FLAG, .value = &shares, .help = STACKS_SHARES_HELP },
	{ .name = "no-normalize", .type = OPT_FLAG, .value = &counts,
	  .help = STACKS_COUNTS_HELP },
	{ .name = "svg", .type = OPT_STRING, .value = &svg, .arg = "FILE",
	  .help = "a picture, instead: the two histograms of each row over\n"
		  "each other; - is standard output" },
	{ .name = "fdr", .type = OPT_DOUBLE, .value = &rate, .arg = "RATE",
	  .min = 0.000001, .max = 0.5,
	  .help = "of several runs: the share of false discoveries among\n"
		  "the differences found, on average; default 0.05" },
	{ .name = "exit-code", .type = OPT_FLAG, .value = &exit_code,
	  .help = "of several runs: exit with 1 if a row differs" },
	OPTION_NO_PAGER,
	{ 0 }
};

static double percent(void)
{
	return threshold < 0 ? 1 : threshold;
}

static int take_table(struct diff *d, const struct stacks_side *file, enum diff_side side)
{
	char error[256];

	d->path[side] = file->name;
	d->data[side] = &file->data;
	if (lat_of_data(&d->table[side], &file->data, error))
		return msg_error("%s: %s", file->name, error);
	if (net)
		lat_net(&d->table[side], &file->data);
	lat_sort(&d->table[side], LAT_NAME);
	return EXIT_OK;
}

static int draw(struct diff_output *o, const struct diff *d)
{
	int error, ret;

	if (!strcmp(svg, "-")) {
		diff_print_svg(o, d);
		return EXIT_OK;
	}
	ret = output_is_no_input("--svg", svg);
	if (ret)
		return ret;
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
	struct pager pager;

	if (svg)
		return draw(&o, d);
	pager_begin(&pager);
	(json ? diff_print_json : csv ? diff_print_csv : diff_print_text)(&o, d);
	pager_end(&pager);
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

/* Of anything but two sides of stacks, refuse --normalize and --no-normalize. */
static int refuse_shares(void)
{
	return by == STACKS_BY_LENGTH ? EXIT_OK :
	       msg_usage("--%s is of stacks: of recordings of 'kprof record', or folded texts",
			 shares ? "normalize" : "no-normalize");
}

/* Of a measurement of lat, refuse what means nothing, rather than ignore it. */
static int refuse_of_stacks(const char *path)
{
	const char *name = source ? "--source" : samples ? "--samples" :
			   filter_options_given(&filter_options);

	return !name ? EXIT_OK :
	       msg_usage("%s: %s is a measurement of 'kprof lat', of which no single call is kept: its "
			 "calls and their time are compared both", name, path);
}

static int compare_tables(const struct stacks_side file[DIFF_NR_SIDES])
{
	struct diff d = { .threshold = percent(), .net = net };
	int ret = take_table(&d, &file[DIFF_A], DIFF_A);

	if (!ret)
		ret = take_table(&d, &file[DIFF_B], DIFF_B);
	if (!ret)
		ret = refuse_of_stacks(file[DIFF_A].name);
	if (!ret)
		ret = refuse_shares();
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

/*
 * CPU time and what calls took cannot be added up: it is the samples, or one source. The counts of
 * a text are what they are, and those of a recording beside it may be of samples.
 */
static struct data_fold_options part_of_options(void)
{
	return (struct data_fold_options){
		.query = { .context = TALLY_ANY, .source = source }, .count = count,
		.samples_first = !source, .filter = &filter_options,
		.text_kind = (enum text_kind)format,
		.recording_only = ns ? "--ns" : NULL,
	};
}

/* Of stacks, name an option that means nothing, and what does. */
static int refuse_of_latencies(void)
{
	if (net)
		return msg_usage("--net is of latencies: what a sample costs is in no stack");
	if (svg)
		return msg_usage("--svg is of latencies: of stacks, 'kprof flame A B' draws two sides");
	if (us || ms)
		return msg_usage("--%s is of latencies: time in stacks is shown in ms, by --csv and --json "
				 "in ns", us ? "us" : "ms");
	return EXIT_OK;
}

static int compare_stacks(struct stacks_side file[DIFF_NR_SIDES])
{
	struct diff_stacks_options o = {
		.part = part_of_options(), .by = by,
		.lines = lines ? lines : csv || json ? 0 : 40, .csv = csv, .json = json,
	};
	bool first = diff_has_stacks(&file[DIFF_A]);
	int side;

	if (!first || !diff_has_stacks(&file[DIFF_B]))
		return msg_error("'%s' has stacks and '%s' has none: two of a kind are compared",
				 file[!first].name, file[first].name);
	if (refuse_of_latencies())
		return EXIT_USAGE;
	for (side = 0; side < DIFF_NR_SIDES; side++)
		if (kept_code_load(&file[side].data, file[side].name))
			return EXIT_ERROR;
	if (threshold >= 0)
		return msg_usage("--threshold is of latencies, blocks and several runs: of two recordings "
				 "of samples, what differs by no more than chance is the same");
	return diff_stacks(file, &o);
}

/* --- blocks of a function --- */

static int warn_of_lost(const struct diff_blocks *d)
{
	int side, ret = EXIT_OK;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		if (!d->side[side].lost)
			continue;
		msg_warn("%s: lost: %s", d->side[side].path, d->side[side].lost);
		ret = EXIT_LOST;
	}
	return ret;
}

static int compare_blocks(struct stacks_side file[DIFF_NR_SIDES])
{
	struct diff_blocks d = { .threshold = percent() };
	struct pager pager;
	int side, ret = refuse_shares();

	if (ret)
		return ret;
	if (filter_options_given(&filter_options))
		return msg_usage("%s: blocks are of all that was counted",
				 filter_options_given(&filter_options));
	if (!file[DIFF_A].json.len || !file[DIFF_B].json.len)
		return msg_error("'%s' is JSON and '%s' is not: two of a kind are compared",
				 file[!file[DIFF_A].json.len].name,
				 file[!!file[DIFF_A].json.len].name);
	if (csv || svg || us || ms || net)
		return msg_usage("--%s: of blocks there is a table, and --json",
				 csv ? "csv" : svg ? "svg" : us ? "us" : ms ? "ms" : "net");
	for (side = 0; side < DIFF_NR_SIDES && !ret; side++)
		ret = diff_blocks_read(&d.side[side], file[side].name, file[side].json.data);
	if (!ret)
		ret = diff_blocks_match(d.side);
	if (!ret) {
		diff_blocks_compare(&d);
		pager_begin(&pager);
		if (json)
			diff_blocks_print_json(&d, stdout);
		else
			diff_blocks_print_text(&d, lines ? lines : 40, stdout);
		pager_end(&pager);
		ret = warn_of_lost(&d);
	}
	diff_blocks_free(&d);
	return ret;
}

static int compare_sides(struct stacks_side file[DIFF_NR_SIDES])
{
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++)
		if (diff_refuse_cut(&file[side]) || stacks_refuse_empty(&file[side]))
			return EXIT_ERROR;
	if (file[DIFF_A].json.len || file[DIFF_B].json.len)
		return compare_blocks(file);
	if (diff_has_stacks(&file[DIFF_A]) || diff_has_stacks(&file[DIFF_B]))
		return compare_stacks(file);
	return compare_tables(file);
}

static int compare(char *const path[DIFF_NR_SIDES])
{
	const struct data_fold_options part = part_of_options();
	struct stacks_side file[DIFF_NR_SIDES];
	int ret = stacks_read_two(file, path, &part, true);

	if (ret == EXIT_OK)
		ret = compare_sides(file);
	stacks_close_two(file);
	return ret;
}

/* --- several runs a side --- */

static int show_runs(struct diff_runs *r, int ret)
{
	struct diff_output o = {
		.out = stdout, .lines = lines, .unit = ms ? LAT_MS : us ? LAT_US : LAT_NS,
	};
	struct pager pager;

	if (r->kind == DIFF_LATENCIES &&
	    (refuse_of_stacks(r->path[DIFF_A][0]) || refuse_shares()))
		return EXIT_USAGE;
	if (r->kind == DIFF_FUNCTIONS && refuse_of_latencies())
		return EXIT_USAGE;
	if (r->kind == DIFF_FUNCTIONS && !lines && !csv && !json)
		o.lines = 40;
	diff_runs_judge(r);
	pager_begin(&pager);
	(json ? diff_runs_print_json : csv ? diff_runs_print_csv : diff_runs_print_text)(&o, r);
	pager_end(&pager);
	return exit_code && r->nr_differ ? EXIT_ERROR : ret;
}

static int compare_runs(char **a, int nr_a, char **b, int nr_b)
{
	const struct data_fold_options part = part_of_options();
	struct diff_runs r = {
		.nr = { nr_a, nr_b }, .path = { a, b }, .threshold = percent(),
		.rate = 100 * (rate ? rate : 0.05), .net = net,
		.by_shares = by == STACKS_BY_SHARES,
	};
	int ret;

	if (nr_a < DIFF_RUNS_MIN || nr_b < DIFF_RUNS_MIN)
		return msg_usage("%d and %d runs are given: how runs differ anyway shows in %d or "
				 "more a side", nr_a, nr_b, DIFF_RUNS_MIN);
	if (svg)
		return msg_usage("--svg draws two recordings, not several runs");
	ret = diff_runs_read(&r, &part);
	if (ret == EXIT_OK || ret == EXIT_LOST)
		ret = show_runs(&r, ret);
	diff_runs_free(&r);
	return ret;
}

/* The words before "--", and after it. Of two recordings "--" only ends the options. */
static int compare_words(int argc, char **argv)
{
	int dashes;

	for (dashes = 0; dashes < argc && strcmp(argv[dashes], "--"); dashes++)
		;
	if (dashes > 0 && dashes < argc)
		return compare_runs(argv, dashes, argv + dashes + 1, argc - dashes - 1);
	if (!dashes && argc) {
		argc--;
		argv++;
	}
	if (argc != 2)
		return msg_usage("two recordings are compared, or several runs: A1 A2 A3 -- B1 B2 B3; "
				 "%d %s given", argc, argc == 1 ? "is" : "are");
	if (rate || exit_code)
		return msg_usage("--fdr and --exit-code are of several runs: A1 A2 A3 -- B1 B2 B3");
	return compare(argv);
}

static int run(int argc, char **argv)
{
	if (csv + json + !!svg > 1)
		return msg_usage("--csv, --json and --svg contradict each other: give one of them");
	if (us && ms)
		return msg_contradiction("--us", "--ms");
	if (data_count_of_options(ns, samples, &count) ||
	    stacks_by_of_options(shares, counts, &by))
		return EXIT_USAGE;
	return compare_words(argc, argv);
}

const struct verb verb_diff = {
	.name = "diff",
	.args = "A B | A1 A2 A3 .. -- B1 B2 B3 ..",
	.summary = "Compare two recordings, or several runs, row by row",
	.details =
		"A and B are recordings of 'kprof record', or folded texts, whose functions are\n"
		"compared: by their samples, or where there are none by their calls; or --source NAME\n"
		"has one source alone. If one side is longer by more than 10 %, or a text is beside a\n"
		"recording, shares of the totals are compared, in percentage points; else time or\n"
		"counts. What is compared comes first in a row, and decides its verdict.\n\n"
		"Or they are recordings of 'kprof lat --output': first comes what differs between the\n"
		"boots, and why functions have no calls on one side; then the rows that both have, by\n"
		"what B takes longer in all, split into more calls and slower calls.\n"
		"The interval is Welch's 95 % confidence interval of the difference of the averages.\n\n"
		"A and B may also be what 'kprof blocks --json' wrote: then blocks and edges of the\n"
		"function are compared by how often each ran for each call, in each context. Of two\n"
		"kernels, a block is the same by its instructions, lines and place among the others.\n\n"
		"With several runs of each side (three or more; options come first) the interval is\n"
		"of how the runs differ among themselves, which is what a difference between two\n"
		"boots has to be compared with. A row differs if it does so at the false discovery\n"
		"rate, over all rows; rows that are missing in runs count as without calls there.\n\n"
		"Not of stacks: --us, --ms, --net and --svg ('kprof flame A B' draws two sides). Time is\n"
		"in ms there.\n\n"
		"Exit status 3: the comparison is there, but one of the recordings lost calls.\n\n"
		"Examples:\n"
		"  kprof lat allocate_slab -o before.data -- make -j8\n"
		"  kprof diff before.data after.data\n"
		"  kprof diff --svg diff.svg before.data after.data\n"
		"  kprof record -o a.data -- make; kprof record -o b.data -- make -j2\n"
		"  kprof diff a.data b.data\n"
		"  kprof blocks vfs_read --json -- make >a.json\n"
		"  kprof diff a.json b.json\n"
		"  kprof diff --exit-code a?.data -- b?.data\n",
	.opts = opts,
	.hints = hints_of_diff,
	.run = run,
	.groups = true,
};
