// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - checks of shared options that their tables cannot make, and commands that repeat them
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/options.h"
#include "lat/lat.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/quote.h"

int option_query_cpus(struct tally_query *query, const char *list)
{
	static struct cpus cpus;

	if (!list)
		return EXIT_OK;
	if (cpus_option(&cpus, list))
		return EXIT_USAGE;
	query->cpus = &cpus;
	return EXIT_OK;
}

int option_check_wall(bool wall, bool chain, const struct data_fold_options *options,
		      const struct filter_options *filter)
{
	const struct tally_query *query = &options->query;
	const char *part = options->count != DATA_COUNT_DEFAULT ? "--ns and --samples" :
		query->source ? "--source" : query->by_region ? "--regions" :
		filter->region ? "--region" : NULL;

	if (chain && !wall)
		return msg_usage("--chain goes with --wall");
	if (wall && part)
		return msg_usage("%s is of samples, and --wall is of all that a task did; --time, --cpus, "
				 "--context, --pid, --comm, --symbol, --module and --parent choose a part",
				 part);
	return EXIT_OK;
}

int option_default_recording(const char **path)
{
	*path = "kprof.data";
	if (!access(*path, F_OK) || errno != ENOENT)
		return EXIT_OK;
	return msg_error("there is no kprof.data here: 'kprof record -- COMMAND' makes one");
}

int option_take_recording(const char **path, int argc, char **argv, const char *input)
{
	if (argc > 1)
		return msg_usage("one recording at a time, not also '%s'", argv[1]);
	if (argc && input)
		return msg_usage("two recordings: --input %s and %s", input, argv[0]);
	*path = argc ? argv[0] : input;
	return *path ? EXIT_OK : option_default_recording(path);
}

int option_check_calls(const struct data *d, const char *path)
{
	if (d->nr_records || !lat_is_measurement(d))
		return EXIT_OK;
	return msg_error("%s: a measurement of 'kprof lat' has no single calls: 'kprof report' shows "
			 "it, 'kprof record -t FUNCTION' records calls", path);
}

void option_add_word(struct buf *to, const char *word)
{
	buf_add(to, " ", 1);
	if (escape_is_plain_text(word, strlen(word)))
		quote_add_word(to, word);
	else
		buf_printf(to, "...");
}

void option_add_words(struct buf *to, char **words)
{
	for (; *words; words++)
		option_add_word(to, *words);
}

static void add_option(struct buf *to, const struct opt *o)
{
	if (o->letter)
		buf_printf(to, " -%c", o->letter);
	else
		buf_printf(to, " --%s", o->name);
}

static void add_given(struct buf *to, const struct opt *o)
{
	const struct opt_list *list = o->value;
	int i;

	if (o->type == OPT_FLAG && *(bool *)o->value) {
		add_option(to, o);
	} else if (o->type == OPT_DOUBLE && *(double *)o->value) {
		add_option(to, o);
		buf_printf(to, " %g", *(double *)o->value);
	} else if (o->type == OPT_STRING && *(const char **)o->value) {
		add_option(to, o);
		option_add_word(to, *(const char **)o->value);
	}
	for (i = 0; o->type == OPT_LIST && i < list->nr; i++) {
		add_option(to, o);
		option_add_word(to, list->item[i]);
	}
}

void option_add_measured(struct buf *to, const struct opt *opts)
{
	static const char *const names[] = {
		"all", "pid", "comm", "cpus", "duration", "own", "module", NULL
	};
	const char *const *name;

	for (; opts->name; opts++)
		for (name = names; *name; name++)
			if (!strcmp(opts->name, *name))
				add_given(to, opts);
}

/* Options of the last of several targets, which no other has, may be meant for all. */
static void warn_of_last(const struct opt_list *targets, const char *name)
{
	const char *last = targets->item[targets->nr - 1], *given = last + strlen(name) + 1;
	int i;

	for (i = 0; i < targets->nr - 1; i++)
		if (strchr(targets->item[i], ' '))
			return;
	/* That one counts another target. */
	if (targets->nr < 2 || !strcmp(last, name) || strstr(given, "hits("))
		return;
	msg_warn("'%s' is for '%s' alone, not for %s before it; for each target its own in one word: "
		 "'%s %s' '%s'", given, name, targets->nr == 2 ? "the target" : "the targets",
		 targets->item[0], given, last);
}

int option_take_targets(struct opt_list *targets, char ***words)
{
	char **word = *words, *name = NULL;

	for (; *word && strcmp(*word, "--"); word++) {
		struct buf target = { 0 };

		if (opt_is_of_target(*word))
			return msg_usage("'%s' must follow the target it is for", *word);
		name = *word;
		buf_printf(&target, "%s", name);
		while (word[1] && opt_is_of_target(word[1]))
			buf_printf(&target, " %s", *++word);
		opt_list_add(targets, target.data);
	}
	*words = word + !!*word;
	if (!targets->nr)
		return msg_usage("no target: give the function whose calls are to be measured");
	if (name)
		warn_of_last(targets, name);
	return EXIT_OK;
}
