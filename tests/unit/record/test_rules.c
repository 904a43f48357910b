// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rules.c - rules that the module refuses are no reason to end a recording
 *
 * The module's files are here: it wants the rules of two files, and refuses those of one.
 */
#include <errno.h>
#include <stdlib.h>

#include "kprof_rules.h"
#include "record/kmod.h"
#include "record/rules.h"
#include "unit.h"
#include "user/rules.h"

static int refusal;		/* of file 2, which comes first */
static uint32_t written[4];
static int nr_written;

int kmod_read(const char *file, struct buf *text)
{
	CHECK_STR(file, "rules");
	buf_printf(text, "1\n2\n");
	return 0;
}

int kmod_try_write_bytes(const char *file, const struct buf *bytes, struct buf *why)
{
	const struct kprof_rules_header *header = (const void *)bytes->data;

	CHECK_STR(file, "rules");
	if (nr_written < 4)
		written[nr_written++] = header->file;
	if (header->file != 2)
		return 0;
	buf_printf(why, "what the module says");
	return refusal;
}

/* Returns whether the work could go on. */
static bool work(int error)
{
	struct user_file file[3] = {
		{ .fd = -1 },
		{ .kind = "file", .path = "/first", .fd = -1 },
		{ .kind = "file", .path = "/second", .fd = -1 },
	};
	struct user_files files = { .file = file, .nr = 3 };
	struct rules rules = { 0 };
	int i, wait_ms, ret = 0;

	refusal = error;
	nr_written = 0;
	for (i = 0; i < 20 && !ret; i++)
		ret = rules_work(&rules, &files, 1000000000 + i, &wait_ms);
	rules_end(&rules);
	return !ret;
}

static void test_damaged(void)
{
	CHECK(work(EINVAL));
	CHECK_INT(nr_written, 2);
	CHECK_INT(written[0], 2);
	CHECK_INT(written[1], 1);
}

static void test_no_room(void)
{
	CHECK(work(ENOSPC));
	CHECK_INT(nr_written, 2);
}

static void test_error(void)
{
	CHECK(!work(EIO));
}

static const struct unit_test tests[] = {
	{ "a table that the module refuses concerns one file", test_damaged },
	{ "so does one that it has no room for", test_no_room },
	{ "another error ends the work", test_error },
	{ NULL, NULL }
};

int main(void)
{
	if (user_rules_are_possible())
		return unit_run(tests);
	puts("KTAP version 1\n1..0 # SKIP built without libdw");
	return 0;
}
