// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate.c - kprof annotate: the instructions of a function, with samples beside them
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "cmd/blocks.h"
#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/account.h"
#include "data/empty.h"
#include "data/kept_code.h"
#include "lat/lat.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/pager.h"

static long freq, around = -1;
static double duration;
static bool all, callers, children, json, stdio;
static int context = TALLY_ANY;
static const char *source, *cpus, *input, *source_dir, *blocks;
static struct frames_options frames;
static struct filter_options filter_options;

static const struct opt opts[] = {
	{ .name = "children", .type = OPT_FLAG, .value = &children,
	  .help = "the share of what was called from there, too" },
	{ .name = "around", .type = OPT_LONG, .value = &around, .arg = "N", .max = 1e6,
	  .help = "of instructions without samples, only the N before\nand behind those that have "
		  "some; default all" },
	OPTION_INPUT(&input, "the recording, where no FUNCTION is given"),
	{ .name = "source-dir", .type = OPT_STRING, .value = &source_dir, .arg = "DIR",
	  .help = "where the sources of the kernel are; default here" },
	{ .name = "blocks", .type = OPT_STRING, .value = &blocks, .arg = "FILE",
	  .help = "how often each instruction ran: what kprof blocks --json\nwrote; or live, "
		  "to count that, too, in another run" },
	{ .name = "stdio", .type = OPT_FLAG, .value = &stdio,
	  .help = "as text, which it is anyway: for who is used to perf" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SOURCE(&source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&context),
#include "cmd/filter_options.list"
	{ .letter = 'F', .name = "freq", .type = OPT_LONG, .value = &freq, .arg = "HZ",
	  .min = 1, .max = 20000,
	  .help = "without a recording: samples per second and CPU; default\n999" },
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &callers,
	  .help = "without a recording: functions of programs, too" },
	OPTION_ALL(&all),
	OPTION_DURATION(&duration),
	OPTION_NO_PAGER,
	{ 0 }
};

/* --- a recording --- */

#define LIVE	"the recording"	/* what messages call one that is not kept */

static void tell_empty(const struct data *d, const char *path)
{
	struct empty empty = {
		.path = strcmp(path, LIVE) ? path : NULL, .filter = &filter_options,
		.source = source, .cpus = cpus, .context = context,
	};

	empty_tell_of(&empty, d);
}

static int show(const struct data *d, const char *path, const char *function, const char *counts,
		struct filter *filter)
{
	struct tally_query query = { .source = source, .context = context, .filter = filter };
	struct annotate_output o = {
		.under = children, .calls = data_has_targets(d), .around = around,
		.source = { .folder = source_dir },
	};
	struct annotate a = { .nr = 0 };
	struct pager pager;
	int ret = option_query_cpus(&query, cpus);

	if (!ret)
		ret = tally_check_source(d, source, path);
	if (!ret)
		ret = annotate_make(&a, d, function, &query);
	if (!ret && counts)
		ret = annotate_take_blocks(&a, counts);
	if (!ret) {
		o.source.is_foreign = a.is_foreign;
		o.source.owner = a.owner;
		o.out = pager_begin(&pager);
		o.color = pager_color(&pager);
		(json ? annotate_print_json : annotate_print_text)(&o, &a);
		pager_end(&pager);
	}
	/* That is also why no function was found, if none was named. */
	if (a.is_empty && (!ret || !function))
		tell_empty(d, path);
	annotate_source_free(&o.source);
	annotate_free(&a);
	return ret;
}

