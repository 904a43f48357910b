// SPDX-License-Identifier: GPL-2.0-only
/*
 * export_formats.c - the list of formats, and what each of them leaves out of a recording
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data/regions.h"
#include "export/export_formats.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "lib/opt.h"

/* In the order of export_names. */
static const struct export_format *const formats[] = {
	&export_pprof, &export_speedscope, &export_callgrind, &export_folded, &export_perf_script,
	&export_chrome,
};

const char *const export_names[] = {
	"pprof", "speedscope", "callgrind", "folded", "perf-script", "chrome", NULL
};

/* What a warning calls each enum export_part, in their order. */
static const char *const part_names[] = {
	"threads and processes", "names of tasks", "CPUs", "contexts", "cgroups", "regions",
	"keys of calls", "times of samples", "other counters", "source lines",
};

#define NR_PARTS	(sizeof(part_names) / sizeof(*part_names))

/* What single records tell of. */
static unsigned int parts_of_records(const struct data *d)
{
	unsigned int parts = 0;
	size_t c, i;

	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			uint32_t info = d->chunk[c].rec[i].info;

			if (KPROF_INFO_KIND(info) == KPROF_REC_ROW)
				parts |= EXPORT_KEYS;
			else if (KPROF_INFO_KIND(info) == KPROF_REC_ALONG)
				parts |= EXPORT_COUNTERS;
			if (KPROF_INFO_CPU(info))
				parts |= EXPORT_CPUS;
			if (KPROF_INFO_CTX(info))
				parts |= EXPORT_CONTEXTS;
		}
	return parts;
}

/* What the recording has. */
static unsigned int parts_of(const struct data *d)
{
	unsigned int parts = EXPORT_THREADS | EXPORT_TASKS | EXPORT_TIMES | parts_of_records(d);

	if (d->text[DATA_CGROUPS].len)
		parts |= EXPORT_CGROUPS;
	if (tally_source(d, REGIONS_SOURCE))
		parts |= EXPORT_REGIONS;
	if (d->text[DATA_INLINED].len)
		parts |= EXPORT_LINES;
	return parts;
}

static void tell_left_out(const struct export *e, const struct export_format *format)
{
	unsigned int left = parts_of(e->data) & ~format->holds, part;
	struct buf list = { 0 };

	for (part = 0; part < NR_PARTS; part++)
		if (left & 1u << part)
			buf_printf(&list, "%s%s", !list.len ? "" :
				   left >> (part + 1) ? ", " : " and ", part_names[part]);
	if (list.len)
		msg_warn("%s: left out, as %s does not hold it: %s", e->path, format->name,
			 list.data);
	buf_free(&list);
}

int export_write(struct export *e, int format)
{
	const struct export_format *f = formats[format];
	int ret;

	if (f->is_binary && isatty(STDOUT_FILENO))
		return msg_error("%s is binary, and standard output is a terminal: give --output FILE",
				 f->name);
	ret = f->write(e);
	if (!ret)
		tell_left_out(e, f);
	return ret;
}
