// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain.c - kprof explain: find the keys that explain the latency of a function
 *
 * The calls are measured in several rounds, each by other keys, because a target
 * has at most six keys. The first round uses arguments, the second other
 * properties of a call. If keys of both explain something, another round
 * measures these together. If the user has given keys, only these are measured.
 * If the table has too few rows for all values, a round is repeated with powers
 * of two for keys that have many values. Unless the keys explain nearly everything, another
 * round looks at these in finer steps (explain_finer.c), and the last rounds measure what
 * the function calls (explain_inside.c).
 */
#include <string.h>

#include "cmd/explain.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/msg.h"
#include "lib/outside.h"
#include "record/command.h"
#include "record/kmod.h"
#include "record/measurement.h"

static struct explain_options options;
static bool turns;
static struct frames_options frames = { .lines = true };

static const struct opt opts[] = {
	OPTION_ALL(&options.all),
	OPTION_PID(&options.pids),
	OPTION_COMM(&options.comm),
	OPTION_CPUS(&options.cpus),
	{ .letter = 'd', .name = "duration", .type = OPT_DOUBLE, .value = &options.duration,
	  .arg = "SECONDS", .min = 0.001, .max = 1e7,
	  .help = "of each round; default 5 without COMMAND" },
	{ .name = "net", .type = OPT_FLAG, .value = &options.net, .help = LAT_NET_HELP },
	{ .name = "turns", .type = OPT_FLAG, .value = &turns,
	  .help = "instead: what determines how often its loops turn" },
	OPTION_INDEX(&frames.index),
	OPTION_OWN(&options.own),
	OPTION_MODULE(&options.module),
	{ 0 }
};

/* --- a round: measure the calls by some keys --- */

static int take_group(struct explain_work *w, const struct lat_table *t, const char *target)
{
	char error[256];

	if (explain_group_make(&w->group[w->nr], t, target, error)) {
		explain_group_free(&w->group[w->nr]);
		return msg_error("%s: give keys, or measure with by=", error);
	}
	w->group[w->nr++].round = w->round;
	return EXIT_OK;
}

static int run_round(struct explain_work *w, const char *keys)
{
	struct lat_table *t = &w->table[w->nr];
	struct buf line = { 0 }, what = { 0 };
	int ret;

	buf_printf(&line, "%s by=%s%s", w->target, keys, w->filters);
	buf_printf(&what, "by %s", keys);
	ret = explain_measure(w, (const char *const[]){ line.data }, 1, t, what.data);
	buf_free(&line);
	buf_free(&what);
	if (ret)
		return ret;
	w->target = explain_measured_name(t, w->target);
	return take_group(w, t, w->target);
}

/* --- which keys --- */

static const char arguments[] = "$arg1,$arg2,$arg3,$arg4,$arg5,$arg6";
static const char circumstances[] = "$retval,caller,comm,cpu,context,syscall";

/* Measure by these keys. If the table was full, measure again with fewer values. */
static int run_rounds(struct explain_work *w, const char *names)
{
	struct explain_group *g = &w->group[w->nr];
	struct buf keys = { 0 };
	int ret = run_round(w, names);

	/* Up to one per cent of calls without a row is acceptable. */
	if (!ret && g->without * 100 > g->calls && !w->interrupted && w->nr < EXPLAIN_MAX_ROUNDS)
		explain_coarser(g, &keys);
	if (keys.len) {
		g->without = 0;
		ret = run_round(w, keys.data);
	}
	buf_free(&keys);
	if (!ret)
		explain_add(&w->result, &w->group[w->nr - 1]);
	return ret;
}

/* Keys of different rounds can make a pair only if they are measured together. */
static int mix(struct explain_work *w, const struct explain_group *a, const struct explain_group *b)
{
	struct buf keys = { 0 };
	size_t len;
	int ret = EXIT_OK;

	explain_best(&w->result, a, &keys);
	len = keys.len;
	explain_best(&w->result, b, &keys);
	if (len && keys.len > len && !w->interrupted && w->nr < EXPLAIN_MAX_ROUNDS)
		ret = run_rounds(w, keys.data);
	buf_free(&keys);
	return ret;
}

