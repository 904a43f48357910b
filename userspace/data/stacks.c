// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - load folded stacks from a recording or from folded text
 */
#include <stdlib.h>
#include <string.h>

#include "data/bpftrace_json.h"
#include "data/stacks.h"
#include "data/text_filter.h"
#include "data/text_read.h"
#include "lib/msg.h"
#include "lib/opt.h"

static int refuse_text(const struct input *in, const char *recording_only)
{
	return msg_usage("'%s' is no recording, the only thing that %s can be asked of", in->name,
			 recording_only);
}

/* Add the part of a text that the options select. */
static int load_text(struct input *in, const struct data_fold_options *options, struct folded *out)
{
	struct text_filter filter;
	int ret;

	if (options->recording_only)
		return refuse_text(in, options->recording_only);
	if (!text_filter_is_given(options))
		return text_read(out, in, options->text_kind, NULL);
	ret = text_filter_open(&filter, options);
	if (!ret)
		ret = text_read(out, in, options->text_kind, &filter);
	if (options->empty)
		options->empty->has_samples |= filter.seen > 0;
	text_filter_close(&filter);
	return ret;
}

static int load(struct input *in, const struct data_fold_options *options, struct folded *out)
{
	int ret;

	if (data_is_recording(in))
		return data_fold(in, options, out);
	if (data_is_of_perf(in))
		return msg_error("%s: " DATA_OF_PERF, in->name);
	ret = load_text(in, options, out);
	return ret == EXIT_OK && out->bad_lines ? EXIT_LOST : ret;
}

int stacks_load(const char *path, const struct data_fold_options *options, struct folded *out)
{
	struct input in;
	int ret;

	if (input_open(&in, path))
		return msg_error("%s: %s", in.name, in.error);
	ret = load(&in, options, out);
	input_close(&in);
	return ret;
}

static int read_json(struct stacks_side *side, struct input *in,
		     const struct data_fold_options *options)
{
	const char *given = options->recording_only ? options->recording_only :
		options->query.source ? "--source" :
		options->filter ? filter_options_given(options->filter) : NULL;

	if (given)
		return refuse_text(in, given);
	return input_read_text(in, &side->json) ?
	       msg_error("%s: %s", in->name, in->error) : EXIT_OK;
}

static int read_side(struct stacks_side *side, struct input *in,
		     const struct data_fold_options *options, bool json_too)
{
	int ret;

	side->name = in->name;
	side->is_recording = data_is_recording(in);
	if (side->is_recording)
		return data_read(&side->data, in) ?
		       msg_error("%s: %s", in->name, side->data.error) : EXIT_OK;
	if (data_is_of_perf(in))
		return msg_error("%s: " DATA_OF_PERF, in->name);
	if (json_too && options->text_kind == TEXT_AUTO && input_begins_object(in) &&
	    !bpftrace_json_is_next(in))
		return read_json(side, in, options);
	ret = load_text(in, options, &side->text);
	if (ret == EXIT_OK && side->text.differential)
		ret = msg_error("%s: a line has two counts: it is a comparison already", in->name);
	return ret;
}

int stacks_read_side(struct stacks_side *side, const char *path,
		     const struct data_fold_options *options, bool json_too)
{
	static const struct data_fold_options all = DATA_FOLD_DEFAULTS;
	struct input in;
	int ret;

	*side = (struct stacks_side){ .path = path, .name = path };
	folded_init(&side->text, FOLDED_MERGE);
	if (input_open(&in, path))
		return msg_error("%s: %s", in.name, in.error);
	ret = read_side(side, &in, options ? options : &all, json_too);
	input_close(&in);
	return ret;
}

