// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_intern.c - equal runs get equal ids and different ones do not:
 * where hashes collide, in a full table, under interrupts, on several CPUs
 */
#include <pthread.h>
#include <stdlib.h>

#include "unit.h"
#include "profile/intern.c"

#define MAX_WORDS		8
#define TIMER_INTERRUPTS	1000
#define THREADS			4
/* Runs that every thread interns; the thread sanitizer takes far longer for each. */
#ifdef __SANITIZE_THREAD__
#define SHARED_RUNS		100000
#else
#define SHARED_RUNS		1000000
#endif
#define SEARCHED_RUNS		(1 << 19)	/* have some 30 pairs of equal 32-bit hashes */

static struct kprof_intern table;

static void start(u32 capacity)
{
	CHECK_INT(kprof_intern_init(&table, capacity, MAX_WORDS), 0);
}

static void end(void)
{
	kprof_intern_free(&table);
}

static u64 mix(u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	return x ^ (x >> 27);
}

/* The run of a number: no two are equal, lengths differ. Return: its length. */
static u32 make_run(u64 number, u64 *word)
{
	u32 i, nr = 1 + number % 3;

	for (i = 0; i < nr; i++)
		word[i] = mix(number + i);
	return nr;
}

static u32 intern_run(u64 number)
{
	u64 word[MAX_WORDS];

	return kprof_intern(&table, word, make_run(number, word), 0);
}

/* Whether the entry behind an id is complete, and what it was made of. */
static bool is_run(u32 id, const u64 *word, u32 nr, u16 flags)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&table, id);

	return entry && entry->nr == nr && entry->flags == flags &&
	       !memcmp(entry->word, word, nr * sizeof(*word));
}

static bool is_numbered(u32 id, u64 number)
{
	u64 word[MAX_WORDS];

	return is_run(id, word, make_run(number, word), 0);
}

static void test_equal_and_different(void)
{
	u32 id[100], i, j;

	start(100);
	CHECK_INT(kprof_intern_used(&table), 0);
	for (i = 0; i < 100; i++) {
		id[i] = intern_run(i);
		CHECK(id[i] >= KPROF_ID_FIRST && id[i] < KPROF_ID_FIRST + 100);
		CHECK_INT(kprof_intern_used(&table), i + 1);
		for (j = 0; j < i; j++)
			CHECK(id[i] != id[j]);
	}
	for (i = 0; i < 100; i++) {
		CHECK_INT(intern_run(i), id[i]);
		CHECK(is_numbered(id[i], i));
	}
	CHECK_INT(kprof_intern_used(&table), 100);
	end();
}

/* Runs that differ in length, in flags, in one word, in the order of words. */
static void test_identity(void)
{
	static const u64 word[MAX_WORDS + 1] = { 0, 0, 0, 0, 0, 0, 0, 0, 1 };
	static const u64 ab[] = { 1, 2 }, ba[] = { 2, 1 };
	u32 id[64], nr, n = 0, i, j;

	start(64);
	for (nr = 1; nr <= MAX_WORDS; nr++) {
		id[n++] = kprof_intern(&table, word, nr, 0);
		id[n++] = kprof_intern(&table, word, nr, KPROF_STACK_CUT);
		id[n++] = kprof_intern(&table, word, nr, 0xffff);
		id[n++] = kprof_intern(&table, word + MAX_WORDS + 1 - nr, nr, 0);
		CHECK(is_run(id[n - 3], word, nr, KPROF_STACK_CUT));
	}
	id[n++] = kprof_intern(&table, ab, 2, 0);
	id[n++] = kprof_intern(&table, ba, 2, 0);
	for (i = 0; i < n; i++)
		for (j = 0; j < i; j++)
			CHECK(id[i] != id[j]);
	CHECK_INT(kprof_intern(&table, word, 3, KPROF_STACK_CUT), id[9]);
	CHECK_INT(kprof_intern_used(&table), n);
	end();
}

static void test_get_nothing(void)
{
	u32 id;

	start(4);
	id = intern_run(1);
	CHECK(kprof_intern_get(&table, id));
	CHECK(!kprof_intern_get(&table, KPROF_ID_NONE));
	CHECK(!kprof_intern_get(&table, KPROF_ID_FULL));
	CHECK(!kprof_intern_get(&table, id + 1));
	CHECK(!kprof_intern_get(&table, KPROF_ID_FIRST + 4));
	CHECK(!kprof_intern_get(&table, ~0U));
	end();
}

