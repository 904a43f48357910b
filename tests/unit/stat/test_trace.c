// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_trace.c - tracepoints, as files like those below /sys/kernel/tracing/events have them
 */
#include <linux/perf_event.h>

#include "lib/buf.h"
#include "stat/stat.h"
#include "stat/tree.h"
#include "unit.h"

static void tracepoint(const char *group, const char *name, const char *id)
{
	struct buf path = { 0 };

	directory(group);
	buf_printf(&path, "%s/%s", group, name);
	directory(path.data);
	buf_printf(&path, "/id");
	file(path.data, id);
	buf_free(&path);
}

static void make(void)
{
	tree_begin();
	tracepoint("sched", "sched_switch", "316\n");
	tracepoint("sched", "sched_wakeup", "318\n");
	tracepoint("sched", "broken", "31x\n");
	tracepoint("sched", "empty", "");
	tracepoint("irq", "irq_entry", "99\n");
}

static void test_one(void)
{
	struct stat_events events = { 0 };

	CHECK_INT(stat_tracepoints(&events, root, "irq:irq_entry"), EXIT_OK);
	CHECK_INT(events.nr, 1);
	CHECK_STR(events.event[0].name, "irq:irq_entry");
	CHECK_STR(events.event[0].kind, "");
	CHECK_INT(events.event[0].type, PERF_TYPE_TRACEPOINT);
	CHECK_INT(events.event[0].config[0], 99);
	CHECK(events.event[0].scale == 1);
	stat_events_free(&events);
}

static void test_pattern(void)
{
	struct stat_events events = { 0 };

	CHECK_INT(stat_tracepoints(&events, root, "sched:*"), EXIT_OK);
	CHECK_INT(events.nr, 2);
	CHECK_STR(events.event[0].name, "sched:sched_switch");
	CHECK_STR(events.event[1].name, "sched:sched_wakeup");
	CHECK_INT(events.event[1].config[0], 318);
	CHECK_INT(stat_tracepoints(&events, root, "sched:*_switch"), EXIT_OK);
	CHECK_INT(events.nr, 3);
	stat_events_free(&events);
}

static void test_refused(void)
{
	static const char *const wrong[] = {
		"sched:nosuch", "nosuch:*", "sched:broken", "sched:empty", "sched:x*", "sched:", ":x",
		"..:sched", "sched:..", "sched:../irq/irq_entry", "sched/../irq:irq_entry", "sched",
	};
	struct stat_events events = { 0 };
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		CHECK_INT(stat_tracepoints(&events, root, wrong[i]), EXIT_USAGE);
	CHECK_INT(events.nr, 0);
	CHECK_INT(stat_tracepoints(&events, "/nosuch", "sched:sched_switch"), EXIT_ERROR);
	/* What an event may have behind its colon is none, nor is what it may not. */
	CHECK_INT(stat_events_parse(&events, "cycles:u,faults:k,r11:uk"), EXIT_OK);
	CHECK_INT(events.nr, 3);
	CHECK_INT(stat_events_parse(&events, "cycles:pp"), EXIT_USAGE);
	stat_events_free(&events);
}

static const struct unit_test tests[] = {
	{ "a tracepoint has its number", test_one },
	{ "a pattern has all that it matches", test_pattern },
	{ "what is none is refused", test_refused },
	{ 0 }
};

int main(void)
{
	int ret;

	make();
	ret = unit_run(tests);
	return tree_end() ? ret : 1;
}
