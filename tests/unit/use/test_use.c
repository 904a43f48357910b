// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_use.c - figures of the USE method out of two states of the system's files
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "use/use.h"
#include "unit.h"

static char root[32];

static void set(struct use_counts *c, enum use_file file, const char *text)
{
	buf_free(&c->text[file]);
	buf_printf(&c->text[file], "%s", text);
}

/* Two seconds, in which nothing is known yet. */
static void make(struct use_counts *before, struct use_counts *after)
{
	int i;

	*before = (struct use_counts){ .ns = 1000000000 };
	*after = (struct use_counts){ .ns = 3000000000 };
	for (i = 0; i < USE_FILES; i++) {
		set(before, i, "");
		set(after, i, "");
	}
	buf_printf(&before->disk_errors, "%s", "");
	buf_printf(&after->disk_errors, "%s", "");
}

static void forget(struct use_counts *before, struct use_counts *after, struct use_rows *rows)
{
	use_rows_free(rows);
	use_counts_free(before);
	use_counts_free(after);
}

static const struct use_row *find(const struct use_rows *rows, const char *resource,
				  enum use_what what)
{
	static const struct use_row none;
	size_t i;

	for (i = 0; i < rows->nr; i++)
		if (rows->row[i].what == what && !strcmp(rows->row[i].resource, resource))
			return &rows->row[i];
	return &none;
}

#define VALUE(resource, what, expected)						\
	CHECK(find(&rows, resource, what)->known &&				\
	      find(&rows, resource, what)->value > (expected) - 0.001 &&	\
	      find(&rows, resource, what)->value < (expected) + 0.001)

static void test_field(void)
{
	struct buf text = { 0 };
	uint64_t value = 0;

	buf_printf(&text, "one  1 2\n  8 0 sda 5 x\ncpu10 7\ncpu1 8");
	CHECK(use_field(&text, 1, "one", 3, &value));
	CHECK_INT(value, 2);
	CHECK(use_field(&text, 3, "sda", 4, &value));
	CHECK_INT(value, 5);
	CHECK(use_field(&text, 1, "cpu1", 2, &value));
	CHECK_INT(value, 8);
	CHECK(!use_field(&text, 3, "sda", 5, &value));
	CHECK(!use_field(&text, 3, "sda", 6, &value));
	CHECK(!use_field(&text, 1, "two", 2, &value));
	buf_free(&text);
}

/* CPU 1 is offline: its column is missing among the interrupts. */
static void test_cpus(void)
{
	struct use_counts before, after;
	struct use_rows rows = { 0 };

	make(&before, &after);
	set(&before, USE_STAT, "cpu 9 9 9 9 9\ncpu0 100 10 50 800 40 0 0 0 0 0\n"
			       "cpu2 0 0 0 0 0 0 0 0 0 0\nintr 9\n");
	set(&after, USE_STAT, "cpu 9 9 9 9 9\ncpu0 150 20 60 820 50 0 0 0 0 0\n"
			      "cpu2 0 0 0 0 0 0 0 0 0 0\nintr 9\n");
	set(&before, USE_SCHEDSTAT, "version 15\ncpu0 0 0 0 0 0 0 5 1000000000 7\n");
	set(&after, USE_SCHEDSTAT, "version 15\ncpu0 0 0 0 0 0 0 5 4000000000 9\n");
	set(&before, USE_INTERRUPTS, "      CPU0   CPU2\n  0: 1 2\nMCE: 5 6 Machine checks\n");
	set(&after, USE_INTERRUPTS, "      CPU0   CPU2\n  0: 1 2\nMCE: 5 9 Machine checks\n");
	use_rows(&rows, &before, &after, root, 500000000);
	VALUE("cpu0", USE_UTILISATION, 70);
	VALUE("cpu0", USE_SATURATION, 1.5);
	VALUE("cpu0", USE_ERRORS, 0);
	VALUE("cpu2", USE_ERRORS, 3);
	CHECK(!find(&rows, "cpu2", USE_UTILISATION)->known);
	CHECK(!find(&rows, "cpu2", USE_SATURATION)->known);
	VALUE("locks", USE_SATURATION, 0.25);
	/* Two CPUs, memory and locks: three rows each, whatever is known. */
	CHECK_INT(rows.nr, 12);
	forget(&before, &after, &rows);
}