/* Known runs are found in a full table, new ones are not taken; tables of all sizes. */
static void test_full(void)
{
	u32 capacity, i, round, id[33];

	for (capacity = 1; capacity <= 33; capacity++) {
		start(capacity);
		for (i = 0; i < capacity; i++)
			id[i] = intern_run(i);
		for (round = 0; round < 1000; round++)
			CHECK_INT(intern_run(1000 + round), KPROF_ID_FULL);
		for (i = 0; i < capacity; i++) {
			CHECK_INT(intern_run(i), id[i]);
			CHECK(is_numbered(id[i], i));
		}
		CHECK_INT(kprof_intern_used(&table), capacity);
		CHECK(kprof_intern_size(capacity, MAX_WORDS) >= capacity * (8 + 8 * MAX_WORDS + 8));
		end();
	}
}

static void test_clear(void)
{
	u64 word[MAX_WORDS] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	u32 i;

	start(8);
	for (i = 0; i < 8; i++)
		kprof_intern(&table, word, 8, i);
	kprof_intern_clear(&table);
	CHECK_INT(kprof_intern_used(&table), 0);
	CHECK(!kprof_intern_get(&table, KPROF_ID_FIRST));
	for (i = 0; i < 8; i++)
		CHECK_INT(intern_run(i), KPROF_ID_FIRST + i);
	CHECK_INT(intern_run(8), KPROF_ID_FULL);
	end();
}

/* Both pieces of memory are wanted: without one the other goes back. */
static void test_no_memory(void)
{
	int left;

	for (left = 0; left < 2; left++) {
		shim_vmallocs_left = left;
		CHECK_INT(kprof_intern_init(&table, 8, 8), -ENOMEM);
		CHECK(!table.slot && !table.entries);
	}
	shim_vmallocs_left = -1;
}

struct hashed {
	u32 hash;
	u32 number;
};

static int compare_hashed(const void *a, const void *b)
{
	const struct hashed *one = a, *other = b;

	return one->hash < other->hash ? -1 : one->hash > other->hash;
}

static u32 hash_of(u64 number)
{
	u64 word[MAX_WORDS];
	u32 nr = make_run(number, word);

	return hash_words(shim_random, word, nr, 0);
}

/* Runs whose hashes are equal in all 32 bits, found by trying. */
static void test_equal_hashes(void)
{
	struct hashed *run = malloc(SEARCHED_RUNS * sizeof(*run));
	u32 i, pairs = 0;

	for (i = 0; i < SEARCHED_RUNS; i++)
		run[i] = (struct hashed) { hash_of(i), i };
	qsort(run, SEARCHED_RUNS, sizeof(*run), compare_hashed);
	for (i = 1; i < SEARCHED_RUNS; i++) {
		u32 one = run[i - 1].number, other = run[i].number, id;

		if (run[i - 1].hash != run[i].hash)
			continue;
		pairs++;
		start(2);
		id = intern_run(one);
		CHECK(intern_run(other) != id);
		CHECK_INT(intern_run(one), id);
		CHECK(is_numbered(id, one));
		CHECK(is_numbered(intern_run(other), other));
		end();
	}
	CHECK(pairs >= 3);
	free(run);
}

/*
 * With equal hashes and words a run of another length or other flags is still
 * another one; such hashes are too rare to be found by trying.
 */
static void test_hash_decides_nothing(void)
{
	const struct kprof_intern_entry *entry;
	u64 word[] = { 5, 0, 0 };

	start(1);
	entry = kprof_intern_get(&table, kprof_intern(&table, word, 2, 1));
	CHECK(entry_is(entry, entry->hash, word, 2, 1));
	CHECK(!entry_is(entry, entry->hash, word, 1, 1));
	CHECK(!entry_is(entry, entry->hash, word, 3, 1));
	CHECK(!entry_is(entry, entry->hash, word, 2, 0));
	end();
}

/* Numbers of runs that want the last slot of a small table, so that probing wraps. */
static u64 rival[8];

static void find_rivals(u32 mask)
{
	u64 number;
	u32 nr = 0;

	for (number = 0; nr < 8; number++)
		if ((hash_of(number) & mask) == mask)
			rival[nr++] = number;
}

static void test_equal_slots(void)
{
	u32 i, id[8];

	start(8);
	find_rivals(table.mask);
	for (i = 0; i < 8; i++)
		id[i] = intern_run(rival[i]);
	for (i = 0; i < 8; i++) {
		CHECK_INT(id[i], KPROF_ID_FIRST + i);
		CHECK_INT(intern_run(rival[i]), id[i]);
		CHECK(is_numbered(id[i], rival[i]));
	}
	end();
}