static int measure_all(struct explain_work *w, const char *keys)
{
	int a, b, ret = run_rounds(w, keys ? keys : arguments);

	if (ret || keys || w->interrupted)
		return ret;
	a = w->nr - 1;
	ret = run_rounds(w, circumstances);
	b = w->nr - 1;
	return ret ? ret : mix(w, &w->group[a], &w->group[b]);
}

/* --- the verb --- */

static int show(struct explain_work *w)
{
	explain_finish(&w->result);
	w->result.target = w->target;
	w->result.net = w->net.len ? w->net.data : NULL;
	if (!w->result.calls)
		return msg_error("%s was not called meanwhile: nothing to explain%s", w->target,
				 *w->filters ? "; or if= and min= left out all calls" : "");
	explain_print(&w->result, w->group, w->nr, stdout);
	return w->lost;
}

/* Explain a recording of lat whose rows have keys. */
static int explain_recording(struct explain_work *w, struct input *in, const char *target)
{
	const char *path = in->name;
	struct data d;
	char error[256];
	int ret;

	w->filters = "";
	if (data_read(&d, in))
		ret = msg_error("%s: %s", path, d.error);
	else if (!lat_is_measurement(&d))
		ret = msg_error("%s: no measurement of latency: record one with 'kprof lat FUNCTION "
				"by=KEYS --output FILE'", path);
	else if (lat_of_data(&w->table[0], &d, error))
		ret = msg_error("%s: %s", path, error);
	else if (!w->table[0].nr)
		ret = msg_error("%s: there are no calls in it", path);
	else
		ret = EXIT_OK;
	if (!ret) {
		w->target = explain_measured_name(&w->table[0], target ? target : "");
		if (target && strcmp(w->target, target))
			ret = msg_error("%s: '%s' has no calls in it", path, target);
	}
	if (!ret) {
		explain_take_off_probes(w, &w->table[0], &d);
		ret = take_group(w, &w->table[0], w->target);
	}
	if (!ret) {
		explain_add(&w->result, &w->group[0]);
		ret = show(w);
	}
	data_close(&d);
	return ret;
}

static bool is_filter(const char *word)
{
	return !strncmp(word, "if=", 3) || !strncmp(word, "min=", 4);
}

/* Parse FUNCTION [KEYS] [if=] [min=]. */
static int take_words(struct explain_work *w, char **word, const char **keys, struct buf *filters)
{
	for (; *word && strcmp(*word, "--"); word++) {
		if (is_filter(*word))
			buf_printf(filters, " %s", *word);
		else if (!w->target)
			w->target = *word;
		else if (!*keys)
			*keys = strncmp(*word, "by=", 3) ? *word : *word + 3;
		else
			return msg_usage("one function at a time, with its keys: not also '%s'",
					 *word);
	}
	if (!w->target)
		return msg_usage("no function is given: the one whose calls are to be explained");
	return EXIT_OK;
}

static int count_keys(const char *keys)
{
	size_t comma = outside_find(keys, ",");
	int nr = 1;

	for (; keys[comma] == ','; nr++) {
		keys += comma + 1;
		comma = outside_find(keys, ",");
	}
	return nr;
}

static int explain_function(struct explain_work *w, const char *keys)
{
	int ret, inside;

	/* Keys that explain something are measured again, by the text that rows show. */
	if (keys && strchr(keys, '='))
		return msg_usage("keys have no names of their own here: not '%s', but what is behind "
				 "the =", keys);
	if (keys && !turns && count_keys(keys) > EXPLAIN_MAX_KEYS)
		return msg_usage("the limit of keys that are measured at once is %d: '%s' has %d",
				 EXPLAIN_MAX_KEYS, keys, count_keys(keys));
	if (kmod_is_loaded())
		return msg_error("the module is loaded, and explain has to measure more than once with "
				 "different keys, which empties its profile: rmmod kprof first");
	if (turns)
		return explain_turns(w, keys, &frames);
	w->rounds = 1 + (keys ? 2 : EXPLAIN_MAX_ROUNDS + EXPLAIN_STEPS);
	ret = measure_all(w, keys);
	if (!ret)
		ret = show(w);
	if ((ret && ret != EXIT_LOST) || w->interrupted)
		return ret;
	if (!explain_is_full(&w->result) && explain_finer(w))
		return EXIT_ERROR;
	if (keys || w->interrupted)
		return ret;
	inside = explain_inside(w);
	return inside ? inside : ret;
}

