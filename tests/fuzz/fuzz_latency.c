// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_latency.c - the texts in a recording of latency, as report and diff read them
 *
 * Lines "%%" keep the texts apart; the first one is not a text but its first
 * byte says how they are read. The other side of a diff has them in turn
 * without their first lines, so that much is the same.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/data.h"
#include "fuzz.h"

static const enum data_section_type types[] = {
	DATA_LATENCY, DATA_BUCKETS, DATA_STATS, DATA_STATS_BEFORE, DATA_META, DATA_TARGETS,
	DATA_CONFIG, DATA_MITIGATIONS, DATA_FUNCTIONS, DATA_MODULES,
};

#define NR_TYPES	(sizeof(types) / sizeof(*types))

static const struct fuzz_way ways[] = {
	{ &verb_report, FUZZ_TEXT, { "--histogram" } },
	{ &verb_report, FUZZ_JSON, { "--json" } },
	{ &verb_report, FUZZ_CSV, { "--csv", "--lines=5" } },
	{ &verb_diff, FUZZ_TEXT, { "--us" } },
	{ &verb_diff, FUZZ_JSON, { "--json" } },
	{ &verb_diff, FUZZ_CSV, { "--csv", "--threshold=0" } },
	{ &verb_diff, FUZZ_SVG, { "--svg=-" } },
};

/* All lines but the second, which in a table is the first row. */
static struct fuzz_part less(struct fuzz_part part, struct buf *room)
{
	const char *first = memchr(part.data, '\n', part.size), *second = NULL;

	room->len = 0;
	if (first)
		second = memchr(first + 1, '\n', part.data + part.size - first - 1);
	if (!second)
		return part;
	buf_add(room, part.data, first + 1 - part.data);
	buf_add(room, second + 1, part.data + part.size - second - 1);
	return (struct fuzz_part){ room->data, room->len };
}

/* A recording of the texts; bits of @without: which ones lack a line. */
static const char *record(int slot, const struct fuzz_part *part, unsigned int without)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct buf file = { 0 }, room = { 0 };
	struct data_writer w;
	const char *path;
	size_t i;

	data_write_header(&w, fd);
	for (i = 0; i < NR_TYPES; i++) {
		struct fuzz_part p = without >> i & 1 ? less(part[i], &room) : part[i];

		if (p.size)
			data_write(&w, types[i], 0, p.data, p.size, false);
	}
	data_write(&w, DATA_END, 0, NULL, 0, false);
	lseek(fd, 0, SEEK_SET);
	buf_read_fd(&file, fd);
	close(fd);
	path = fuzz_file(slot, file.data, file.len);
	buf_free(&file);
	buf_free(&room);
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part part[NR_TYPES];
	const struct fuzz_way *way;

	if (size < 2)
		return 0;
	way = FUZZ_WAY(ways, data[0]);
	fuzz_split(data + 2, size - 2, part, NR_TYPES);
	fuzz_run(way, 2 * size, record(0, part, 0),
		 way->verb == &verb_diff ? record(1, part, data[1] * 5u) : NULL);
	return 0;
}
