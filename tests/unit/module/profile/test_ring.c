// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ring.c - every record put into a ring comes out once, whole and in
 * order, or is counted as dropped
 */
#include <linux/minmax.h>
#include <pthread.h>

#include "unit.h"
#include "profile/ring.c"

#define SMALLEST_KB		4	/* that the module lets one ask for */
#define SMALLEST		128	/* its records */
#define TINY_KB			1	/* so that all points can be tried */
#define TINY			32
#define TIMER_INTERRUPTS	2000
#define LEVELS			3	/* code, what interrupts it, what interrupts that */

static struct kprof_ring ring;

/* What a level of interrupts has put, and what the reader has seen of it. */
static struct account {
	u64 put;	/* tried */
	u64 accepted;
	u64 seen;
	u64 next;	/* the smallest number the next record can have */
} account[LEVELS];

static u64 mix(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	return x ^ (x >> 27);
}

static struct kprof_record make_record(u32 level, u64 number)
{
	return (struct kprof_record) {
		.time = number,
		.weight = mix(number + level),
		.key = ~mix(number + level),
		.pid = level,
		.info = (u32)mix(number),
	};
}

static void check_record(const struct kprof_record *rec)
{
	struct kprof_record good = make_record(rec->pid, rec->time);

	good.info &= ~KPROF_INFO_PHASE;
	CHECK_INT(rec->weight, good.weight);
	CHECK_INT(rec->key, good.key);
	CHECK_INT(rec->info, good.info);
}

static bool put(u32 level)
{
	struct kprof_record rec = make_record(level, account[level].put++);
	bool accepted = kprof_ring_put(&ring, &rec);

	account[level].accepted += accepted;
	return accepted;
}

/* What is seen stays, until it is skipped. */
static u32 take_records(struct kprof_record *rec, u32 max)
{
	u32 n = kprof_ring_peek(&ring, rec, max);

	CHECK_INT(kprof_ring_peek(&ring, rec, n), n);
	kprof_ring_skip(&ring, n);
	return n;
}

/* Take at most @max; each level's records come in order, none twice. */
static u32 take(u32 max)
{
	struct kprof_record rec[2 * SMALLEST];
	u32 i, n = take_records(rec, max);

	CHECK(n <= max);
	for (i = 0; i < n; i++) {
		struct account *from = &account[rec[i].pid % LEVELS];

		check_record(&rec[i]);
		CHECK(rec[i].time >= from->next);
		from->next = rec[i].time + 1;
		from->seen++;
	}
	return n;
}

static void reset_account(void)
{
	memset(account, 0, sizeof(account));
}

static void start(u32 kilobytes)
{
	memset(&ring, 0, sizeof(ring));
	CHECK_INT(kprof_ring_init(&ring, kilobytes, 0), 0);
	reset_account();
}

/* Empty the ring: all that was put has come out or is counted. */
static void check_account(void)
{
	u64 dropped = 0;
	u32 i;

	while (take(2 * SMALLEST))
		;
	CHECK(kprof_ring_empty(&ring));
	CHECK_INT(kprof_ring_fill(&ring), 0);
	for (i = 0; i < LEVELS; i++) {
		CHECK_INT(account[i].seen, account[i].accepted);
		dropped += account[i].put - account[i].accepted;
	}
	CHECK_INT(local64_read(&ring.dropped), dropped);
}

static void end(void)
{
	check_account();
	kprof_ring_free(&ring);
}

static void test_size(void)
{
	start(SMALLEST_KB);
	CHECK_INT(kprof_ring_size(SMALLEST_KB), SMALLEST * sizeof(struct kprof_record));
	CHECK(kprof_ring_empty(&ring));
	CHECK_INT(take(1), 0);
	end();
	CHECK_INT(kprof_ring_size(SMALLEST_KB + 1), 2 * SMALLEST * sizeof(struct kprof_record));
}

/* Batches of all sizes, over many laps: nothing is lost while there is room. */
static void test_laps(void)
{
	u32 batch, i, taken;

	start(SMALLEST_KB);
	for (batch = 1; batch <= SMALLEST; batch++) {
		for (i = 0; i < batch; i++)
			CHECK(put(0));
		CHECK_INT(kprof_ring_fill(&ring), batch);
		CHECK(!kprof_ring_empty(&ring));
		for (taken = 0; taken < batch; taken += i) {
			i = take(batch / 3 + 1);
			CHECK_INT(i, min_t(u32, batch / 3 + 1, batch - taken));
			if (!i)
				break;
		}
	}
	CHECK_INT(account[0].seen, account[0].put);
	end();
}

static void test_small_max(void)
{
	u32 i;

	start(SMALLEST_KB);
	for (i = 0; i < SMALLEST; i++)
		put(0);
	CHECK_INT(take(0), 0);
	CHECK_INT(take(1), 1);
	CHECK_INT(take(2), 2);
	CHECK_INT(take(2 * SMALLEST), SMALLEST - 3);
	CHECK_INT(take(1), 0);
	end();
}

