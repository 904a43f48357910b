// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - folded stacks from whatever holds them: a recording or folded text
 */
#include "opt.h"
#include "stacks.h"

int stacks_load(const char *path, const struct data_fold_options *options, struct folded *out)
{
	static const struct data_fold_options defaults = DATA_FOLD_DEFAULTS;
	int ret;

	if (data_is_recording(path))
		return data_fold(path, options ? options : &defaults, out);
	ret = folded_read(out, path);
	return ret == EXIT_OK && out->bad_lines ? EXIT_LOST : ret;
}
