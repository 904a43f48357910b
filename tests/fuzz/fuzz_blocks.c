// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_blocks.c - answers in JSON that are read back: blocks of a function, as diff compares them
 *
 * The first byte of the input says how they are printed, a line "%%" keeps the two apart.
 */
#include "fuzz.h"

static const struct fuzz_way ways[] = {
	{ &verb_diff, FUZZ_TEXT, { NULL } },
	{ &verb_diff, FUZZ_JSON, { "--json" } },
	{ &verb_diff, FUZZ_TEXT, { "--threshold=0", "--lines=3" } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part part[2];

	if (!size)
		return 0;
	fuzz_split(data + 1, size - 1, part, 2);
	fuzz_run(FUZZ_WAY(ways, data[0]), size, fuzz_file(0, part[0].data, part[0].size),
		 fuzz_file(1, part[1].data, part[1].size));
	return 0;
}
