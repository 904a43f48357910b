// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_arena.c - strings that are freed together, or cut back
 */
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "unit.h"

#define LARGE	100000	/* has a chunk of its own */

/* What was copied before the mark stays where it is, and as it is. */
static void test_cut(void)
{
	struct arena a = { 0 };
	struct arena_mark mark;
	char *large = malloc(LARGE);
	const char *kept, *first, *again;
	int i;

	memset(large, 'x', LARGE);
	arena_cut(&a, arena_mark(&a));
	kept = arena_copy(&a, "kept", 4);
	mark = arena_mark(&a);
	first = arena_copy(&a, "cut", 3);
	for (i = 0; i < 3; i++) {
		arena_copy(&a, large, LARGE);
		arena_cut(&a, mark);
		again = arena_copy(&a, "again", 5);
		CHECK(again == first);
		CHECK_STR(kept, "kept");
	}
	arena_copy(&a, large, LARGE);
	arena_cut(&a, (struct arena_mark){ 0 });
	again = arena_copy(&a, "again", 5);
	CHECK(again == kept);
	arena_free(&a);
	free(large);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "what is cut makes room for what comes next", test_cut },
		{ 0 }
	};

	return unit_run(tests);
}