/* Of a CPU, iowait and idle may fall a little; others fall when they were reset. */
static void test_falling(void)
{
	struct use_counts before, after;
	struct use_rows rows = { 0 };

	make(&before, &after);
	set(&before, USE_STAT, "cpu0 1000 0 1000 500000 12345 0 0 0 0 0\n"
			       "cpu1 1000 0 1000 500000 12345 0 0 0 0 0\n");
	set(&after, USE_STAT, "cpu0 1100 0 1000 500000 12344 0 0 0 0 0\n"
			      "cpu1 1025 0 1000 499999 12420 0 0 0 0 0\n");
	set(&before, USE_VMSTAT, "pgscan_kswapd 1000\npgscan_direct 5\n");
	set(&after, USE_VMSTAT, "pgscan_kswapd 40\npgscan_direct 5\n");
	use_rows(&rows, &before, &after, root, 0);
	VALUE("cpu0", USE_UTILISATION, 100);
	VALUE("cpu1", USE_UTILISATION, 25);
	VALUE("memory", USE_SATURATION, 20);
	forget(&before, &after, &rows);
}

static void test_memory(void)
{
	struct use_counts before, after;
	struct use_rows rows = { 0 };

	make(&before, &after);
	set(&after, USE_MEMINFO, "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:  250 kB\n");
	set(&before, USE_VMSTAT, "pgscan_kswapd 10\npgscan_direct 5\noom_kill 1\n");
	set(&after, USE_VMSTAT, "pgscan_kswapd 110\npgscan_direct 105\noom_kill 3\n");
	use_rows(&rows, &before, &after, root, 0);
	VALUE("memory", USE_UTILISATION, 75);
	VALUE("memory", USE_SATURATION, 100);
	VALUE("memory", USE_ERRORS, 2);
	forget(&before, &after, &rows);
}

/* Not a part of a disk, nor one that nothing was read from or written to. */
static void test_disks(void)
{
	struct use_counts before, after;
	struct use_rows rows = { 0 };

	make(&before, &after);
	set(&before, USE_DISKSTATS, " 8 0 sda 1 0 0 0 1 0 0 0 0 100 200\n");
	set(&after, USE_DISKSTATS, " 8 0 sda 9 0 0 0 9 0 0 0 0 1100 6200\n"
				   " 8 1 sda1 9 0 0 0 9 0 0 0 0 1100 6200\n"
				   " 8 2 sdb 0 0 0 0 0 0 0 7 0 0 0\n"
				   " 8 3 sdc 0 0 0 0 5 0 0 0 0 0 0\n");
	buf_printf(&before.disk_errors, "sda 3\n");
	buf_printf(&after.disk_errors, "sda 7\n");
	use_rows(&rows, &before, &after, root, 0);
	VALUE("disk sda", USE_UTILISATION, 50);
	VALUE("disk sda", USE_SATURATION, 3);
	VALUE("disk sda", USE_ERRORS, 4);
	CHECK_INT(rows.nr, 12);
	CHECK(!*find(&rows, "disk sdb", USE_UTILISATION)->resource);
	CHECK(*find(&rows, "disk sdc", USE_UTILISATION)->resource);
	forget(&before, &after, &rows);
}

/* Paths of the disks sda, sdb and sdc, as /sys has them. */
static void make_root(const char *const *names)
{
	char path[128];

	for (; *names; names++) {
		snprintf(path, sizeof(path), "%s%s", root, *names);
		CHECK(!mkdir(path, 0700));
	}
}

static void remove_root(const char *const *names)
{
	char path[128];
	int nr;

	for (nr = 0; names[nr]; nr++)
		;
	while (nr--) {
		snprintf(path, sizeof(path), "%s%s", root, names[nr]);
		rmdir(path);
	}
}

static const struct unit_test tests[] = {
	{ "fields of the system's files", test_field },
	{ "CPUs and locks", test_cpus },
	{ "counters that fall", test_falling },
	{ "memory", test_memory },
	{ "disks", test_disks },
	{ 0 }
};

int main(void)
{
	static const char *const names[] = { "", "/sys", "/sys/block", "/sys/block/sda",
					     "/sys/block/sdb", "/sys/block/sdc", NULL };
	int status;

	strcpy(root, "/tmp/test_use.XXXXXX");
	if (!mkdtemp(root))
		return 1;
	make_root(names + 1);
	status = unit_run(tests);
	remove_root(names);
	return status;
}