/* Who does not know the seed does not know which hash alike; it changes when a table is cleared. */
static void test_seed(void)
{
	const u64 seed = shim_random;
	u32 i, before[8], still = 0;

	start(8);
	find_rivals(table.mask);
	for (i = 0; i < 8; i++)
		before[i] = kprof_intern_get(&table, intern_run(rival[i]))->hash;
	shim_random = mix(seed);
	kprof_intern_clear(&table);
	for (i = 0; i < 8; i++) {
		u32 hash = kprof_intern_get(&table, intern_run(rival[i]))->hash;

		CHECK(hash != before[i]);
		still += (hash & table.mask) == table.mask;
	}
	CHECK(still < 4);
	end();
	start(8);
	CHECK(kprof_intern_get(&table, intern_run(rival[0]))->hash != before[0]);
	end();
	shim_random = seed;
}

/* What differs in the highest bits of the last word alone is everywhere in the table. */
static void test_high_bits(void)
{
	u64 word[] = { 1, 0 };
	bool seen[1 << 13] = { false };
	u32 i, different = 0;

	for (i = 0; i < 256; i++) {
		word[1] = (u64)i << 48;
		different += !seen[hash_words(shim_random, word, 2, 0) % (1 << 13)];
		seen[hash_words(shim_random, word, 2, 0) % (1 << 13)] = true;
	}
	CHECK(different > 200);
}

/* A search ends, however many hash alike; those that were found before are found still. */
static void test_bounded(void)
{
	u64 number, alike[MAX_PROBES + 1];
	u32 i, nr = 0, id[MAX_PROBES];

	start(2 * MAX_PROBES);
	for (number = 0; nr <= MAX_PROBES; number++)
		if ((hash_of(number) & table.mask) == table.mask / 2)
			alike[nr++] = number;
	for (i = 0; i < MAX_PROBES; i++) {
		id[i] = intern_run(alike[i]);
		CHECK(id[i] >= KPROF_ID_FIRST);
	}
	CHECK_INT(intern_run(alike[MAX_PROBES]), KPROF_ID_FULL);
	for (i = 0; i < MAX_PROBES; i++)
		CHECK_INT(intern_run(alike[i]), id[i]);
	CHECK_INT(kprof_intern_used(&table), MAX_PROBES);
	end();
}

static u32 nested_id[8];	/* of rivals, 0 where there is none yet */
static bool seen_full;
static u32 nested_calls;

/* The same id each time; an entry that can be had is complete. */
static void intern_rival(u32 i)
{
	u32 id = intern_run(rival[i]);

	nested_calls++;
	if (id == KPROF_ID_FULL) {
		seen_full = true;
		return;
	}
	CHECK(is_numbered(id, rival[i]));
	if (nested_id[i])
		CHECK_INT(id, nested_id[i]);
	nested_id[i] = id;
}

/* Entries still being written are none; all others are some rival's, whole. */
static void check_entries(void)
{
	u32 id, i;

	for (id = KPROF_ID_FIRST; id < KPROF_ID_FIRST + 8; id++) {
		if (!kprof_intern_get(&table, id))
			continue;
		for (i = 0; i < 8 && !is_numbered(id, rival[i]); i++)
			;
		CHECK(i < 8);
	}
}

static void start_scene(void)
{
	kprof_intern_clear(&table);
	memset(nested_id, 0, sizeof(nested_id));
	seen_full = false;
	nested_calls = 0;
}

static void intern_0(void)
{
	intern_rival(0);
}

static void intern_0_again(void)
{
	check_entries();
	intern_rival(0);
	check_entries();
}

static void intern_1_and_0(void)
{
	intern_rival(1);
	intern_rival(0);
}

static void intern_1_and_2(void)
{
	intern_rival(1);
	intern_rival(2);
}

/* All can be had still under the ids they were given; no call takes two entries. */
static void check_scene(void)
{
	u32 i;

	CHECK(kprof_intern_used(&table) <= nested_calls);
	for (i = 0; i < 3; i++)
		if (nested_id[i])
			CHECK_INT(intern_run(rival[i]), nested_id[i]);
	check_entries();
}

static void check_scene_with_room(void)
{
	check_scene();
	CHECK(nested_id[0]);
	CHECK(!seen_full);
}

static void test_nested(void)
{
	struct scene play = {
		.before = start_scene,
		.code = intern_0,
		.handler = intern_0_again,
		.nested = intern_1_and_0,
		.after = check_scene_with_room,
	};

	start(8);
	find_rivals(table.mask);
	CHECK(interrupt_everywhere(&play) >= 5);
	play.handler = intern_1_and_2;
	play.nested = intern_0_again;
	CHECK(interrupt_everywhere(&play) >= 5);
	end();
}

static u32 found;

static void start_found(void)
{
	start_scene();
	found = 0;
}

static void find_0(void)
{
	found = intern_run(rival[0]);
}

