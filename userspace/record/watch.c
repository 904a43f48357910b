// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - measure calls until the measurement ends; show them once, or every interval
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/msg.h"
#include "lib/output.h"
#include "record/kmod.h"
#include "record/record_meta.h"
#include "record/watch.h"

/* Get the calls since the last step, and show them. */
static int step(struct watch *w)
{
	struct lat_table t;
	struct data view;
	int ret = snapshots_step(&w->snapshots, &t, &view);

	if (!ret && w->interval) {
		w->tables++;
		w->show(w, &view, &t);
	}
	lat_free(&t);
	return ret;
}

/* Show intervals. The last one ends with the measurement; finish() shows it. */
static int loop(struct watch *w)
{
	struct until *until = &w->measurement.until;
	uint64_t start = record_now_ns(), now, next, wait;
	uint64_t end = until_deadline(start, w->duration);
	uint64_t every = w->interval * 1e9, tick = every ? start + every : UINT64_MAX;
	long done = 0;

	for (;;) {
		now = record_now_ns();
		if (until_is_over(until)) {
			w->ended = !until_is_interrupted(until);
			return EXIT_OK;
		}
		if (now >= end)
			return EXIT_OK;
		if (now >= tick) {
			if (++done == w->count)
				return EXIT_OK;
			if (step(w))
				return EXIT_ERROR;
			tick += every * ((now - tick) / every + 1);
			continue;
		}
		next = tick < end ? tick : end;
		if (w->user) {
			if (watch_user_work(w->user, now, &wait))
				return EXIT_ERROR;
			next = next - now > wait ? now + wait : next;
		}
		if (until_sleep(until, next - now))
			return EXIT_ERROR;
	}
}

/* Set a number; 0 leaves the module's setting as it is. */
static int set_number(struct setup *c, const char *file, long value)
{
	return value ? setup_set_number(c, file, value) : EXIT_OK;
}

static int configure(struct watch *w)
{
	struct setup *c = &w->measurement.setup;

	if (set_number(c, "max_rows", w->max_rows) || set_number(c, "max_open", w->max_open) ||
	    set_number(c, "maxactive", w->maxactive) ||
	    (w->clock && setup_set(c, "clock", w->clock)))
		return EXIT_ERROR;
	if (setup_set(c, "event", "none") || setup_set(c, "record", "0") ||
	    (w->set_targets ? w->set_targets(w, c) :
			      setup_set_targets(c, w->target, w->nr_targets, w->skip_missing)))
		return EXIT_ERROR;
	if (setup_set(c, "idle", w->idle_too ? "1" : "0"))
		return EXIT_ERROR;
	return measurement_filter(&w->measurement, w->pids, w->all, w->comm, w->cpus, w->own);
}

static void warn_if_stopped(void)
{
	struct buf enabled = { 0 };

	if (!kmod_read("enable", &enabled) && *enabled.data == '0')
		msg_warn("someone else stopped the module: later calls are not in the table");
	buf_free(&enabled);
}

static int open_output(struct watch *w)
{
	if (w->output)
		w->out = output_create(w->output);
	return w->output && w->out < 0 ? EXIT_ERROR : EXIT_OK;
}

static int write_output(struct watch *w)
{
	if (w->out >= 0 && snapshots_write(&w->snapshots, w->out))
		return msg_error("--output: cannot write '%s': %s", w->output, strerror(errno));
	return EXIT_OK;
}

static int close_output(struct watch *w, int ret)
{
	ret = output_close(w->out, w->output, ret);
	if (w->out >= 0 && ret == EXIT_ERROR && strcmp(w->output, "-"))
		unlink(w->output);	/* it has no usable contents */
	return ret;
}

/* Finish the measurement; show the table of the whole time, unless intervals were shown. */
static int finish(struct watch *w)
{
	struct lat_table t;
	int ret;

	ret = step(w);
	if (ret)
		return ret;
	ret = snapshots_total(&w->snapshots, &t, w->sort);
	if (!ret && !w->interval)
		w->show(w, &w->snapshots.result, &t);
	if (!ret)
		ret = write_output(w);
	if (!ret)
		ret = lat_warn(&w->snapshots.result, &t, "");
	lat_free(&t);
	return ret;
}

/* Measure calls from here until the end. */
static int measure(struct watch *w, char **command)
{
	int ret = snapshots_begin(&w->snapshots, command);

	if (ret)
		return ret;
	if (w->user && watch_user_prepare(w->user, *command, w->pids, &w->measurement.until))
		return EXIT_ERROR;
	if (w->begun)
		w->begun(w);
	ret = measurement_start(&w->measurement, w->duration);
	snapshots_started(&w->snapshots);
	if (!ret)
		ret = loop(w);
	snapshots_ended(&w->snapshots);
	if (!ret)
		warn_if_stopped();
	if (setup_set(&w->measurement.setup, "enable", "0"))
		ret = EXIT_ERROR;
	if (*command && w->ended)
		buf_printf(&w->snapshots.result.text[DATA_META], "ended: command\n");
	return ret ? ret : finish(w);
}

int watch_run(struct watch *w, char **command)
{
	int ret = EXIT_ERROR;

	w->out = -1;
	if (!measurement_begin(&w->measurement, w->module, command, w->pids) && !configure(w) &&
	    !open_output(w))
		ret = measure(w, command);
	snapshots_free(&w->snapshots);
	if (measurement_end(&w->measurement))
		ret = EXIT_ERROR;
	return close_output(w, ret);
}
