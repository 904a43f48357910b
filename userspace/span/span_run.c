// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_run.c - measure a preset of the module, and say what the table is worth
 */
#include <inttypes.h>
#include <string.h>

#include "data/account.h"
#include "lib/msg.h"
#include "span/span.h"

#define ROWS	2048	/* of lat it is 512: here the keys are given, and are many */

/* Spans that go over the edge of the measurement are no loss, but they are missing. */
static void print_account(const struct data *d)
{
	const struct buf *before = &d->text[DATA_STATS_BEFORE], *after = &d->text[DATA_STATS];
	struct buf causes = { 0 };
	uint64_t lost = account_dropped(before, after, &causes);
	uint64_t unbegun = account_growth(before, after, "dropped_unbegun");
	uint64_t unended = account_growth(before, after, "unended") +
			   account_growth(before, after, "open");
	uint64_t overwritten = account_growth(before, after, "overwritten");

	if (unbegun)
		printf("# not in it: %" PRIu64 " that had begun before\n", unbegun);
	if (unended)
		printf("# not in it: %" PRIu64 " that had not ended, or never do\n", unended);
	if (overwritten)
		printf("# not in it: %" PRIu64 " whose end was not seen before they began anew\n",
		       overwritten);
	printf("# lost: %" PRIu64 "%s%s\n", lost, lost ? ": " : "", lost ? causes.data : "");
	buf_free(&causes);
}

static void show(struct watch *w, const struct data *view, struct lat_table *t)
{
	struct span *s = (struct span *)w;	/* it is its first member */

	s->print(s, view, t);
	if (!s->options->csv)
		print_account(view);
	if (w->interval)
		putchar('\n');
	fflush(stdout);
}

static int check(const struct span_options *o, char **argv)
{
	if (*argv && strcmp(*argv, "--"))
		return msg_usage("'%s': a command stands behind --", *argv);
	if (until_check_pids(&o->pids, o->all))
		return EXIT_USAGE;
	if (o->count && !o->interval)
		return msg_usage("--interval-count needs intervals: give --interval, too");
	return EXIT_OK;
}

int span_run(struct span *s, const char *const *target, int nr, char **argv)
{
	const struct span_options *o = s->options;
	int ret;

	if (check(o, argv))
		return EXIT_USAGE;
	s->watch = (struct watch){
		.target = target, .nr_targets = nr, .pids = &o->pids, .all = o->all,
		.comm = o->comm, .cpus = o->cpus, .module = o->module,
		.max_rows = o->max_rows ? o->max_rows : ROWS, .duration = o->duration,
		.interval = o->interval, .count = o->count, .show = show,
	};
	ret = watch_run(&s->watch, argv + !!*argv);
	return command_status(ret, s->watch.measurement.status);
}
