// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - load folded stacks from a recording or from folded text
 */
#include <stdlib.h>
#include <string.h>

#include "data/stacks.h"
#include "lib/msg.h"
#include "lib/opt.h"

static int load(struct input *in, const struct data_fold_options *options, struct folded *out)
{
	static const struct data_fold_options defaults = DATA_FOLD_DEFAULTS;
	int ret;

	if (data_is_recording(in))
		return data_fold(in, options ? options : &defaults, out);
	if (options && options->recording_only)
		return msg_usage("'%s' is no recording, the only thing that %s can be asked of",
				 in->name, options->recording_only);
	ret = folded_read(out, in);
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

/* Append the stacks of a side as text with two counts; the count of the other side is 0. */
static void add_side(struct buf *text, const char *lines, int side)
{
	const char *end, *count;

	for (; *lines; lines = *end ? end + 1 : end) {
		end = lines + strcspn(lines, "\n");
		count = memrchr(lines, ' ', end - lines);
		if (!count)
			continue;
		buf_add(text, lines, count - lines);
		if (side)
			buf_printf(text, " 0%.*s\n", (int)(end - count), count);
		else
			buf_printf(text, "%.*s 0\n", (int)(end - count), count);
	}
}

static int load_side(const char *path, const struct data_fold_options *options, int side,
		     struct buf *text, folded_count *total)
{
	struct folded f;
	char *lines = NULL;
	size_t size;
	FILE *out;
	int ret;

	folded_init(&f, FOLDED_MERGE);
	ret = stacks_load(path, options, &f);
	if (ret == EXIT_OK || ret == EXIT_LOST) {
		out = open_memstream(&lines, &size);
		if (!out || folded_write(&f, out) || fclose(out))
			ret = msg_error("no memory for the stacks of %s", path);
		else
			add_side(text, lines, side);
		free(lines);
		*total = f.total;
	}
	folded_free(&f);
	return ret;
}

int stacks_load_two(char *const path[2], const struct data_fold_options *options,
		    struct folded *out, struct stacks_two *two)
{
	struct data_fold_options part = *options;
	struct data_unit unit[2] = { { .name = "" }, { .name = "" } };
	struct buf text = { 0 };
	int side, ret, all = EXIT_OK;

	*two = (struct stacks_two){ .total = { 0, 0 } };
	for (side = 0; side < 2; side++) {
		part.unit = &unit[side];
		ret = load_side(path[side], &part, side, &text, &two->total[side]);
		if (ret != EXIT_OK)
			all = ret;
		if (ret != EXIT_OK && ret != EXIT_LOST)
			break;
	}
	two->unit = unit[1];
	if ((all == EXIT_OK || all == EXIT_LOST) && *unit[0].name && *unit[1].name &&
	    strcmp(unit[0].name, unit[1].name))
		all = msg_error("%s is counted in %s and %s in %s, which do not compare; --ns counts "
				"time in both", path[0], unit[0].name, path[1], unit[1].name);
	if (text.len && (all == EXIT_OK || all == EXIT_LOST))
		folded_parse(out, text.data, text.len, "both");
	buf_free(&text);
	return all;
}
