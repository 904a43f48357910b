// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_notes.c - a build id is found in ELF notes, and garbage is read to its end and no further
 */
#include <stdlib.h>

#include "unit.h"
#include "base/notes.c"

#define FLIPS	30000

/* Notes of any kind are read to their end and no further. */
static void test_notes(void)
{
	struct {
		struct elf64_note note;
		char name[4];
		u8 id[20];
	} notes[2] = {
		{ { 4, 20, 1 }, "GNU", { 9 } }, { { 4, 20, BUILD_ID }, "GNU", { 1, 2, 3 } },
	};
	u8 garbage[128];
	u32 length = 0, i, j;

	CHECK(kprof_build_id(notes, sizeof(notes), &length) == notes[1].id);
	CHECK_INT(length, 20);
	CHECK(!kprof_build_id(notes, sizeof(notes) - 1, &length));
	CHECK(!kprof_build_id(notes, 0, &length));
	for (i = 0; i < FLIPS; i++) {
		u32 size = random() % sizeof(garbage);
		u8 *copy = malloc(size + 1);
		const u8 *id;

		for (j = 0; j < size; j++)
			copy[j] = random() & (i % 3 ? 0x1f : 0xff);
		id = kprof_build_id(copy, size, &length);
		CHECK(!id || (id >= copy && id + length <= copy + size));
		free(copy);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "build ids in notes", test_notes },
		{ 0 }
	};

	return unit_run(tests);
}