/* In every lap and at every offset: the oldest stay, the newest are counted. */
static void test_full(void)
{
	u32 round, i;

	start(SMALLEST_KB);
	for (round = 0; round < 3 * SMALLEST; round++) {
		while (put(0))
			;
		CHECK_INT(kprof_ring_fill(&ring), SMALLEST);
		for (i = 0; i < round; i++)
			CHECK(!put(0));
		CHECK_INT(take(round % SMALLEST + 1), round % SMALLEST + 1);
		for (i = 0; i <= round % SMALLEST; i++)
			CHECK(put(0));
		CHECK(!put(0));
	}
	end();
}

static void test_newest_is_dropped(void)
{
	struct kprof_record rec;
	u64 i;

	start(SMALLEST_KB);
	for (i = 0; i < SMALLEST + 10; i++)
		CHECK(put(0) == (i < SMALLEST));
	for (i = 0; i < SMALLEST; i++) {
		CHECK_INT(take_records(&rec, 1), 1);
		CHECK_INT(rec.time, i);
	}
	CHECK_INT(local64_read(&ring.dropped), 10);
	kprof_ring_free(&ring);
}

/* Some of those seen could not be given on: they come again. */
static void test_peek(void)
{
	struct kprof_record rec[8];
	u64 i;

	start(TINY_KB);
	for (i = 0; i < 8; i++)
		put(0);
	CHECK_INT(kprof_ring_peek(&ring, rec, 8), 8);
	kprof_ring_skip(&ring, 3);
	CHECK_INT(kprof_ring_fill(&ring), 5);
	CHECK_INT(kprof_ring_peek(&ring, rec, 8), 5);
	CHECK_INT(rec[0].time, 3);
	account[0].next = 3;
	account[0].seen = 3;
	CHECK_INT(take(8), 5);
	CHECK(kprof_ring_empty(&ring));
	end();
}

/* A ring that never had memory. */
static void test_nothing(void)
{
	struct kprof_record pair[2] = { make_record(0, 0), make_record(0, 1) }, out;

	memset(&ring, 0, sizeof(ring));
	CHECK(!kprof_ring_put(&ring, &pair[0]));
	CHECK(!kprof_ring_put_pair(&ring, pair));
	CHECK_INT(local64_read(&ring.dropped), 3);
	CHECK(kprof_ring_empty(&ring));
	CHECK_INT(kprof_ring_fill(&ring), 0);
	CHECK_INT(kprof_ring_peek(&ring, &out, 1), 0);
	kprof_ring_clear(&ring);
	CHECK_INT(local64_read(&ring.dropped), 0);
	kprof_ring_free(&ring);
}

/* Two records that belong together are there both or not at all. */
static void test_pairs(void)
{
	struct kprof_record pair[2], out[2];
	u64 i, dropped = 0;

	start(TINY_KB);
	for (i = 0; i < 8 * TINY; i++) {
		pair[0] = make_record(0, i);
		pair[1] = make_record(1, i);
		if (i % 3 == 0 && kprof_ring_put(&ring, &pair[0])) {
			CHECK_INT(take_records(out, 1), 1);
			CHECK_INT(out[0].time, i);
		}
		CHECK(kprof_ring_put_pair(&ring, pair));
		CHECK_INT(take_records(out, 2), 2);
		check_record(&out[0]);
		check_record(&out[1]);
		CHECK_INT(out[0].pid, 0);
		CHECK_INT(out[1].pid, 1);
		CHECK_INT(out[1].time, i);
	}
	CHECK_INT(local64_read(&ring.dropped), 0);
	CHECK(kprof_ring_put(&ring, &pair[0]));
	while (kprof_ring_put_pair(&ring, pair))
		;
	dropped += 2;
	/* Room for one is room for one only. */
	CHECK_INT(kprof_ring_fill(&ring), TINY - 1);
	CHECK(kprof_ring_put(&ring, &pair[0]));
	CHECK(!kprof_ring_put_pair(&ring, pair));
	dropped += 2;
	CHECK_INT(local64_read(&ring.dropped), dropped);
	kprof_ring_free(&ring);
}

static void test_clear(void)
{
	u32 fill;

	start(SMALLEST_KB);
	for (fill = 0; fill < 2 * SMALLEST; fill++) {
		u32 i;

		for (i = 0; i < fill; i++) {
			put(0);
			if (i < SMALLEST)
				take(1);
		}
		kprof_ring_clear(&ring);
		reset_account();
		CHECK(kprof_ring_empty(&ring));
		CHECK_INT(kprof_ring_fill(&ring), 0);
		CHECK_INT(local64_read(&ring.dropped), 0);
		CHECK_INT(take(1), 0);
		CHECK(put(0));
		CHECK_INT(take(2), 1);
	}
	end();
}

