// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pmu.c - events of PMUs, as files like those below /sys/bus/event_source/devices have them
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/buf.h"
#include "stat/stat.h"
#include "stat/tree.h"
#include "unit.h"

/* A core's PMU, as on x86, and one that is of all cores. */
static void make(void)
{
	tree_begin();
	directory("cpu");
	directory("cpu/format");
	directory("cpu/events");
	file("cpu/type", "4\n");
	file("cpu/format/event", "config:0-7,32-35\n");
	file("cpu/format/umask", "config:8-15\n");
	file("cpu/format/inv", "config:23\n");
	file("cpu/format/ldlat", "config1:0-15\n");
	file("cpu/format/all", "config2:0-63\n");
	file("cpu/events/cycles", "event=0x3c\n");
	file("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	directory("uncore");
	directory("uncore/format");
	directory("uncore/events");
	file("uncore/type", "4294967295\n");
	file("uncore/cpumask", "0,2\n");
	file("uncore/format/event", "config:0-7\n");
	file("uncore/events/energy", "event=0x02\n");
	file("uncore/events/energy.scale", "0.5\n");
	file("uncore/events/energy.unit", "Joules\n");
	directory("guest");
	file("guest/type", "9");
	file("guest/cpumask", "\n");
}

static struct stat_event event;

static int parse(const char *pmu, const char *terms)
{
	free(event.cpus);
	event = (struct stat_event){ .name = "an event", .scale = 1 };
	return stat_pmu_event(&event, root, pmu, terms);
}

static void test_terms(void)
{
	CHECK_INT(parse("cpu", "event=0x3c,umask=1"), EXIT_OK);
	CHECK_INT(event.type, 4);
	CHECK_INT(event.config[0], 0x13c);
	CHECK(!event.cpus);
	/* The upper bits of a term are elsewhere. */
	CHECK_INT(parse("cpu", "event=0xfab,inv"), EXIT_OK);
	CHECK_INT(event.config[0], 0xf008000abull);
	CHECK_INT(parse("cpu", "inv=0,ldlat=65535,all=0xffffffffffffffff"), EXIT_OK);
	CHECK_INT(event.config[0], 0);
	CHECK_INT(event.config[1], 65535);
	CHECK_INT(event.config[2], UINT64_MAX);
	CHECK_INT(parse("cpu", "config=0x12,config1=7,config2=8"), EXIT_OK);
	CHECK_INT(event.config[0], 0x12);
	CHECK_INT(event.config[1], 7);
	CHECK_INT(event.config[2], 8);
}

static void test_names(void)
{
	CHECK_INT(parse("cpu", "cycles"), EXIT_OK);
	CHECK_INT(event.config[0], 0x3c);
	CHECK_INT(parse("cpu", "mem-loads,ldlat=30"), EXIT_OK);
	CHECK_INT(event.config[0], 0x1cd);
	CHECK_INT(event.config[1], 30);
	CHECK(event.scale == 1 && !*event.unit);
	CHECK_INT(parse("uncore", "energy"), EXIT_OK);
	CHECK_INT(event.type, UINT32_MAX);
	CHECK_INT(event.config[0], 2);
	CHECK(event.scale == 0.5);
	CHECK_STR(event.unit, "Joules");
	CHECK(event.cpus && cpus_has(event.cpus, 0) && !cpus_has(event.cpus, 1) &&
	      cpus_has(event.cpus, 2));
	CHECK_INT(parse("guest", "config=1"), EXIT_OK);
	CHECK(!event.cpus);
}

static void test_refused(void)
{
	static const char *const terms[] = {
		"", "event=0x1000", "umask=256", "event=", "event=x", "event=-1", "umask=1 ",
		"event=0x10000000000000000", "inv=2", "nothing", "nothing=1", "cycles=1", "event,",
		"../type", "..", ".", "/etc/passwd", "mem-loads.scale", "event=1,,umask=1",
	};
	static const char *const pmus[] = {
		"", ".", "..", "cpu/format", "../cpu", "none", "cpu/", "./cpu",
	};
	size_t i;

	for (i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		CHECK_INT(parse("cpu", terms[i]), EXIT_USAGE);
		CHECK(!event.cpus);
	}
	for (i = 0; i < sizeof(pmus) / sizeof(*pmus); i++)
		CHECK_INT(parse(pmus[i], "config=1"), EXIT_USAGE);
}

/* What a driver might get wrong, or mean as an attack. */
static void test_hostile(void)
{
	static const char *const formats[] = {
		"", "config", "config:", "config:0-", "config:7-0", "config:0-64", "config:64",
		"config:0-7,7", "config:0-7,", "config3:0", "config:0-18446744073709551617",
		"config:0 ", "config:0-7\n\n", "umask:0", "config1", "config:-1", "config:a",
	};
	struct buf long_text = { 0 };
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		file("cpu/format/bad", formats[i]);
		CHECK_INT(parse("cpu", "bad=1"), EXIT_ERROR);
	}
	/* One bit more than the file may have: each could be there only once. */
	buf_printf(&long_text, "config:0");
	while (long_text.len < 8192)
		buf_add(&long_text, ",0", 2);
	file("cpu/format/bad", long_text.data);
	CHECK(parse("cpu", "bad=1") != EXIT_OK);
	buf_free(&long_text);
	/* An event that is made of itself, or of another. */
	file("cpu/events/loop", "loop");
	CHECK(parse("cpu", "loop") != EXIT_OK);
	file("cpu/events/loop", "cycles");
	CHECK(parse("cpu", "loop") != EXIT_OK);
	file("cpu/events/loop", "event=?");
	CHECK(parse("cpu", "loop") != EXIT_OK);
	file("uncore/events/energy.unit", "\033[31m");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	file("uncore/events/energy.unit", "a unit that is much too long");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	file("uncore/events/energy.unit", "sixteen_and_more");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	file("uncore/events/energy.unit", "J");
	file("uncore/events/energy.scale", "nan");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	file("uncore/events/energy.scale", "1");
	CHECK_INT(parse("uncore", "energy"), EXIT_OK);
	file("uncore/cpumask", "0-99999999");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	CHECK(!event.cpus);
	file("uncore/cpumask", "0");
	file("uncore/type", "4294967296");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
	file("uncore/type", "x");
	CHECK_INT(parse("uncore", "energy"), EXIT_ERROR);
}