/* FUNCTION may be a recording. It is opened once, because it may be a pipe. */
static int explain(struct explain_work *w, const char *keys)
{
	struct input in;
	int ret = EXIT_ERROR;

	if (!input_open(&in, w->target)) {
		bool is_recording = data_is_recording(&in);

		if (is_recording && turns)
			ret = msg_usage("--turns measures a function, not a recording such as '%s'",
					w->target);
		else if (is_recording)
			ret = explain_recording(w, &in, keys);
		input_close(&in);
		if (is_recording)
			return ret;
	}
	return explain_function(w, keys);
}

/*
 * What the next commands get; @given has the texts. --net is not among the options, as some of
 * these commands do not have it.
 */
static void set_again(struct explain_work *w, char **word, struct buf given[3])
{
	option_add_measured(&given[0], opts);
	for (; *word && strcmp(*word, "--"); word++)
		if (is_filter(*word))
			option_add_word(&given[1], *word);
	option_add_words(&given[2], word);
	w->result.again = (struct explain_again){
		.options = given[0].data, .filters = given[1].data, .command = given[2].data,
		.net = options.net,
	};
}

static int run(int argc, char **argv)
{
	struct explain_work w = { .command = argv, .options = &options };
	struct buf filters = { 0 }, given[3] = { { 0 } };
	const char *keys = NULL;
	int i, ret = EXIT_USAGE;

	(void)argc;
	buf_add(&filters, "", 0);
	if (take_words(&w, argv, &keys, &filters) ||
	    measurement_check(&options.pids, options.all, options.cpus))
		goto out;
	while (*w.command && strcmp(*w.command, "--"))
		w.command++;
	w.command += !!*w.command;
	w.filters = filters.data;
	set_again(&w, argv, given);
	ret = explain(&w, keys);
out:
	for (i = 0; i < EXPLAIN_MAX_ROUNDS; i++) {
		explain_group_free(&w.group[i]);
		lat_free(&w.table[i]);
	}
	explain_free(&w.result);
	buf_free(&w.net);
	buf_free(&filters);
	for (i = 0; i < 3; i++)
		buf_free(&given[i]);
	return command_status(ret, w.status);
}

const struct verb verb_explain = {
	.name = "explain",
	.args = "FUNCTION [KEY,...] [if=CONDITION] [min=TIME] [-- COMMAND [ARGUMENT]...]",
	.summary = "Find what makes calls of a function slow: arguments, callers, tasks",
	.details =
		"Measures the calls of FUNCTION by its arguments, then by return value, caller,\n"
		"name of the task, CPU, context and system call, and ranks these keys, and pairs of\n"
		"them, by the share of the variance of the latency that they explain. Then the\n"
		"functions that it calls: is it one of these that makes it slow, and of those that\n"
		"this one calls? COMMAND is run for each round, two to ten\n"
		"times; without one a round takes --duration. With KEYs, as of 'kprof lat', at most\n"
		"six, only these, in one to three rounds. FUNCTION may be a recording of 'kprof lat' by\n"
		"several keys instead (and KEY the function in it). With --turns, it is the turns of the\n"
		"loops of FUNCTION that are explained, by formulas of arguments and members.\n\n"
		"Examples:\n"
		"  kprof explain ext4_file_write_iter -- make\n"
		"  kprof explain vfs_read 'comm,log2($arg3)' -a -d 10\n"
		"  kprof explain --turns allocate_slab -- make\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
