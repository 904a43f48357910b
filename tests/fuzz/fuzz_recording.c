// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_recording.c - a recording, through every verb that reads one
 *
 * The first byte of the input says how it is read, the rest is the file. diff
 * compares two recordings: the one file without the sections of argument 0xa, and
 * without those of 0xb, which is no different to the reader otherwise.
 */
#include <string.h>

#include "data/data.h"
#include "fuzz.h"
#include "recording.h"

#define ONLY_A	0xa
#define ONLY_B	0xb

static const struct fuzz_way ways[] = {
	{ &verb_report, FUZZ_TEXT, { NULL } },
	{ &verb_report, FUZZ_TEXT, { "-g", "--percent-limit=0" } },
	{ &verb_report, FUZZ_JSON, { "--json" } },
	{ &verb_report, FUZZ_JSON, { "--json", "--sort=comm", "--ns" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--sort=pid" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--ns", "--sort=cpu", "--lines=3" } },
	{ &verb_report, FUZZ_TEXT, { "--sort=source" } },
	{ &verb_report, FUZZ_TEXT, { "--sort=context", "--ns" } },
	{ &verb_report, FUZZ_TEXT, { "--source=timer", "--cpus=1", "--context=softirq" } },
	{ &verb_report, FUZZ_TEXT, { "--us", "--histogram" } },
	{ &verb_fold, FUZZ_FOLDED, { NULL } },
	{ &verb_fold, FUZZ_FOLDED, { "--ns", "--by-pid", "--full-address" } },
	{ &verb_fold, FUZZ_FOLDED, { "--source=timer", "--cpus=0" } },
	{ &verb_report, FUZZ_TEXT, { "--states" } },
	{ &verb_report, FUZZ_JSON, { "--states", "--json" } },
	{ &verb_report, FUZZ_CSV, { "--states", "--csv", "--lines=2" } },
	{ &verb_report, FUZZ_TEXT, { "--waits" } },
	{ &verb_report, FUZZ_JSON, { "--waits", "--json", "--comm=[a-m]*" } },
	{ &verb_report, FUZZ_CSV, { "--waits", "--csv", "--lines=2" } },
	{ &verb_fold, FUZZ_FOLDED, { "--wall", "--by-pid" } },
	{ &verb_fold, FUZZ_FOLDED, { "--wall", "--chain" } },
	{ &verb_flame, FUZZ_SVG, { NULL } },
	{ &verb_flame, FUZZ_SVG, { "--reverse", "--colors=chain", "--hash", "--minwidth=0" } },
	{ &verb_script, FUZZ_TEXT, { NULL } },
	{ &verb_script, FUZZ_TEXT, { "--source=timer", "--time=10%,90%", "--comm=[a-m]*" } },
	{ &verb_diff, FUZZ_TEXT, { NULL } },
	{ &verb_diff, FUZZ_JSON, { "--json" } },
	{ &verb_diff, FUZZ_CSV, { "--csv", "--lines=2" } },
	{ &verb_diff, FUZZ_SVG, { "--svg=-" } },
	{ &verb_report, FUZZ_TEXT, { "--sort=comm,sym", "-g", "--children" } },
	{ &verb_report, FUZZ_TEXT, { "--tree=down" } },
	{ &verb_report, FUZZ_JSON, { "--json", "--tree=up", "--percent-limit=9" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--tree=down", "--ns" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--sort=cpu,module", "--module=[a-m]*" } },
	{ &verb_report, FUZZ_TEXT, { "--regions", "--lines=3" } },
	{ &verb_report, FUZZ_CSV, { "--regions", "--csv" } },
	{ &verb_report, FUZZ_JSON, { "--regions", "--json" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--sort=region,comm" } },
	{ &verb_fold, FUZZ_FOLDED, { "--regions" } },
	{ &verb_fold, FUZZ_FOLDED, { "--cgroups" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--sort=cgroup,comm", "--cgroup=/*" } },
	{ &verb_script, FUZZ_TEXT, { "--cgroups" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--sort=srcline,sym" } },
	{ &verb_report, FUZZ_TEXT, { "--tree=up", "--sort=comm", "--symbol=[a-m]*" } },
	{ &verb_fold, FUZZ_FOLDED, { "--srcline", "--time=10%,90%" } },
	{ &verb_fold, FUZZ_FOLDED, { "--no-inline" } },
	{ &verb_script, FUZZ_TEXT, { "--srcline" } },
	{ &verb_report, FUZZ_TEXT, { "--states", "--time=10%,90%" } },
	{ &verb_export, FUZZ_JSON, { "--format=speedscope" } },
	{ &verb_export, FUZZ_TEXT, { "--format=callgrind" } },
	{ &verb_export, FUZZ_JSON, { "--format=chrome" } },
	{ &verb_export, FUZZ_JSON, { "--format=chrome", "--symbol=[a-m[]*" } },
	{ &verb_export, FUZZ_JSON, { "--format=speedscope", "--source=timer", "--comm=[a-m]*" } },
	{ &verb_fold, FUZZ_FOLDED, { "--wall", "--comm=[a-m]*" } },
};

/* One of the two recordings: without what is the other's alone. */
static const char *without(uint32_t arg, int slot, const uint8_t *data, size_t size)
{
	struct buf file = { 0 };
	struct section s = { 0 };
	const char *path;

	buf_add(&file, data, size < HEADER ? size : HEADER);
	while (section_next(&s, data, size))
		if (s.head.arg != arg)
			buf_add(&file, data + s.at, s.end - s.at);
	path = fuzz_file(slot, file.data, file.len);
	buf_free(&file);
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fuzz_way *way;

	if (!size)
		return 0;
	way = FUZZ_WAY(ways, data[0]);
	data++;
	size--;
	if (way->verb == &verb_diff)
		fuzz_run(way, size, without(ONLY_B, 0, data, size), without(ONLY_A, 1, data, size));
	else
		fuzz_run(way, size, fuzz_file(0, data, size), NULL);
	return 0;
}
