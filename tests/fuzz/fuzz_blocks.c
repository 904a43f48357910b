// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_blocks.c - answers in JSON that are read back: blocks of a function, as diff compares them
 *
 * The first byte of the input says how they are printed, a line "%%" keeps the two apart.
 */
#include "fuzz.h"

static const struct {
	enum fuzz_output output;
	const char *args[3];
} ways[] = {
	{ FUZZ_TEXT, { NULL } },
	{ FUZZ_JSON, { "--json" } },
	{ FUZZ_TEXT, { "--threshold=0", "--lines=3" } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part part[2];
	const char *args[6];
	size_t way, nr = 0;

	if (!size)
		return 0;
	way = data[0] % (sizeof(ways) / sizeof(*ways));
	for (; ways[way].args[nr]; nr++)
		args[nr] = ways[way].args[nr];
	fuzz_split(data + 1, size - 1, part, 2);
	args[nr++] = fuzz_file(0, part[0].data, part[0].size);
	args[nr++] = fuzz_file(1, part[1].data, part[1].size);
	args[nr] = NULL;
	fuzz_verb(&verb_diff, ways[way].output, size, args);
	return 0;
}
