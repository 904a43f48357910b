// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_nameattr.c - attributes of frames, and frames that they are for
 *
 * A line "%%" keeps the attributes apart from the folded text.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part part[2];
	const char *args[] = { "--minwidth=0", "--nameattr", NULL, NULL, NULL };

	fuzz_split(data, size, part, 2);
	args[2] = fuzz_file(0, part[0].data, part[0].size);
	args[3] = fuzz_file(1, part[1].data, part[1].size);
	fuzz_verb(&verb_flame, FUZZ_SVG, size, args);
	return 0;
}
