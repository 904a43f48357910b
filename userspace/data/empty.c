// SPDX-License-Identifier: GPL-2.0-only
/*
 * empty.c - where there is nothing to show: say why, and the one command that leads on
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/empty.h"
#include "data/marks.h"
#include "data/tally.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "lib/quote.h"

/* Does it have a sample or a call at all? */
static bool has_samples(const struct data *d)
{
	const struct tally_query any = { .context = TALLY_ANY };
	size_t c, i;

	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++)
			if (tally_wants(&any, 0, &d->chunk[c].rec[i]))
				return true;
	return false;
}

void empty_note(struct empty *e, const struct data *d)
{
	e->is_text = false;
	e->has_samples |= has_samples(d);
	e->is_cut = !d->whole;
	e->is_marked |= marks_are_there(d);
	e->starts += marks_starts(d);
	e->left_out += marks_all_left_out(d);
	free(e->comm);
	e->comm = data_meta(d, "comm");
}

void empty_free(struct empty *e)
{
	free(e->comm);
	e->comm = NULL;
}

static void add_path(struct buf *to, const struct empty *e)
{
	buf_printf(to, "%s", !e->path ? "what was recorded" :
		   !strcmp(e->path, "-") ? "standard input" : e->path);
}

/* A verb that shows what there is, as a command to paste. */
static void add_command(struct buf *to, const struct empty *e, const char *verb)
{
	buf_printf(to, "'kprof %s", verb);
	if (e->path && (!strcmp(e->path, "-") || !escape_is_plain_text(e->path, strlen(e->path)))) {
		buf_printf(to, " FILE");
	} else if (e->path && strcmp(e->path, "kprof.data")) {
		buf_add(to, " ", 1);
		quote_add_word(to, e->path);
	}
	buf_add(to, "'", 1);
}

/* The options that were given, and the keys of a report that list what these choose from. */
struct asked {
	struct buf options, keys;
};

static void ask(struct asked *a, bool given, const char *option, const char *key)
{
	if (!given)
		return;
	buf_printf(&a->options, "%s%s", a->options.len ? ", " : "", option);
	if (key)
		buf_printf(&a->keys, "%s%s", a->keys.len ? "," : "", key);
}

static void find_asked(struct asked *a, const struct empty *e)
{
	const struct filter_options *f = e->filter;

	ask(a, e->source, "--source", "source");
	ask(a, e->cpus, "--cpus", "cpu");
	ask(a, e->context != TALLY_ANY, "--context", "context");
	ask(a, f && f->pids.nr, "--pid", "pid");
	ask(a, f && f->comm, "--comm", "comm");
	ask(a, f && f->cgroup, "--cgroup", "cgroup");
	ask(a, f && f->region, "--region", "region");
	ask(a, f && f->module, "--module", "module");
	/* Both are of functions. */
	ask(a, f && f->symbol, "--symbol", "sym");
	ask(a, f && f->parent, "--parent", f && f->symbol ? NULL : "sym");
	ask(a, f && f->time, "--time", NULL);
}

/* Something was asked for that is not there: what is? */
static void add_left(struct buf *to, const struct empty *e, const struct asked *a)
{
	struct buf verb = { 0 };

	buf_printf(to, "%s of ", e->what ? e->what : "nothing");
	add_path(to, e);
	buf_printf(to, " is left by %s: ", a->options.data);
	if (!e->path)
		buf_printf(to, "'kprof record -- COMMAND' keeps it, and then ");
	if (e->is_text)
		buf_printf(&verb, "fold");
	else if (e->is_wall)
		buf_printf(&verb, "report --states");
	else if (a->keys.len)
		buf_printf(&verb, "report --sort %s", a->keys.data);
	else
		buf_printf(&verb, "script");
	add_command(to, e, verb.data);
	buf_printf(to, " shows what there is");
	buf_free(&verb);
}

/* All that was captured is outside of what its program asked for. */
static void add_unmarked(struct buf *to, const struct empty *e)
{
	buf_printf(to, " has no samples between kprof_start() and kprof_stop(), and %" PRIu64
		   " outside: ", e->left_out);
	if (!e->starts)
		buf_printf(to, "nothing called kprof_start(); without --marked 'kprof record' keeps "
			   "all samples");
	else
		buf_printf(to, "kprof_start() was called %" PRIu64 " time%s; a higher --freq takes "
			   "more samples of so short a time", e->starts, plural(e->starts));
}

/* Nothing was captured. What was cut off is said by account_warn(): recording more is no remedy. */
static void add_none(struct buf *to, const struct empty *e)
{
	add_path(to, e);
	if (e->is_marked && e->left_out) {
		add_unmarked(to, e);
		return;
	}
	buf_printf(to, " has no samples");
	if (e->is_cut) {
		buf_printf(to, " before it is cut off");
		return;
	}
	if (e->comm && *e->comm)
		buf_printf(to, " of 'record --comm %s'", e->comm);
	buf_printf(to, ": 'kprof record -a -d 10' records whatever runs");
}

static void add_reason(struct buf *to, const struct empty *e, const struct asked *a)
{
	if (e->is_text && !e->has_samples) {
		add_path(to, e);
		buf_printf(to, " has no stack with a count: give a recording such as kprof.data, or "
			   "what 'kprof fold' or 'perf script' prints");
	} else if (!e->has_samples || (e->is_wall && !a->options.len)) {
		add_none(to, e);
	} else if (a->options.len) {
		add_left(to, e, a);
	} else {
		add_path(to, e);
		buf_printf(to, " has samples, but nothing that this counts: --samples counts them");
	}
}

int empty_tell(const struct empty *e)
{
	struct asked a = { { 0 }, { 0 } };
	struct buf text = { 0 };
	int ret;

	find_asked(&a, e);
	add_reason(&text, e, &a);
	ret = msg_error("%s", text.data);
	buf_free(&text);
	buf_free(&a.options);
	buf_free(&a.keys);
	return ret;
}

int empty_tell_of(struct empty *e, const struct data *d)
{
	int ret;

	empty_note(e, d);
	ret = empty_tell(e);
	empty_free(e);
	return ret;
}
