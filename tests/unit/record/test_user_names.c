// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_user_names.c - places in programs, as functions; without a module there are no names
 */
#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/opt.h"
#include "record/user_names.h"
#include "unit.h"

/* Fold a text, and return it as text again. */
static const char *folded(struct user_names *u, const char *text, size_t before)
{
	static char out[4096];
	struct buf in = { 0 };
	struct folded f;
	FILE *to;

	memset(out, 0, sizeof(out));
	buf_add(&in, text, strlen(text));
	folded_init(&f, FOLDED_MERGE);
	user_names_fold(u, &in, before, &f);
	to = fmemopen(out, sizeof(out) - 1, "w");
	folded_write(&f, to);
	fclose(to);
	folded_free(&f);
	buf_free(&in);
	return out;
}

static void test_nameless(void)
{
	struct user_names u = { .patient = true };

	CHECK_STR(folded(&u, "dd;/usr/bin/dd+0x12;/lib/libc.so.6+0xabc;vfs_read 5\n"
			     "dd;/usr/bin/dd+0x34;/lib/libc.so.6+0xdef;vfs_read 6\n", 1),
		  "dd;[dd];[libc.so.6];vfs_read 11\n");
	CHECK_STR(folded(&u, "dd;[anon:12]+0x55;[vdso]+0x10;[user]+0x1 2\n", 1),
		  "dd;[anon:12];[vdso];[user] 2\n");
	user_names_free(&u);
}

/* A task may be called like a place; what is none is left as it is. */
static void test_no_places(void)
{
	struct user_names u = { .patient = true };

	CHECK_STR(folded(&u, "/x+0x1;/y+0x;/z+0x1g;f+0x2;[user];+0x3 4\n", 1),
		  "/x+0x1;/y+0x;/z+0x1g;f+0x2;[user];+0x3 4\n");
	CHECK_STR(folded(&u, "cgroup:/a;/x+0x1;/tmp/x+0x1 4\n", 2), "cgroup:/a;/x+0x1;[x] 4\n");
	CHECK_STR(folded(&u, "kprof;read_file 9\nd;vfs_read_[k];_[k] 4\n", 1), "d;vfs_read;_[k] 4\n");
	u.with_own = true;
	CHECK_STR(folded(&u, "kprof;read_file 9\n", 1), "kprof;read_file 9\n");
	CHECK_STR(folded(&u, "no count\n\n;\n 5\n", 1), " 5\n");
	user_names_free(&u);
}

/* What is known of a file is a range of its offsets. */
static void test_names(void)
{
	const char *text = "dd;/bin/dd+0x10;/bin/dd+0x1f;/bin/dd+0x20;/bin/cat+0x10 1\n";
	struct user_names u = { .patient = true };

	folded(&u, text, 1);
	user_names_take(&u, "0 10 10 main\n0 20 1 f(int, char)\n7 0 100 evil\n0 x\n1 0 0 none\n");
	CHECK_STR(folded(&u, text, 1), "dd;main [dd];main [dd];f(int, char) [dd];[cat] 1\n");
	user_names_free(&u);
}

/* Of a stack alone; what separates its frames is in no name. */
static void test_stack(void)
{
	const char *stack = "[unknown];/bin/dd+0x10;/bin/dd+0x20";
	struct user_names u = { .patient = false };
	struct buf out = { 0 };

	user_names_renew(&u);
	user_names_add(&u, stack, strlen(stack), &out);
	CHECK_STR(out.data, "[unknown];[dd];[dd]");
	user_names_take(&u, "0 10 10 main\n0 20 1 drop<[u8; 4]>\n");
	out.len = 0;
	user_names_add(&u, stack, strlen(stack), &out);
	CHECK_STR(out.data, "[unknown];main [dd];drop<[u8: 4]> [dd]");
	buf_free(&out);
	user_names_free(&u);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a place without a name is its file", test_nameless },
		{ "what is no place is left as it is", test_no_places },
		{ "a function has a range of places, and its program", test_names },
		{ "a stack has as many frames as it had places", test_stack },
		{ 0 }
	};

	return unit_run(tests);
}