/* What is interrupted has the id that the interrupt got, and takes at most one entry. */
static void check_found(void)
{
	if (nested_id[0])
		CHECK_INT(found, nested_id[0]);
	nested_id[0] = found;
	nested_calls++;
	check_scene_with_room();
}

static void test_every_instruction(void)
{
	static const struct scene scenes[] = {
		{ start_found, find_0, intern_0_again, NULL, check_found },
		{ start_found, find_0, intern_1_and_0, NULL, check_found },
		{ start_found, find_0, intern_1_and_2, NULL, check_found },
	};
	u32 i;

	start(8);
	find_rivals(table.mask);
	for (i = 0; i < 3; i++)
		CHECK(interrupt_every_instruction(&scenes[i]) > (INTERRUPT_CAN_STEP ? 50 : 3));
	end();
}

/* The same in tables too small for all of them. */
static void test_nested_full(void)
{
	struct scene play = {
		.before = start_scene,
		.code = intern_0,
		.handler = intern_1_and_2,
		.nested = intern_1_and_0,
		.after = check_scene,
	};
	u32 capacity;

	for (capacity = 1; capacity <= 3; capacity++) {
		start(capacity);
		find_rivals(table.mask);
		CHECK(interrupt_everywhere(&play) >= 3);
		end();
	}
}

static u64 next_run;

static void intern_and_check(u64 number)
{
	u32 id = intern_run(number);

	CHECK(is_numbered(id, number));
	CHECK_INT(intern_run(number), id);
}

/* Interns what the interrupted code is at, and what it comes to next. */
static void on_timer(void)
{
	intern_and_check(next_run % 10000);
	intern_and_check((next_run + 1) % 10000);
}

static void test_timer(void)
{
	start(20000);
	interrupt_timer_start(on_timer);
	for (next_run = 0; interrupts() < TIMER_INTERRUPTS; next_run++)
		intern_and_check(next_run % 10000);
	interrupt_timer_stop();
	end();
}

static u32 *thread_ids[THREADS];
static int stop;

/* Every thread begins at the same run, so that they race for each. */
static void *intern_shared(void *ids)
{
	u64 i;

	for (i = 0; i < SHARED_RUNS; i++)
		((u32 *)ids)[i] = intern_run(i);
	return NULL;
}

/* Reads all entries over and over: what it can have is complete. */
static void *read_entries(void *unused)
{
	const struct kprof_intern_entry *entry;
	u32 id;

	(void)unused;
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		for (id = KPROF_ID_FIRST; id < KPROF_ID_FIRST + 1000; id++) {
			entry = kprof_intern_get(&table, id);
			if (!entry)
				break;
			CHECK_INT(entry->hash,
				  hash_words(table.seed, entry->word, entry->nr, entry->flags));
		}
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread[THREADS], reader;
	u32 i, j;

	/* Whoever loses a race for a run leaves an entry unused. */
	CHECK_INT(kprof_intern_init(&table, THREADS * SHARED_RUNS, 3), 0);
	stop = 0;
	CHECK(!pthread_create(&reader, NULL, read_entries, NULL));
	for (i = 0; i < THREADS; i++) {
		thread_ids[i] = calloc(SHARED_RUNS, sizeof(**thread_ids));
		CHECK(!pthread_create(&thread[i], NULL, intern_shared, thread_ids[i]));
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	for (j = 0; j < SHARED_RUNS; j++) {
		CHECK(is_numbered(thread_ids[0][j], j));
		for (i = 1; i < THREADS; i++)
			CHECK_INT(thread_ids[i][j], thread_ids[0][j]);
	}
	for (i = 0; i < THREADS; i++)
		free(thread_ids[i]);
	end();
}

static const struct unit_test tests[] = {
	{ "equal runs, equal ids; different runs, different ids", test_equal_and_different },
	{ "length, flags and each word are part of the identity", test_identity },
	{ "no entry behind a number that is no id", test_get_nothing },
	{ "a full table finds what it has and takes nothing new", test_full },
	{ "clear empties", test_clear },
	{ "no memory", test_no_memory },
	{ "runs of equal hash", test_equal_hashes },
	{ "an equal hash decides nothing", test_hash_decides_nothing },
	{ "runs that want the same slot", test_equal_slots },
	{ "which do is another question each time", test_seed },
	{ "words that differ at the top alone", test_high_bits },
	{ "a search has an end", test_bounded },
	{ "interrupts two deep, at every point", test_nested },
	{ "interrupts in front of every instruction", test_every_instruction },
	{ "interrupts two deep, in a full table", test_nested_full },
	{ "interrupted by a timer", test_timer },
	{ "four threads and a reader", test_threads },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
