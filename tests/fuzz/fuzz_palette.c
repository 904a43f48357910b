// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_palette.c - a palette.map, and frames that take colours from it
 *
 * A line "%%" keeps the map apart from the folded text. The map is read and
 * written in the directory where the fuzzer runs, which tests/fuzz/run makes.
 */
#include <fcntl.h>
#include <unistd.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *args[] = { "--cp", "--minwidth=0", NULL, NULL };
	struct fuzz_part part[2];
	int fd = open("palette.map", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fuzz_split(data, size, part, 2);
	if (fd < 0 || write(fd, part[0].data, part[0].size) != (ssize_t)part[0].size)
		fuzz_fail("palette.map cannot be written", NULL, 0);
	close(fd);
	args[2] = fuzz_file(0, part[1].data, part[1].size);
	fuzz_verb(&verb_flame, FUZZ_SVG, size, args);
	return 0;
}
