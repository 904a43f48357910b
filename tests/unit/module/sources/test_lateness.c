// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_lateness.c - why a sample came late, by what the kernel has counted until its own tick
 */
#include <linux/types.h>

#include "unit.h"

/* What these headers have, as far as lateness.c needs it. */
#define KPROF_STATE_H
#define KPROF_CAPTURE_H
#include "uapi/kprof.h"

#define MS	1000000ull

struct kprof_source;

struct kprof_profile {
	u32 epoch;
};

static struct kprof_profile profile, *kprof_profile = &profile;
static struct kprof_record told[8];
static int nr_told;

static void kprof_capture_late(struct kprof_source *source, const struct kprof_record *rec)
{
	(void)source;
	told[nr_told++ % 8] = *rec;
}

#include "sources/lateness.c"

static struct kprof_lateness l;

static void start(void)
{
	nr_told = 0;
	memset(&shim_cpustat, 0, sizeof(shim_cpustat));
	shim_cpustat.cpustat[CPUTIME_STEAL] = 5000 * MS;
	shim_cpustat.cpustat[CPUTIME_IRQ] = 7000 * MS;
	kprof_lateness_start(&l);
}

/* A sample that came @ns late; @is_put: it is in the ring. */
static void come_late(u64 time, u64 ns, bool is_put)
{
	if (is_put)
		l.copy = (struct kprof_record){
			.time = time, .weight = ns + MS, .key = 77, .pid = 9,
			.info = KPROF_INFO_USER | (KPROF_CTX_SOFTIRQ << KPROF_INFO_CTX_SHIFT) |
				(3 << KPROF_INFO_CPU_SHIFT),
		};
	kprof_lateness_note(&l, NULL, ns);
}

static void tick(void)
{
	jiffies++;
	kprof_lateness_look(&l, NULL);
}

static u32 cause(int i)
{
	return KPROF_INFO_CAUSE(told[i].info);
}

static void test_told(void)
{
	start();
	tick();
	come_late(100, 20 * MS, true);
	CHECK_INT(nr_told, 0);
	tick();
	CHECK_INT(nr_told, 0);
	tick();
	CHECK_INT(nr_told, 1);
	CHECK_INT(told[0].time, 100);
	CHECK_INT(told[0].weight, 20 * MS);
	CHECK_INT(told[0].key, 77);
	CHECK_INT(told[0].pid, 9);
	CHECK_INT(KPROF_INFO_KIND(told[0].info), KPROF_REC_LATE);
	CHECK_INT(KPROF_INFO_CTX(told[0].info), KPROF_CTX_SOFTIRQ);
	CHECK_INT(KPROF_INFO_CPU(told[0].info), 3);
	CHECK(told[0].info & KPROF_INFO_USER);
	CHECK_INT(cause(0), KPROF_CAUSE_NOT_KNOWN);
	tick();
	tick();
	CHECK_INT(nr_told, 1);
}

/* The host's time is counted at the kernel's tick, which comes after the sample. */
static void test_stolen(void)
{
	start();
	tick();
	come_late(100, 20 * MS, true);
	shim_cpustat.cpustat[CPUTIME_STEAL] += 19 * MS;
	tick();
	tick();
	CHECK_INT(cause(0), KPROF_CAUSE_STOLEN);
	/* Less than half of the time is no cause. */
	come_late(200, 20 * MS, true);
	shim_cpustat.cpustat[CPUTIME_STEAL] += 9 * MS;
	tick();
	tick();
	CHECK_INT(nr_told, 2);
	CHECK_INT(cause(1), KPROF_CAUSE_NOT_KNOWN);
}

/* The time of handlers is counted when they end, which is before the sample. */
static void test_handlers(void)
{
	start();
	tick();
	shim_cpustat.cpustat[CPUTIME_IRQ] += 20 * MS;
	come_late(100, 20 * MS, true);
	tick();
	tick();
	CHECK_INT(cause(0), KPROF_CAUSE_HANDLERS);
	/* What was counted up to a sample that came in time is no cause of a later one. */
	shim_cpustat.cpustat[CPUTIME_IRQ] += 20 * MS;
	tick();
	come_late(200, 20 * MS, true);
	tick();
	tick();
	CHECK_INT(cause(1), KPROF_CAUSE_NOT_KNOWN);
}

