// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_notes.c - ELF notes of files and modules, in which the module looks for the build id
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "base/notes.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *notes = malloc(size ? size : 1);	/* so that what is read beyond is seen */
	const u8 *found;
	u32 length = 0;

	memcpy(notes, data, size);
	found = kprof_build_id(notes, size, &length);
	if (found && (found < notes || found + length > notes + size))
		fuzz_fail("the build id is not in the notes", NULL, 0);
	free(notes);
	return 0;
}
