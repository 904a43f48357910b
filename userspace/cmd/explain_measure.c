// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_measure.c - kprof explain: a round of measurement
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/explain.h"
#include "data/account.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/snapshot.h"

#define MAX_ROWS	"8192"

static int configure(struct measurement *s, const struct explain_options *o,
		     const struct explain_round *r)
{
	return setup_set(&s->setup, "max_rows", MAX_ROWS) ||
	       setup_set(&s->setup, "event", "none") ||
	       setup_set(&s->setup, "record", "0") ||
	       setup_set(&s->setup, "idle", "1") ||
	       r->set_targets(&s->setup, r->arg) ||
	       measurement_filter(s, &o->pids, o->all, o->comm, o->cpus, o->own) ?
	       EXIT_ERROR : EXIT_OK;
}

static int wait_for_end(struct measurement *s, double duration, bool command)
{
	uint64_t end = UINT64_MAX, now;

	if (duration || !command)
		end = record_now_ns() + (duration ? duration : 5) * 1e9;
	while (!until_is_over(&s->until)) {
		now = record_now_ns();
		if (now >= end)
			break;
		if (until_sleep(&s->until, end - now))
			return EXIT_ERROR;
	}
	return EXIT_OK;
}

/* Warn of losses, except for a full table of rows, which is reported below the result. */
static void warn_of_losses(struct explain_work *w, const struct data *d)
{
	struct buf causes = { 0 };
	uint64_t lost = account_dropped(&d->text[DATA_STATS_BEFORE], &d->text[DATA_STATS], &causes);

	if (lost) {
		msg_warn("%" PRIu64 " call%s %s lost: %s", lost, plural(lost), plural_are(lost),
			 causes.data);
		w->lost = EXIT_LOST;
	}
	buf_free(&causes);
}

/* Each round measures the probe overhead again; the overhead of the last round is reported. */
void explain_take_off_probes(struct explain_work *w, struct lat_table *t, const struct data *d)
{
	if (!w->options->net)
		return;
	lat_net(t, d);
	w->net.len = 0;
	lat_net_describe(d, "# net: ", &w->net);
}

static int measure_calls(struct measurement *s, struct explain_work *w, struct lat_table *t)
{
	double duration = w->options->duration;
	struct snapshots m = { 0 };
	struct lat_table step;
	struct data view;
	int ret = snapshots_begin(&m, w->command);

	if (!ret)
		ret = measurement_start(s, duration);
	if (!ret)
		ret = wait_for_end(s, duration, *w->command);
	w->interrupted = until_is_interrupted(&s->until);
	if (setup_set(&s->setup, "enable", "0"))
		ret = EXIT_ERROR;
	if (!ret) {
		ret = snapshots_step(&m, &step, &view);
		lat_free(&step);
	}
	if (!ret)
		ret = snapshots_total(&m, t, LAT_TOTAL);
	if (!ret) {
		warn_of_losses(w, &m.result);
		explain_take_off_probes(w, t, &m.result);
	}
	snapshots_free(&m);
	return ret;
}

int explain_measure_round(struct explain_work *w, const struct explain_round *r,
			  struct lat_table *t)
{
	const struct explain_options *o = w->options;
	struct measurement s;
	int ret = EXIT_ERROR;

	msg_warn("round %d of at most %d: %s", ++w->round, w->rounds, r->what);
	if (!measurement_begin(&s, o->module, w->command, &o->pids) && !configure(&s, o, r))
		ret = measure_calls(&s, w, t);
	if (measurement_end(&s))
		ret = EXIT_ERROR;
	if (s.status)
		w->status = s.status;
	return ret;
}

struct lines {
	const char *const *target;
	int nr;
};

static int set_lines(struct setup *c, const void *arg)
{
	const struct lines *l = arg;

	return setup_set_targets(c, l->target, l->nr, l->nr > 1);
}

int explain_measure(struct explain_work *w, const char *const *target, int nr, struct lat_table *t,
		    const char *what)
{
	struct explain_round round = {
		.set_targets = set_lines, .arg = &(struct lines){ target, nr }, .what = what,
	};

	return explain_measure_round(w, &round, t);
}

/* The module's name of the target, which can have a suffix that the compiler added. */
const char *explain_measured_name(const struct lat_table *t, const char *target)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (!strcmp(t->row[i].target, target))
			return target;
	return t->nr ? t->row[0].target : target;
}