/* What handlers take as usual, until the kernel's tick, is no cause. */
static void test_usual(void)
{
	int i;

	start();
	tick();
	come_late(100, MS, true);
	for (i = 0; i < 8; i++) {
		shim_cpustat.cpustat[CPUTIME_IRQ] += MS / 4;
		kprof_lateness_look(&l, NULL);
	}
	tick();
	tick();
	CHECK_INT(nr_told, 1);
	CHECK_INT(cause(0), KPROF_CAUSE_NOT_KNOWN);
}

/* Time that was stolen before the first of two is not the cause of the second. */
static void test_owed(void)
{
	start();
	tick();
	come_late(100, 2 * MS, true);
	come_late(200, MS, true);
	shim_cpustat.cpustat[CPUTIME_STEAL] += 2 * MS;
	tick();
	tick();
	CHECK_INT(nr_told, 2);
	CHECK_INT(cause(0), KPROF_CAUSE_NOT_KNOWN);
	CHECK_INT(cause(1), KPROF_CAUSE_NOT_KNOWN);
	come_late(300, 2 * MS, true);
	come_late(400, MS, true);
	shim_cpustat.cpustat[CPUTIME_STEAL] += 3 * MS;
	tick();
	tick();
	CHECK_INT(cause(3), KPROF_CAUSE_STOLEN);
}

/* While sampling pauses, the kernel goes on counting. */
static void test_pause(void)
{
	start();
	tick();
	shim_cpustat.cpustat[CPUTIME_STEAL] += 50 * MS;
	shim_cpustat.cpustat[CPUTIME_IRQ] += 50 * MS;
	kprof_lateness_pause(&l);
	come_late(100, 20 * MS, true);
	tick();
	tick();
	CHECK_INT(cause(0), KPROF_CAUSE_NOT_KNOWN);
}

/* The second late sample does not wait for the first one's tick; each has its own cause. */
static void test_two(void)
{
	start();
	tick();
	shim_cpustat.cpustat[CPUTIME_IRQ] += 20 * MS;
	come_late(100, 20 * MS, true);
	shim_cpustat.cpustat[CPUTIME_IRQ] += 30 * MS;
	come_late(200, 30 * MS, true);
	CHECK_INT(nr_told, 1);
	CHECK_INT(told[0].time, 100);
	CHECK_INT(told[0].weight, 20 * MS);
	CHECK_INT(cause(0), KPROF_CAUSE_HANDLERS);
	tick();
	tick();
	CHECK_INT(nr_told, 2);
	CHECK_INT(told[1].time, 200);
	CHECK_INT(cause(1), KPROF_CAUSE_HANDLERS);
	/* One cause is not told twice. */
	come_late(300, 20 * MS, true);
	kprof_lateness_tell(&l, NULL);
	CHECK_INT(nr_told, 3);
	CHECK_INT(cause(2), KPROF_CAUSE_NOT_KNOWN);
}

/* Of a sample that was dropped nothing is told, and nothing of the one before it a second time. */
static void test_dropped(void)
{
	start();
	come_late(100, 20 * MS, true);
	come_late(200, 20 * MS, false);
	CHECK_INT(nr_told, 1);
	tick();
	tick();
	kprof_lateness_tell(&l, NULL);
	CHECK_INT(nr_told, 1);
}

/* The ids in a record are of one profile. */
static void test_emptied(void)
{
	start();
	come_late(100, 20 * MS, true);
	profile.epoch++;
	tick();
	tick();
	CHECK_INT(nr_told, 0);
	come_late(200, 20 * MS, true);
	kprof_lateness_start(&l);
	kprof_lateness_tell(&l, NULL);
	CHECK_INT(nr_told, 0);
}

/* Where the kernel's count goes back, it is no time at all. */
static void test_back(void)
{
	start();
	tick();
	come_late(100, 20 * MS, true);
	shim_cpustat.cpustat[CPUTIME_STEAL] -= 50 * MS;
	tick();
	tick();
	CHECK_INT(cause(0), KPROF_CAUSE_NOT_KNOWN);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a late sample is told of after the kernel's tick", test_told },
		{ "time that the host has stolen", test_stolen },
		{ "time of interrupt handlers", test_handlers },
		{ "time of handlers as usual", test_usual },
		{ "stolen time that is owed to an earlier sample", test_owed },
		{ "sampling that pauses", test_pause },
		{ "two late samples, one after the other", test_two },
		{ "a late sample that was dropped", test_dropped },
		{ "a profile that was emptied", test_emptied },
		{ "a count that goes back", test_back },
		{ NULL, NULL },
	};

	return unit_run(tests);
}