int stacks_read_two(struct stacks_side side[2], char *const path[2],
		    const struct data_fold_options *options, bool json_too)
{
	int i, ret = EXIT_OK;

	for (i = 0; i < 2; i++)
		side[i] = (struct stacks_side){ .name = path[i] };
	if (!strcmp(path[0], "-") && !strcmp(path[1], "-"))
		return msg_usage("standard input can be one of the two, not both");
	for (i = 0; i < 2 && ret == EXIT_OK; i++)
		ret = stacks_read_side(&side[i], path[i], options, json_too);
	return ret;
}

void stacks_close_side(struct stacks_side *side)
{
	data_close(&side->data);
	folded_free(&side->text);
	buf_free(&side->json);
}

void stacks_close_two(struct stacks_side side[2])
{
	int i;

	for (i = 0; i < 2; i++)
		stacks_close_side(&side[i]);
}

int stacks_refuse_empty(const struct stacks_side *side)
{
	struct empty empty = { .path = side->name, .context = TALLY_ANY };
	const struct data *d = &side->data;

	/* One of lat has a table instead. */
	if (!side->is_recording || d->nr_records || d->text[DATA_BUCKETS].len)
		return EXIT_OK;
	return empty_tell_of(&empty, d);
}

/* Fold one side, and add it to the differential. */
static int add_side(struct stacks_side *side, const struct data_fold_options *options,
		    bool before, struct folded *out, folded_count *total)
{
	struct folded folded, *from = &side->text;
	int ret = from->bad_lines ? EXIT_LOST : EXIT_OK;

	folded_init(&folded, FOLDED_MERGE);
	if (side->is_recording) {
		from = &folded;
		ret = data_fold_opened(&side->data, side->name, options, from);
	}
	if (ret == EXIT_OK || ret == EXIT_LOST)
		folded_add_side(out, from, before);
	*total = from->total;
	folded_free(&folded);
	return ret;
}

/* If one side has several sources, both have frames for them. */
static bool has_several_sources(const struct stacks_side side[2],
				const struct data_fold_options *options)
{
	struct data_unit unit;
	int i;

	for (i = 0; i < 2; i++) {
		if (!side[i].is_recording)
			continue;
		data_fold_unit(&unit, &side[i].data, options);
		if (unit.nr_sources > 1)
			return true;
	}
	return false;
}

/* Time of samples is that on the CPU, time of calls is not. */
static int refuse_unlike(const struct stacks_side side[2], const struct data_unit unit[2])
{
	struct buf sum[2] = { { 0 }, { 0 } };
	int i, ret;

	for (i = 0; i < 2; i++)
		data_unit_sum(&unit[i], &sum[i]);
	ret = msg_error("%s counts %s and %s counts %s, which do not compare; --ns compares time all the same",
			side[0].name, sum[0].data, side[1].name, sum[1].data);
	for (i = 0; i < 2; i++)
		buf_free(&sum[i]);
	return ret;
}

int stacks_compare(struct stacks_side side[2], const struct data_fold_options *options,
		   struct folded *out, struct stacks_two *two)
{
	struct data_fold_options part = *options;
	struct data_unit *unit = two->unit;
	int i, ret, all = EXIT_OK;

	*two = (struct stacks_two){ .total = { 0, 0 } };
	if (has_several_sources(side, options))
		part.source_frames = DATA_ALWAYS;
	for (i = 0; i < 2; i++) {
		part.unit = &unit[i];
		ret = add_side(&side[i], &part, !i, out, &two->total[i]);
		if (ret != EXIT_OK)
			all = ret;
		if (ret != EXIT_OK && ret != EXIT_LOST)
			return ret;
	}
	if (*unit[0].name && *unit[1].name && unit[0].has_samples != unit[1].has_samples &&
	    options->count == DATA_COUNT_DEFAULT)
		return refuse_unlike(side, unit);
	if (*unit[0].name && *unit[1].name && strcmp(unit[0].name, unit[1].name))
		return msg_error("%s is counted in %s and %s in %s, which do not compare; "
				 "--ns counts time in both, --samples their number",
				 side[0].name, unit[0].name, side[1].name, unit[1].name);
	return all;
}
