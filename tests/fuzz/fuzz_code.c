// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_code.c - perf-PID.map and jit-PID.dump, which a process writes for code that it has made
 */
#include <string.h>

#include "fuzz.h"
#include "lib/buf.h"
#include "user/code.h"
#include "user/jitdump.h"
#include "user/perf_map.h"

#define OFFSETS		64	/* around functions, and anywhere */

static void look_at(const struct user_functions *f, uint64_t offset)
{
	const struct user_function *found = user_functions_find(f, offset);

	if (found && (offset < found->start || offset - found->start >= found->size))
		fuzz_fail("a function is found where it is not", found->name, strlen(found->name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct user_functions f = { 0 };
	struct buf text = { 0 };
	size_t i;

	if (!size)
		return 0;
	if (*data == 'D') {
		FILE *in = fmemopen((void *)data, size, "r");

		user_jitdump_read(&f, in);
		fclose(in);
	} else {
		buf_add(&text, data, size);
		user_perf_map_read(&f, &text, size / 2);
	}
	user_functions_sort(&f);
	for (i = 0; i < f.nr && i < OFFSETS; i++) {
		look_at(&f, f.item[i].start - 1);
		look_at(&f, f.item[i].start);
		look_at(&f, f.item[i].start + f.item[i].size);
	}
	for (i = 0; i < OFFSETS; i++)
		look_at(&f, i * (UINT64_MAX / OFFSETS));
	user_functions_free(&f);
	buf_free(&text);
	return 0;
}
