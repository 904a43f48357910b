// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_params.c - what tokens decide in the labs: causes and decoys are apart, as the texts say
 */
#include <math.h>

#include "unit.h"

#include "01-stutter/params.h"
#include "02-hundred/params.h"
#include "03-copy/params.h"
#include "04-load-without-work/params.h"
#include "05-who-writes/params.h"
#include "06-bad-elf/params.h"
#include "07-shuffle/params.h"
#include "08-which-protection/params.h"
#include "09-sampler-lies/params.h"
#include "10-try-again/params.h"
#include "11-final/params.h"

#define TOKENS		1000

static double share(const struct stutter_work *work)
{
	return work->spin_us / (work->period_ms * 10.0);
}

/* The culprit takes many times as much as a decoy, and is not where these are. */
static void test_stutter(void)
{
	struct stutter_params p;
	u64 token;
	int i;

	for (token = 1; token <= TOKENS; token++) {
		bool thread = false, interrupt = false;

		stutter_params(&p, token);
		CHECK(share(&p.culprit) >= 14 && share(&p.culprit) <= 38);
		for (i = 0; i < 2; i++) {
			CHECK(share(&p.decoy[i]) < 2);
			CHECK(p.decoy[i].context != p.culprit.context);
			CHECK(p.decoy[i].function != p.culprit.function);
			thread |= p.decoy[i].context == STUTTER_THREAD;
			interrupt |= p.decoy[i].context <= STUTTER_HARDIRQ;
		}
		CHECK(p.decoy[0].cpu != p.decoy[1].cpu);
		CHECK(p.decoy[0].function != p.decoy[1].function);
		CHECK(p.culprit.context >= STUTTER_THREAD ? interrupt : thread);
	}
}

static void test_hundred(void)
{
	struct hundred_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		hundred_params(&p, token);
		CHECK(p.number >= 60 && p.number <= 140);
		CHECK(p.mib >= 4 && p.mib <= 24);
	}
}

/* The best block has some that are smaller, and some that are larger. */
static void test_copy(void)
{
	struct copy_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		copy_params(&p, token);
		CHECK(p.best >= 2 * PAGE && p.best * 4 <= LARGE_BLOCK && !(p.best & (p.best - 1)));
		CHECK(p.bytes >= 2 * LARGE_BLOCK && p.bytes % MAPPED_BLOCK == 0);
		/* New buffers take more pages than everything that is there once. */
		CHECK(p.bytes / PAGE > LARGE_BLOCK / PAGE + 200);
		CHECK(p.table <= 400);
	}
}

/* Who has the lock, or the CPU, has it for a millisecond or more; and the CPU is not short. */
static void test_load(void)
{
	struct load_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		load_params(&p, token);
		CHECK(p.waiters >= 7 && p.waiters <= LOAD_WAITERS);
		CHECK(p.decoys >= 4 && p.decoys <= LOAD_DECOYS);
		CHECK(p.wait_ms / p.waiters >= 1);
		CHECK(p.busy >= 8 && p.busy <= 68);
	}
}

/*
 * The load of the last minute, at most, as the kernel computes it in the first one: it looks each
 * @sample_ms, first @first_ms after the begin, at how many want the CPU. They have wanted it
 * since @wake_ms before the begin, one period after the other.
 */
static double highest_load(const struct load_params *p, double sample_ms, double first_ms,
			   double wake_ms)
{
	double period_ms = load_period_us(p) / 1000.0, load = 0, highest = 0, at, since;
	int want;

	for (at = first_ms; at <= 60000; at += sample_ms) {
		since = fmod(at + wake_ms, period_ms);
		/* One after the other is done. */
		want = since < p->wait_ms ? p->waiters - (int)(since * p->waiters / p->wait_ms) : 0;
		load = (load * 1884 + want * (2048 - 1884.0)) / 2048;
		highest = load > highest ? load : highest;
	}
	return highest;
}

/* Whenever the lab begins, with ticks of 1, 4, 10 ms: those that want the CPU show as a load. */
static void test_load_average(void)
{
	static const double samples_ms[] = { 5001, 5004, 5010 };
	double lowest, load, cpu;
	struct load_params p;
	int i, first, wake;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		load_params(&p, token);
		if (p.cause != LOAD_CPU)
			continue;
		cpu = p.wait_ms * 100000.0 / load_period_us(&p);
		CHECK(cpu > p.busy * 0.9 && cpu < p.busy * 1.1);
		lowest = INFINITY;
		for (i = 0; i < 3; i++) {
			for (first = 0; first < 10; first++) {
				for (wake = 0; wake < 40; wake++) {
					load = highest_load(&p, samples_ms[i],
							    first * samples_ms[i] / 10,
							    wake * load_period_us(&p) / 40000.0);
					lowest = load < lowest ? load : lowest;
				}
			}
		}
		CHECK(lowest > 1);
	}
}

