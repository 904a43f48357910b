// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - folded stacks from whatever holds them: a recording or folded text
 */
#include "msg.h"
#include "opt.h"
#include "stacks.h"

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