/* @name: the recording in messages; @counts: a file with those of blocks, or NULL */
static int annotate(const char *path, const char *name, const char *function, const char *counts)
{
	struct filter filter = { .active = false };
	struct data d;
	int ret, lost;

	if (data_open(&d, path))
		ret = msg_error("%s: %s", name, d.error);
	else if (!d.nr_records && lat_is_measurement(&d))
		ret = msg_error("%s: a measurement of 'kprof lat' has no samples: 'kprof report' shows "
				"it, 'kprof record' records samples", name);
	else
		ret = frames_open(&d, &frames, name);
	if (!ret)
		ret = kept_code_load(&d, name);
	if (!ret)
		ret = filter_open(&filter, &d, &filter_options, name);
	if (!ret) {
		ret = show(&d, name, function, counts, &filter);
		/* What is cut off may be why there is nothing to show. */
		lost = !ret || !d.whole ? account_warn(&d, name) : EXIT_OK;
		ret = ret ? ret : lost;
	}
	filter_close(&filter);
	data_close(&d);
	return ret;
}

/* --- live: as kprof record, then from its recording --- */

/* The arguments of kprof record. */
struct words {
	char **word;
	int nr;
	size_t room;
};

static void add(struct words *w, const char *word)
{
	w->word = mem_grow(w->word, &w->room, w->nr + 2, sizeof(*w->word));
	w->word[w->nr++] = mem_strdup(word);
}

static void add_option(struct words *w, const char *option, const char *value)
{
	if (!value)
		return;
	add(w, option);
	add(w, value);
}

/* What is measured, and the command. */
static void add_what(struct words *w, char **command)
{
	struct buf number = { 0 };
	int i;

	buf_printf(&number, "%.3f", duration);
	add_option(w, "--duration", duration ? number.data : NULL);
	if (all)
		add(w, "--all");
	add_option(w, "--comm", filter_options.comm);
	add_option(w, "--cpus", cpus);
	for (i = 0; i < filter_options.pids.nr; i++)
		add_option(w, "--pid", filter_options.pids.item[i]);
	add(w, "--");
	while (*command)
		add(w, *command++);
	w->word[w->nr] = NULL;
	buf_free(&number);
}

static void free_words(struct words *w)
{
	int i;

	for (i = 0; i < w->nr; i++)
		free(w->word[i]);
	free(w->word);
}

static int record(const char *path, char **command)
{
	struct words w = { .nr = 0 };
	struct buf number = { 0 };
	int ret;

	add(&w, "record");
	add(&w, "--quiet");
	add_option(&w, "--output", path);
	buf_printf(&number, "%ld", freq ? freq : 999);
	add_option(&w, "--freq", number.data);
	if (callers)
		add(&w, "--callers");
	if (filter_options.cgroup)
		add(&w, "--cgroups");
	if (filter_options.region)
		add(&w, "--regions");
	add_what(&w, command);
	ret = opt_run_verb(&verb_record, w.nr, w.word);
	free_words(&w);
	buf_free(&number);
	msg_set_verb("annotate");
	return ret;
}

/*
 * Count the blocks of the function in another run, so that no sample is of the probes. Returns
 * whether there are counts; *@status is changed if that is not good.
 */
static bool count_blocks(const char *path, const char *function, char **command, int *status)
{
	struct words w = { .nr = 0 };
	FILE *out = fopen(path, "we");
	bool has_counts;
	int ret;

	if (!out) {
		*status = msg_error("cannot create %s: %s", path, strerror(errno));
		return false;
	}
	add(&w, "blocks");
	add(&w, "--json");
	add_option(&w, "--index", frames.index);
	add(&w, function);
	add_what(&w, command);
	ret = blocks_into(out, w.nr, w.word);
	free_words(&w);
	msg_set_verb("annotate");
	has_counts = ftell(out) > 0;
	if (fclose(out)) {
		ret = msg_error("cannot write %s: %s", path, strerror(errno));
		has_counts = false;
	}
	*status = ret ? ret : *status;
	return has_counts;
}

