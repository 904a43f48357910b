/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recording.h - the sections of a recording, for who is to change them
 */
#ifndef KPROF_FUZZ_RECORDING_H
#define KPROF_FUZZ_RECORDING_H

#include <stdbool.h>

#include "data/data.h"

#define HEADER	sizeof(struct data_file_header)

struct section {
	struct data_section head;
	size_t at, end;		/* in the file, with the padding */
};

/* The next one, of zeroes the first; false: there is none that is whole. */
bool section_next(struct section *s, const uint8_t *file, size_t size);

#endif /* KPROF_FUZZ_RECORDING_H */