/* All that is written lies in front of where the others write. */
static void test_who_writes(void)
{
	struct who_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		who_params(&p, token);
		CHECK(p.bytes && p.bytes % 4096 == 0);
		CHECK(p.first >= 8000 && p.first % 8 == 0);
		CHECK((u64)p.first * SECTOR + (u64)p.places * p.bytes <= WHO_ELSEWHERE * SECTOR);
		CHECK(p.places == 1 || (p.places >= 3 && p.places <= 240));
		CHECK(p.culprit < WRITERS && p.turn < WRITERS - 1);
	}
}

/* Each defect comes, in either file. */
static void test_bad_elf(void)
{
	int seen[2][BAD_ELF_NR] = { 0 }, i;
	struct bad_elf_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		bad_elf_params(&p, token);
		CHECK(p.defect < BAD_ELF_NR && p.guilty < 2);
		if (p.defect < BAD_ELF_NR && p.guilty < 2)
			seen[p.guilty][p.defect]++;
	}
	for (i = 0; i < BAD_ELF_NR; i++)
		CHECK(seen[0][i] > TOKENS / 20 && seen[1][i] > TOKENS / 20);
}

static void test_shuffle(void)
{
	struct shuffle_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		shuffle_params(&p, token);
		CHECK(p.slabs >= 4 && p.slabs <= SHUFFLE_SLABS);
		CHECK(p.size >= 64 && p.size <= 320);
		/* A constructor that does more does many times as much. */
		CHECK(p.turns >= 12);
	}
}

static void test_which_protection(void)
{
	int seen[WHICH_NR] = { 0 }, i;
	struct which_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		which_params(&p, token);
		CHECK(p.protection < WHICH_NR);
		if (p.protection < WHICH_NR)
			seen[p.protection]++;
		CHECK(p.boot == 1 || p.boot == 2);
		CHECK(p.objects >= 48 && p.objects <= WHICH_OBJECTS);
		CHECK(p.size >= 128 && p.size <= 320);
	}
	for (i = 0; i < WHICH_NR; i++)
		CHECK(seen[i] > TOKENS / 10);
}

/* There is time to sleep in each turn, as long as it takes to be measured. */
static void test_sampler(void)
{
	u64 token, turn, ns, all;
	struct sampler_params p;

	for (token = 1; token <= TOKENS; token++) {
		sampler_params(&p, token);
		CHECK(p.rate >= 50 && p.rate <= 250);
		CHECK(p.percent[0] + p.percent[1] <= 80);
		for (turn = 0, all = 0; turn < 256; turn++) {
			ns = sampler_period_ns(&p, token, turn);
			all += ns;
			CHECK(ns >= SAMPLER_NS_PER_SEC / p.rate / 2);
			CHECK(!p.regular || ns == SAMPLER_NS_PER_SEC / p.rate);
		}
		CHECK(all / turn > SAMPLER_NS_PER_SEC / p.rate / 100 * 90);
		CHECK(all / turn < SAMPLER_NS_PER_SEC / p.rate / 100 * 110);
	}
}

/* Blocks divided by errors is not the distance between two of these. */
static void test_try_again(void)
{
	u32 block, errors;
	struct again_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		again_params(&p, token);
		for (block = 1, errors = 0; block <= p.blocks; block++)
			errors += again_fails(&p, block);
		CHECK(errors >= 3);
		CHECK(p.blocks / errors > p.every);
		CHECK(!again_fails(&p, p.first - 1) && again_fails(&p, p.first));
		CHECK(p.asked == BLOCK || p.asked == BLOCK - 1);
	}
}

/* What is short is above half, what is not is well below; of locks, above two, and below one. */
static void test_final(void)
{
	struct final_params p;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		final_params(&p, token);
		CHECK(p.percent >= 60 && p.percent <= 78);
		CHECK(10000 / (100 + p.pause) >= 60 && p.little > 0 && p.little < 40);
		CHECK(p.waiters >= 6 && p.waiters <= FINAL_WAITERS);
		CHECK(p.hold_ms * FINAL_HOLDERS < FINAL_HOLD_MS * 9 / 10);
		CHECK(p.hold_ms > 0);
		CHECK(p.mib <= 360);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a stutter has decoys elsewhere, which take little", test_stutter },
		{ "how many, and how large", test_hundred },
		{ "the best block of a copy", test_copy },
		{ "load: waits, and how busy the CPU is", test_load },
		{ "load: what queues up for the CPU shows", test_load_average },
		{ "who writes: apart from the others", test_who_writes },
		{ "each defect of an ELF file comes", test_bad_elf },
		{ "slabs and what they cost", test_shuffle },
		{ "objects that are protected", test_which_protection },
		{ "turns of the sampler's thread", test_sampler },
		{ "errors of a read", test_try_again },
		{ "the final: what is short, and what is not", test_final },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
