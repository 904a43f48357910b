// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_folded.c - folded text, as fold and flame read it
 *
 * The first byte of the input says how it is read.
 */
#include "fuzz.h"

static const struct fuzz_way ways[] = {
	{ &verb_fold, FUZZ_FOLDED, { NULL } },
	{ &verb_flame, FUZZ_SVG, { NULL } },
	{ &verb_flame, FUZZ_SVG, { "--minwidth=0", "--colors=java", "--inverted" } },
	{ &verb_flame, FUZZ_SVG, { "--flamechart", "--random", "--colors=mem" } },
	{ &verb_flame, FUZZ_SVG, { "--reverse", "--negate", "--encoding=ISO-8859-1" } },
	{ &verb_flame, FUZZ_SVG, { "--reverse", "--flamechart", "--hash", "--colors=wakeup" } },
	{ &verb_flame, FUZZ_SVG, { "--total=100", "--factor=0.001", "--minwidth=1%" } },
	{ &verb_fold, FUZZ_FOLDED, { "--comm=[a-m]*", "--time=10%,90%" } },
	{ &verb_fold, FUZZ_FOLDED, { "--symbol=*[a-m]", "--parent=[a-m]*" } },
	{ &verb_fold, FUZZ_FOLDED, { "--pid=1", "--cpus=0-3", "--context=softirq" } },
	{ &verb_flame, FUZZ_SVG, { "--module=[a-m]*", "--time=+1," } },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	fuzz_run(FUZZ_WAY(ways, data[0]), size, fuzz_file(0, data + 1, size - 1), NULL);
	return 0;
}
