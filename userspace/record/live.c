// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - measure, and show each call, span or point as it happens
 */
#include <inttypes.h>
#include <stdio.h>

#include "data/account.h"
#include "lib/msg.h"
#include "record/kmod.h"
#include "record/live.h"
#include "record/measurement.h"
#include "record/record_meta.h"

#define WAIT_MS	100	/* needed, as rings wake their reader only when they are half full */
#define ROWS	"16384"	/* for keys with many values, which are typical here */

static bool show(const struct follow_event *event, void *data)
{
	struct live *l = data;

	l->is_enough = !l->show(event, l->data);
	return !l->is_enough;
}

static int loop(struct live *l, struct follow *f, struct until *until)
{
	uint64_t end = until_deadline(record_now_ns(), l->duration);

	while (record_now_ns() < end && !until_is_over(until) && !l->is_enough) {
		if (f->collect.stopped) {
			msg_warn("someone else stopped the module: nothing more comes");
			break;
		}
		if (collect_wait(&f->collect, until->wake, until->nr_wake, WAIT_MS) ||
		    follow_step(f, false, show, l))
			return EXIT_ERROR;
		fflush(stdout);
	}
	return EXIT_OK;
}

static int print_account(const struct live *l, struct follow *f)
{
	struct buf *text = f->collect.meta.text, causes = { 0 };
	uint64_t lost, full, own, filtered, too_short;

	if (kmod_read("stats", &text[DATA_STATS]))
		return EXIT_ERROR;
	lost = account_dropped(&text[DATA_STATS_BEFORE], &text[DATA_STATS], &causes);
	full = account_growth(&text[DATA_STATS_BEFORE], &text[DATA_STATS],
			      "ring.dropped_full");
	if (full)
		buf_printf(&causes, "%sring.dropped_full %" PRIu64, lost ? ", " : "", full);
	own = account_growth(&text[DATA_STATS_BEFORE], &text[DATA_STATS], "dropped_own");
	account_left_out(&text[DATA_STATS_BEFORE], &text[DATA_STATS], &filtered, &too_short);
	if (!l->csv && filtered)
		printf("# left out: %" PRIu64 " by command, pid, comm, cpus or if= at the beginning\n",
		       filtered);
	if (!l->csv && too_short)
		printf("# left out: %" PRIu64 " by min= or if= at the end\n", too_short);
	if (!l->csv && own)
		printf("# left out: %" PRIu64 " of kprof itself (--own)\n", own);
	if (!l->csv)
		printf("# lost: %" PRIu64 "%s%s\n", lost + full, lost + full ? ": " : "",
		       lost + full ? causes.data : "");
	else if (lost + full)
		msg_warn("lost: %s", causes.data);
	buf_free(&causes);
	return lost + full ? EXIT_LOST : EXIT_OK;
}

static int follow(struct live *l, struct measurement *s, struct follow *f)
{
	int ret;

	l->begin(l->data);
	ret = measurement_start(s, l->duration);
	if (!ret)
		ret = loop(l, f, &s->until);
	if (setup_set(&s->setup, "enable", "0"))
		ret = EXIT_ERROR;
	if (!ret && !l->is_enough)
		ret = follow_step(f, true, show, l);
	return ret ? ret : print_account(l, f);
}

static int configure(const struct live *l, struct measurement *s)
{
	struct setup *c = &s->setup;

	if (setup_set_number(c, "ring_kb", l->ring_kb) || setup_set(c, "max_rows", ROWS) ||
	    setup_set(c, "event", "none") || setup_set(c, "record", "1") ||
	    setup_set(c, "idle", "0") || setup_set(c, "stacks", "none") ||
	    setup_set_targets(c, l->target, l->nr_targets, l->skip_missing))
		return EXIT_ERROR;
	return measurement_filter(s, l->pids, l->all, l->comm, l->cpus, l->own);
}

int live_run(struct live *l, char **command)
{
	struct measurement s;
	struct follow f;
	int ret;

	if (measurement_begin(&s, l->module, command, l->pids) || configure(l, &s)) {
		ret = EXIT_ERROR;
	} else {
		ret = follow_open(&f);
		if (!ret)
			ret = follow(l, &s, &f);
		follow_close(&f);
	}
	if (measurement_end(&s))
		ret = EXIT_ERROR;
	return command_status(ret, s.status);
}
