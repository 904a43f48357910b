// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_latency.c - no call is lost from a target's latencies, whatever
 * interrupts their counting, and what is read meanwhile makes sense
 */
#include <linux/cpumask.h>
#include <pthread.h>

#include "unit.h"
#include "profile/histogram.c"
#include "profile/latency.c"

#define TIMER_INTERRUPTS	1000

static struct kprof_latency latency[SHIM_CPUS];
static struct kprof_latency_sum sum;

/* Every call is given half of its time as its own. */
static void add_half(struct kprof_latency *one, u64 ns)
{
	kprof_latency_add(one, ns, ns / 2);
}

static void sum_up(void)
{
	kprof_latency_sum_begin(&sum);
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		kprof_latency_sum_add(&sum, &latency[cpu]);
	kprof_latency_sum_end(&sum);
}

static void clear(void)
{
	memset(latency, 0, sizeof(latency));
}

static void check_sum(u64 calls, u64 total, u64 min, u64 max)
{
	sum_up();
	CHECK_INT(sum.calls, calls);
	CHECK_INT(sum.total, total);
	CHECK_INT(sum.min, min);
	CHECK_INT(sum.max, max);
}

static void test_none(void)
{
	clear();
	check_sum(0, 0, 0, 0);
}

static void test_one_cpu(void)
{
	clear();
	add_half(&latency[0], 500);
	check_sum(1, 500, 500, 500);
	add_half(&latency[0], 700);
	add_half(&latency[0], 600);
	check_sum(3, 1800, 500, 700);
	add_half(&latency[0], 0);
	check_sum(4, 1800, 0, 700);
	CHECK_INT(sum.others, 900);
	CHECK_INT(sum.bucket[kprof_hist_bucket(0)], 1);
	CHECK_INT(sum.bucket[kprof_hist_bucket(500)], 1);
	CHECK_INT(sum.bucket[kprof_hist_bucket(600)], 1);
	CHECK_INT(sum.bucket[kprof_hist_bucket(700)], 1);
}

static void test_all_cpus(void)
{
	clear();
	add_half(&latency[SHIM_CPUS - 1], 5000000000);
	add_half(&latency[1], 5000000001);
	add_half(&latency[1], 7);
	check_sum(3, 10000000008, 7, 5000000001);
}

static u64 calls, total, least, most;

static void add(u64 ns)
{
	add_half(&latency[0], ns);
	calls++;
	total += ns;
	least = ns < least ? ns : least;
	most = ns > most ? ns : most;
}

static void start(void)
{
	clear();
	calls = 0;
	total = 0;
	most = 0;
	least = U64_MAX;
}

static void add_1000(void)
{
	add(1000);
}

static void add_longer_and_shorter(void)
{
	add(10000);
	add(100);
}

static void add_longest_and_shortest(void)
{
	add(20000);
	add(10);
}

static void check_account(void)
{
	check_sum(calls, total, least, most);
}

static void test_nested(void)
{
	CHECK(interrupt_everywhere(&(struct scene) {
		.before = start,
		.code = add_1000,
		.handler = add_longer_and_shorter,
		.nested = add_longest_and_shortest,
		.after = check_account,
	}) >= 6);
}

/* As add_1000(), whose account is made before: it is not what is interrupted. */
static void start_1000(void)
{
	start();
	add(1000);
	clear();
}

static void add_1000_alone(void)
{
	add_half(&latency[0], 1000);
}

static void test_every_instruction(void)
{
	static const struct scene scene = {
		start_1000, add_1000_alone, add_longer_and_shorter, NULL, check_account
	};

	CHECK(interrupt_every_instruction(&scene) > (INTERRUPT_CAN_STEP ? 20 : 5));
}

/* A reader on another CPU comes in between: no row it sees is absurd. */
static void read_meanwhile(void)
{
	u64 p50;

	sum_up();
	p50 = kprof_hist_percentile(sum.bucket, sum.calls, 50, sum.min, sum.max);
	CHECK(sum.calls <= calls + 1);
	CHECK(sum.total <= total + 1000);
	CHECK(sum.max <= 1000);
	CHECK(sum.min <= sum.max);
	CHECK(p50 <= sum.max);
}

static void start_with_one(void)
{
	start();
	add(900);
}

static void test_read_meanwhile(void)
{
	struct scene scene = {
		.before = start,
		.code = add_1000,
		.handler = read_meanwhile,
		.after = check_account,
	};

	CHECK(interrupt_everywhere(&scene) >= 5);
	scene.before = start_with_one;
	CHECK(interrupt_everywhere(&scene) >= 5);
}

static void on_timer(void)
{
	add_half(&latency[0], 2000000 + interrupts());
	add_half(&latency[0], 1000000 - interrupts());
}

static void test_timer(void)
{
	u64 extra;

	start();
	interrupt_timer_start(on_timer);
	for (; interrupts() < TIMER_INTERRUPTS; calls++) {
		add_half(&latency[0], 1500000 + calls % 1000);
		total += 1500000 + calls % 1000;
	}
	interrupt_timer_stop();
	extra = interrupts();
	check_sum(calls + 2 * extra, total + 3000000 * extra, 1000000 - extra, 2000000 + extra);
}

static const struct unit_test tests[] = {
	{ "no call: all is 0", test_none },
	{ "calls of one CPU", test_one_cpu },
	{ "calls of all CPUs", test_all_cpus },
	{ "interrupts two deep, at every point", test_nested },
	{ "interrupts in front of every instruction", test_every_instruction },
	{ "reading at every point", test_read_meanwhile },
	{ "interrupted by a timer", test_timer },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