static void test_no_memory(void)
{
	shim_vmallocs_left = 0;
	CHECK_INT(kprof_ring_init(&ring, SMALLEST_KB, 0), -ENOMEM);
	shim_vmallocs_left = -1;
	kprof_ring_free(&ring);
}

/* Where a scene begins: records put before it, and how many of them wait. */
static u32 scene_position, scene_fill;

static void start_scene(void)
{
	u32 i;

	kprof_ring_clear(&ring);
	reset_account();
	for (i = 0; i < scene_position; i++) {
		if (i >= scene_fill)
			take(1);
		put(0);
		if (!scene_fill)
			take(1);
	}
	CHECK_INT(kprof_ring_fill(&ring), min_t(u32, scene_position, scene_fill));
}

static void put_level_0(void)
{
	put(0);
}

static void put_level_1(void)
{
	put(1);
}

static void put_level_2(void)
{
	put(2);
	put(2);
}

static void take_all(void)
{
	while (take(3))
		;
}

static void put_and_take_all(void)
{
	put(1);
	take_all();
}

/*
 * Every pair of points, with room for none to many, at the edges of laps. With
 * room for what all levels put nothing may be dropped.
 */
static void check_scene_account(void)
{
	u64 dropped;

	check_account();
	dropped = local64_read(&ring.dropped);
	if (scene_fill <= TINY - 4)
		CHECK_INT(dropped, 0);
}

static void play_everywhere(void (*handler)(void), void (*nested)(void))
{
	struct scene play = {
		.before = start_scene,
		.code = put_level_0,
		.handler = handler,
		.nested = nested,
		.after = check_scene_account,
	};
	static const u32 fills[] = { 0, 1, TINY - 4, TINY - 3, TINY - 2,
				     TINY - 1, TINY };
	u32 i, edge;

	start(TINY_KB);
	for (i = 0; i < sizeof(fills) / sizeof(*fills); i++) {
		scene_fill = fills[i];
		for (edge = 1; edge <= 2; edge++)
			for (scene_position = edge * TINY - 2;
			     scene_position <= edge * TINY; scene_position++)
				CHECK(interrupt_everywhere(&play) >= 3);
	}
	kprof_ring_free(&ring);
}

static void test_nested(void)
{
	play_everywhere(put_level_1, put_level_2);
}

static void test_reader_between(void)
{
	play_everywhere(take_all, NULL);
	play_everywhere(put_and_take_all, NULL);
	play_everywhere(put_level_1, take_all);
	play_everywhere(put_and_take_all, put_level_2);
}

/* As above, for a position at the edge of a lap. */
static void test_every_instruction(void)
{
	static const struct scene scenes[] = {
		{ start_scene, put_level_0, put_level_2, NULL, check_scene_account },
		{ start_scene, put_level_0, put_and_take_all, NULL, check_scene_account },
	};
	u32 i;

	start(TINY_KB);
	scene_position = TINY - 1;
	for (i = 0; i < 2; i++) {
		for (scene_fill = TINY - 2; scene_fill <= TINY; scene_fill++)
			CHECK(interrupt_every_instruction(&scenes[i]) >
			      (INTERRUPT_CAN_STEP ? 50 : 3));
	}
	kprof_ring_free(&ring);
}

static void on_timer(void)
{
	put(1);
	put(1);
	put(1);
}

static void *read_until_stopped(void *stop)
{
	u32 n, i = 0;

	do {
		n = take(1 + i++ % 50);
	} while (n || !__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE));
	return NULL;
}

/* A timer interrupts the writer; a reader keeps up now and then. */
static void test_timer(void)
{
	pthread_t reader;
	int stop = 0;

	start(SMALLEST_KB);
	CHECK(!interrupt_free_thread(&reader, read_until_stopped, &stop));
	interrupt_timer_start(on_timer);
	while (interrupts() < TIMER_INTERRUPTS)
		put(0);
	interrupt_timer_stop();
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	CHECK_INT(account[1].put, 3 * interrupts());
	CHECK(account[0].seen > 0);
	end();
}

static const struct unit_test tests[] = {
	{ "sizes, and a ring that is empty", test_size },
	{ "order, over many laps", test_laps },
	{ "taking few at a time", test_small_max },
	{ "full in every lap and at every offset", test_full },
	{ "the newest is dropped, and counted", test_newest_is_dropped },
	{ "what is not skipped comes again", test_peek },
	{ "without memory, all is dropped", test_nothing },
	{ "pairs stay together, or go together", test_pairs },
	{ "clear empties", test_clear },
	{ "no memory", test_no_memory },
	{ "interrupts two deep, at every point", test_nested },
	{ "a reader at every point", test_reader_between },
	{ "interrupts and a reader in front of every instruction", test_every_instruction },
	{ "interrupted by a timer, read by another CPU", test_timer },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
