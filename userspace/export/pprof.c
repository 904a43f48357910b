// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof.c - a recording as a profile for pprof: profile.proto, compressed by gzip
 *
 * A profile has a sample for each combination of stack, thread, CPU, context and region, with one
 * value for each type of export_types.h, and labels.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "data/about.h"
#include "data/account.h"
#include "data/cgroups.h"
#include "data/data_fold.h"
#include "data/regions.h"
#include "export/export_formats.h"
#include "export/export_types.h"
#include "export/pprof_tables.h"
#include "export/proto.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/output.h"
#include "lib/pid.h"

static void put_type(struct pprof *p, int field, const char *name, bool is_time)
{
	struct buf type = { 0 };

	proto_u64(&type, 1, pprof_string(p, name));
	proto_u64(&type, 2, pprof_string(p, is_time ? "nanoseconds" : "count"));
	pprof_put(p, field, &type);
	buf_free(&type);
}

static void put_types(struct pprof *p, const struct export_types *types)
{
	size_t i;

	for (i = 0; i < types->nr; i++)
		put_type(p, PPROF_SAMPLE_TYPE, types->type[i].name, types->type[i].is_time);
	if (types->nr)
		pprof_put_u64(p, PPROF_DEFAULT_TYPE,
			      pprof_string(p, types->type[types->main].name));
}

/* When the recording was made, and of a timer how often it samples. */
static void put_times(struct pprof *p)
{
	const struct data *d = p->data;
	char *time = data_meta(d, "time"), *event = data_meta(d, "event");
	uint64_t freq = data_text_number(&d->text[DATA_META], "freq");
	struct tm tm = { 0 };

	if (strptime(time, "%Y-%m-%dT%H:%M:%SZ", &tm) && timegm(&tm) > 0)
		pprof_put_u64(p, PPROF_TIME, (uint64_t)timegm(&tm) * 1000000000);
	pprof_put_u64(p, PPROF_DURATION, data_duration_ns(d));
	if (!strcmp(event, "timer") && freq) {
		put_type(p, PPROF_PERIOD_TYPE, "cpu", true);
		pprof_put_u64(p, PPROF_PERIOD, 1000000000 / freq);
	}
	free(time);
	free(event);
}

/* What was recorded, and the account of losses: "pprof -comments" shows them. */
static void put_comments(struct pprof *p)
{
	struct buf title = { 0 }, about = { 0 };
	char *text = NULL, *line, *rest;
	struct account a;
	size_t size;
	FILE *out;

	about_recording(p->data, &title, &about);
	if (title.len)
		pprof_put_u64(p, PPROF_COMMENT, pprof_string(p, title.data));
	if (about.len)
		pprof_put_u64(p, PPROF_COMMENT, pprof_string(p, about.data));
	buf_free(&title);
	buf_free(&about);
	if (!account_of_data(&a, p->data))
		return;
	out = open_memstream(&text, &size);
	if (out) {
		account_print(&a, "", out);
		fclose(out);
	}
	line = text ? strtok_r(text, "\n", &rest) : NULL;
	for (; line; line = strtok_r(NULL, "\n", &rest))
		pprof_put_u64(p, PPROF_COMMENT, pprof_string(p, line));
	free(text);
	account_free(&a);
}

/* A label has a text, or a number, whose unit is not said: it is an id. */
static void add_label(struct pprof *p, struct buf *sample, const char *key, const char *text,
		      uint64_t number)
{
	struct buf label = { 0 };

	proto_u64(&label, 1, pprof_string(p, key));
	if (text)
		proto_u64(&label, 2, pprof_string(p, text));
	else
		proto_u64(&label, 3, number);
	proto_message(sample, 3, &label);
	buf_free(&label);
}

static void add_labels(struct pprof *p, struct buf *sample, const struct tally_row *row,
		       bool regions)
{
	const struct data *d = p->data;
	const uint32_t task = KPROF_KEY_TASK(row->key);
	char pid[PID_TEXT];

	add_label(p, sample, "comm", data_task_name(d, task), 0);
	/* 0 is an id, too, but no reader tells a number that is 0 from one that is missing. */
	add_label(p, sample, "tid", pid_text(row->pid, pid), 0);
	if (task < d->nr_tasks && d->task[task].tgid)
		add_label(p, sample, "pid", pid_text(d->task[task].tgid, pid), 0);
	snprintf(pid, sizeof(pid), "%u", KPROF_INFO_CPU(row->info));
	add_label(p, sample, "cpu", pid, 0);
	add_label(p, sample, "context", tally_contexts[KPROF_INFO_CTX(row->info)], 0);
	if (task < d->nr_tasks && d->task[task].cgroup)
		add_label(p, sample, "cgroup", cgroups_name(d, task), 0);
	if (regions)
		add_label(p, sample, "region", regions_name(d, row->region), 0);
}

static void put_sample(struct pprof *p, const struct export_types *types,
		       const struct tally_row *row, struct export_stack *stack, bool regions)
{
	struct buf sample = { 0 }, list = { 0 };
	size_t i;

	export_stack_of(stack, p->data, row);
	for (i = 0; i < stack->nr; i++)
		proto_varint(&list, pprof_location(p, &stack->place[i]));
	proto_message(&sample, 1, &list);
	for (i = 0; i < types->nr; i++)
		proto_varint(&list, export_value(&types->type[i], row));
	proto_message(&sample, 2, &list);
	add_labels(p, &sample, row, regions);
	pprof_put(p, PPROF_SAMPLE, &sample);
	buf_free(&list);
	buf_free(&sample);
}

static void put_samples(struct pprof *p, const struct export_types *types, const struct tally *t,
			bool regions)
{
	struct export_stack stack = { 0 };
	size_t i;

	for (i = 0; i < t->nr; i++)
		put_sample(p, types, &t->row[i], &stack, regions);
	free(stack.place);
}

static void put_profile(struct pprof *p, struct export *e, bool regions)
{
	struct tally_query query = e->query;
	struct export_types types = { 0 };
	struct tally t;

	query.by_pid = true;
	query.by_cpu = true;
	query.by_context = true;
	query.by_region = regions;
	export_types_make(&types, p->data, query.source);
	pprof_string(p, "");
	put_types(p, &types);
	put_times(p);
	put_comments(p);
	if (!tally_make(&t, p->data, &query)) {
		put_samples(p, &types, &t, regions);
		e->is_empty = !t.nr;
		tally_free(&t);
	}
	export_types_free(&types);
}

static int write_pprof(struct export *e)
{
	const bool regions = tally_source(e->data, REGIONS_SOURCE);
	struct pprof p = { .data = e->data };
	int fd, ret;

	if (regions && regions_open(e->data, e->path))
		return EXIT_ERROR;
	fd = dup(STDOUT_FILENO);
	p.out = fd < 0 ? NULL : gzdopen(fd, "wb");
	if (!p.out)
		return msg_error("cannot write %s: %s", output_name(), strerror(errno));
	put_profile(&p, e, regions);
	errno = 0;
	ret = gzclose(p.out);
	pprof_free(&p);
	if (ret != Z_OK || p.has_failed)
		return msg_error("cannot write %s: %s", output_name(),
				 errno ? strerror(errno) : "no room");
	return EXIT_OK;
}

const struct export_format export_pprof = {
	.name = "pprof",
	.holds = EXPORT_THREADS | EXPORT_TASKS | EXPORT_CPUS | EXPORT_CONTEXTS | EXPORT_CGROUPS |
		 EXPORT_REGIONS | EXPORT_COUNTERS | EXPORT_LINES,
	.is_binary = true,
	.write = write_pprof,
};