static void test_lists(void)
{
	struct stat_events events = { 0 };

	CHECK_INT(stat_events_parse(&events, "LLC-load-misses,dTLB-stores:u,iTLB-loads"), EXIT_OK);
	CHECK_INT(events.nr, 3);
	CHECK_INT(events.event[0].type, 3);
	CHECK_INT(events.event[0].config[0], 0x10002);
	CHECK_INT(events.event[1].config[0], 0x103);
	CHECK(events.event[1].no_kernel);
	CHECK_STR(events.event[1].kind, "dTLB-stores");
	CHECK_INT(events.event[2].config[0], 4);
	/* The commas of terms do not end an event; there is no such PMU. */
	CHECK_INT(stat_events_parse(&events, "cs,no_such_pmu/a=1,b=2/u,faults"), EXIT_USAGE);
	CHECK_INT(events.nr, 4);
	CHECK_INT(stat_events_parse(&events, "no_such_pmu/a=1,b=2"), EXIT_USAGE);
	CHECK_INT(stat_events_parse(&events, "/"), EXIT_USAGE);
	CHECK_INT(stat_events_parse(&events, "//"), EXIT_USAGE);
	CHECK_INT(stat_events_parse(&events, "///"), EXIT_USAGE);
	stat_events_free(&events);
}

static const struct unit_test tests[] = {
	{ "terms set the bits that the formats name", test_terms },
	{ "events have names, scales, units and CPUs", test_names },
	{ "what is no term and no PMU is refused", test_refused },
	{ "files that are broken are refused", test_hostile },
	{ "lists of events", test_lists },
	{ 0 }
};

int main(void)
{
	int ret;

	make();
	ret = unit_run(tests);
	free(event.cpus);
	return tree_end() ? ret : 1;
}
