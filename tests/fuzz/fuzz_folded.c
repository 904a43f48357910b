// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_folded.c - folded text, as fold and flame read it
 *
 * The first byte of the input says how it is read.
 */
#include "fuzz.h"

static const struct {
	const struct verb *verb;
	enum fuzz_output output;
	const char *args[8];
} ways[] = {
	{ &verb_fold, FUZZ_FOLDED, { NULL } },
	{ &verb_flame, FUZZ_SVG, { NULL } },
	{ &verb_flame, FUZZ_SVG, { "--minwidth=0", "--colors=java", "--inverted" } },
	{ &verb_flame, FUZZ_SVG, { "--flamechart", "--random", "--colors=mem" } },
	{ &verb_flame, FUZZ_SVG, { "--reverse", "--negate", "--encoding=ISO-8859-1" } },
	{ &verb_flame, FUZZ_SVG, { "--reverse", "--flamechart", "--hash", "--colors=wakeup" } },
	{ &verb_flame, FUZZ_SVG, { "--total=100", "--factor=0.001", "--minwidth=1%" } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *args[10];
	size_t way, nr = 0;

	if (!size)
		return 0;
	way = data[0] % (sizeof(ways) / sizeof(*ways));
	for (; ways[way].args[nr]; nr++)
		args[nr] = ways[way].args[nr];
	args[nr++] = fuzz_file(0, data + 1, size - 1);
	args[nr] = NULL;
	fuzz_verb(ways[way].verb, ways[way].output, size, args);
	return 0;
}