static int measure(const char *function, char **command)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = { 0 }, path = { 0 }, counts = { 0 };
	bool is_live = blocks && !strcmp(blocks, "live"), has_all;
	int ret;

	buf_printf(&folder, "%s/kprof-annotate.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(folder.data)) {
		ret = msg_error("cannot create %s: %s", folder.data, strerror(errno));
		goto out;
	}
	buf_printf(&path, "%s/kprof.data", folder.data);
	buf_printf(&counts, "%s/blocks", folder.data);
	ret = record(path.data, command);
	/* Whom to measure has been said; descendants of a process are not of that number. */
	filter_options.pids.nr = 0;
	filter_options.comm = NULL;
	/* If there is no recording, record has said why; so have blocks. */
	has_all = !access(path.data, R_OK);
	if (has_all && is_live)
		has_all = count_blocks(counts.data, function, command, &ret);
	if (has_all) {
		int status = annotate(path.data, LIVE, function,
				      is_live ? counts.data : blocks);

		ret = ret == EXIT_OK || ret == EXIT_LOST ? status : ret;
	}
	unlink(path.data);
	unlink(counts.data);
	rmdir(folder.data);
out:
	buf_free(&folder);
	buf_free(&path);
	buf_free(&counts);
	return ret;
}

/* --- */

/* Other verbs take a recording as their only word. */
static bool is_recording(const char *path)
{
	struct input in;
	bool is;

	if (access(path, R_OK) || input_open(&in, path))
		return false;
	is = data_is_recording(&in) || data_is_of_perf(&in);
	input_close(&in);
	return is;
}

static int run(int argc, char **argv)
{
	const char *function = NULL, *file = NULL;
	bool is_live;
	int at = 0;

	if (at < argc && strcmp(argv[at], "--"))
		function = argv[at++];
	if (at < argc && strcmp(argv[at], "--"))
		file = argv[at++];
	if (at < argc && strcmp(argv[at], "--"))
		return msg_usage("a FUNCTION and a recording, not also '%s'", argv[at]);
	is_live = at < argc || duration || all;
	if (function && !file && !input && !is_live && is_recording(function)) {
		file = function;
		function = NULL;
	}
	if (file && input)
		return msg_usage("two recordings: --input %s and %s", input, file);
	file = file ? file : input;
	if (is_live && file)
		return msg_usage("%s is a recording: COMMAND, --all and --duration are to make one",
				 file);
	if ((freq || callers) && !is_live)
		return msg_usage("%s is for measuring now: give COMMAND, --all or --duration",
				 freq ? "--freq" : "--callers");
	if (blocks && !strcmp(blocks, "live") && (!is_live || !function))
		return msg_usage("--blocks live: give FUNCTION, and COMMAND, --all or --duration");
	if (json && around >= 0)
		return msg_contradiction("--json", "--around");
	if (stdio && json)
		return msg_contradiction("--stdio", "--json");
	if (is_live)
		return measure(function, argv + at + (at < argc));
	if (!file && option_default_recording(&file))
		return EXIT_ERROR;
	return annotate(file, file, function, blocks);
}

const struct verb verb_annotate = {
	.name = "annotate",
	.args = "[FUNCTION] [FILE | -- COMMAND [ARGUMENT]...]",
	.summary = "Show the instructions of a function, with samples beside them",
	.details =
		"FILE is a recording of 'kprof record', by default kprof.data. With COMMAND, --all\n"
		"or --duration a recording is made for this. Without FUNCTION it is the one with the\n"
		"most samples. With the index that 'kprof index' makes, instructions have inlined\n"
		"functions and source lines above them, with their text where the files are there.\n"
		"Functions of programs are in recordings with their stacks (record -g or -U); their\n"
		"lines come from the file's debug information.\n"
		"Lines with at least 5 % of the function are marked by '>'. A sample that waited while\n"
		"interrupts were off is at the instruction that enables them.\n\n"
		"Examples:\n"
		"  kprof record -- make; kprof annotate\n"
		"  kprof annotate clear_page_erms --around 5\n"
		"  kprof annotate copy_page before.data --source-dir ~/linux\n"
		"  kprof annotate vfs_read --children -- cat /etc/passwd\n"
		"  kprof annotate libz.so.1:crc32 -g -- gzip -k file\n"
		"  kprof annotate vfs_read --blocks live -- make\n",
	.opts = opts,
	.hints = hints_of_annotate,
	.run = run,
	.dashes = true,
};
