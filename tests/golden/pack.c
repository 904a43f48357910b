// SPDX-License-Identifier: GPL-2.0-only
/*
 * pack.c - a recording out of a folder: each file in it is the text of a section
 *
 * usage: pack FOLDER RECORDING
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "data.h"

static const char *const names[DATA_NR_TYPES] = {
	[DATA_META] = "meta", [DATA_MODULES] = "modules", [DATA_STATS_BEFORE] = "stats_before",
	[DATA_STATS] = "stats", [DATA_LATENCY] = "latency", [DATA_BUCKETS] = "buckets",
	[DATA_TARGETS] = "targets", [DATA_CONFIG] = "config",
	[DATA_MITIGATIONS] = "mitigations", [DATA_FUNCTIONS] = "functions",
};

int main(int argc, char **argv)
{
	struct data_writer w;
	int type, fd = argc == 3 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0) {
		fputs("usage: pack FOLDER RECORDING\n", stderr);
		return 2;
	}
	data_write_header(&w, fd);
	for (type = 0; type < DATA_NR_TYPES; type++) {
		struct buf path = { 0 }, text = { 0 };

		buf_printf(&path, "%s/%s", argv[1], names[type] ? names[type] : "");
		if (names[type] && !buf_read_file(&text, path.data))
			data_write(&w, type, 0, text.data, text.len, true);
		buf_free(&path);
		buf_free(&text);
	}
	data_write(&w, DATA_END, 0, NULL, 0, false);
	return close(fd) || w.error;
}
