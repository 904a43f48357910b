// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_nearest.c - misspelt names: the one that was meant is found, and no other is suggested
 */
#include "lib/nearest.h"
#include "unit.h"

static const char *const names[] = {
	"record", "lat", "trace", "use", "offcpu", "runq", "wakeup", "io", "irq", "locks", "mem",
	"explain", "report", "stat", "diff", "fold", "list", "index", "detach", "flame", "frequency",
	"children", "vfs_read", "vfs_readv", "vcs_read", "tap_sendmsg", NULL
};

static const char *nearest(const char *typed)
{
	const char *name = nearest_name(names, typed);

	return name ? name : "none";
}

/* A letter too many, too few, another, or two swapped. */
static void test_misspelt(void)
{
	CHECK_STR(nearest("recrod"), "record");
	CHECK_STR(nearest("erport"), "report");
	CHECK_STR(nearest("flame2"), "flame");
	CHECK_STR(nearest("offcp"), "offcpu");
	CHECK_STR(nearest("rnq"), "runq");
	CHECK_STR(nearest("lta"), "lat");
	CHECK_STR(nearest("detatch"), "detach");
	CHECK_STR(nearest("expalni"), "explain");
	CHECK_STR(nearest("vsf_read"), "vfs_read");
	CHECK_STR(nearest("vfs_raed"), "vfs_read");
}

/* A letter that is missing is likelier than one mistaken for another. */
static void test_preferred(void)
{
	CHECK_STR(nearest("lst"), "list");
	CHECK_STR(nearest("stt"), "stat");
	CHECK_STR(nearest("vfs_reads"), "vfs_read");
}

static void test_beginning(void)
{
	CHECK_STR(nearest("latency"), "lat");
	CHECK_STR(nearest("memory"), "mem");
	CHECK_STR(nearest("freq"), "frequency");
	CHECK_STR(nearest("runqueue"), "runq");
	CHECK_STR(nearest("iotop"), "none");
	CHECK_STR(nearest("wa"), "none");
	CHECK_STR(nearest("tracepoints"), "trace");
	CHECK_STR(nearest("traceeverything"), "none");
}

/* Other words of about that length. */
static void test_far(void)
{
	static const char *const others[] = {
		"cat", "go", "hist", "disk", "oncpu", "usage", "tid", "net", "no-children", "cpu",
		"watch", "tun_sendmsg", "map_read", "", "x",
	};
	unsigned int i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		CHECK_STR(nearest(others[i]), "none");
}

static const struct unit_test tests[] = {
	{ "a name that is misspelt", test_misspelt },
	{ "of several the likeliest", test_preferred },
	{ "the beginning of a name", test_beginning },
	{ "other words suggest nothing", test_far },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
