// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_numbers.c - files get one number each, whoever interrupts whom; without a share, all have
 * that of one row
 */
#include <linux/types.h>
#include <pthread.h>

#include "unit.h"
#include "interrupt.h"
#include "user/numbers.c"

#define FILES	1000
#define THREADS	4

struct kprof_share {
	u32 room;	/* rows that it allows */
};

static struct kprof_mapped_row files[FILES];
static struct kprof_share share;
static u32 got[2];

bool kprof_share_take(struct kprof_share *its, u32 left)
{
	u32 room = READ_ONCE(its->room);

	while (room && left && !try_cmpxchg(&its->room, &room, room - 1))
		;
	return room && left;
}

void kprof_shares_clear(void)
{
}

void kprof_rules_forget(void)
{
}

void kprof_mapped_forget_numbers(void)
{
	memset(files, 0, sizeof(files));
}

u32 kprof_mapped_known(void)
{
	return FILES;
}

u64 kprof_mapped_failed(void)
{
	return 0;
}

static void begin(u32 room)
{
	kprof_mapped_clear();
	share.room = room;
}

static u32 rows(void)
{
	struct kprof_mapped_totals sum;

	kprof_mapped_totals(&sum);
	return sum.rows;
}

static void check_file(u32 i, u32 id)
{
	CHECK(id);
	CHECK_INT(kprof_mapped_id(&files[i].mapped), id);
	CHECK_INT(kprof_mapped_number(&files[i].mapped, &share), id);
	CHECK(kprof_mapped_get(id) == &files[i].mapped);
	CHECK(kprof_mapped_row(id) == &files[i].mapped);
}

static void test_numbers(void)
{
	u32 i;

	begin(FILES);
	CHECK(!kprof_mapped_row(1));
	for (i = 0; i < FILES; i++)
		CHECK_INT(kprof_mapped_number(&files[i].mapped, &share), i + 1);
	for (i = 0; i < FILES; i++)
		check_file(i, i + 1);
	CHECK(!kprof_mapped_row(FILES + 1));
	CHECK(!kprof_mapped_get(0));
	CHECK(!kprof_mapped_get(KPROF_MAX_MAPPED));
	CHECK(!kprof_mapped_get(KPROF_MAX_MAPPED + 1));
	CHECK(!kprof_mapped_get(~0U));
}

static void test_full(void)
{
	u32 id;

	begin(3);
	for (id = 1; id <= 3; id++)
		CHECK_INT(kprof_mapped_number(&files[id].mapped, &share), id);
	CHECK_INT(kprof_mapped_number(&files[10].mapped, &share), 4);
	CHECK_INT(kprof_mapped_number(&files[11].mapped, &share), 4);
	CHECK_INT(kprof_mapped_full, 4);
	CHECK_INT(kprof_mapped_get(4)->kind, KPROF_MAPPED_FULL);
	/* What has none may get one later, by somebody else's share. */
	CHECK_INT(kprof_mapped_id(&files[10].mapped), 0);
	share.room = 1;
	CHECK_INT(kprof_mapped_number(&files[10].mapped, &share), 5);
	check_file(10, 5);
	CHECK_INT(rows(), 5);
	kprof_mapped_clear();
	CHECK_INT(kprof_mapped_full, 0);
	CHECK_INT(rows(), 0);
}

/* The last row is for those that get none, however much a share allows. */
static void test_last_row(void)
{
	static struct kprof_mapped_row many[KPROF_MAX_MAPPED + 10];
	u32 i;

	begin(~0U);
	for (i = 0; i < KPROF_MAX_MAPPED - 1; i++)
		CHECK_INT(kprof_mapped_number(&many[i].mapped, &share), i + 1);
	for (; i < KPROF_MAX_MAPPED + 10; i++)
		CHECK_INT(kprof_mapped_number(&many[i].mapped, &share), KPROF_MAX_MAPPED);
	CHECK_INT(rows(), KPROF_MAX_MAPPED);
	kprof_mapped_clear();
}

static void number_first(void)
{
	got[0] = kprof_mapped_number(&files[0].mapped, &share);
}

static void number_first_too(void)
{
	got[1] = kprof_mapped_number(&files[0].mapped, &share);
}

static void number_other(void)
{
	got[1] = kprof_mapped_number(&files[1].mapped, &share);
}

static void before(void)
{
	begin(FILES);
	memset(got, 0, sizeof(got));
}

static void before_full(void)
{
	begin(0);
	memset(got, 0, sizeof(got));
}

static void all_rows_are_there(void)
{
	u32 id;

	for (id = 1; id <= rows(); id++)
		CHECK(kprof_mapped_get(id));
}

static void after_same(void)
{
	CHECK(!got[1] || got[0] == got[1]);
	check_file(0, got[0]);
	all_rows_are_there();
}

static void after_other(void)
{
	CHECK(got[0] != got[1]);
	check_file(0, got[0]);
	if (got[1])
		check_file(1, got[1]);
	all_rows_are_there();
}

static void after_full(void)
{
	CHECK_INT(kprof_mapped_get(got[0])->kind, KPROF_MAPPED_FULL);
	CHECK(!got[1] || kprof_mapped_get(got[1])->kind == KPROF_MAPPED_FULL);
	all_rows_are_there();
}

static void test_interrupted(void)
{
	const struct scene same = { before, number_first, number_first_too, NULL, after_same };
	const struct scene other = { before, number_first, number_other, NULL, after_other };
	const struct scene nested = { before, number_first, number_first_too, number_other,
				      after_same };
	const struct scene none = { before_full, number_first, number_other, NULL, after_full };

	CHECK(interrupt_everywhere(&same) >= 4);
	CHECK(interrupt_everywhere(&other) >= 4);
	CHECK(interrupt_everywhere(&nested) >= 4);
	CHECK(interrupt_everywhere(&none) >= 3);
}

static void *number_all(void *seen)
{
	u32 *id = seen, i;

	for (i = 0; i < FILES; i++) {
		id[i] = kprof_mapped_number(&files[i].mapped, &share);
		CHECK(kprof_mapped_get(id[i]) == &files[i].mapped);
	}
	return NULL;
}

static void test_threads(void)
{
	static u32 seen[THREADS][FILES];
	pthread_t thread[THREADS];
	u32 i, j;

	begin(THREADS * FILES);
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&thread[i], NULL, number_all, seen[i]));
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (i = 0; i < FILES; i++)
		for (j = 0; j < THREADS; j++)
			check_file(i, seen[j][i]);
	all_rows_are_there();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a file gets a number, and keeps it", test_numbers },
		{ "files beyond a share have the number of one row", test_full },
		{ "there is always room for that row", test_last_row },
		{ "interrupted anywhere by others that give numbers", test_interrupted },
		{ "several at once", test_threads },
		{ 0 }
	};

	return unit_run(tests);
}
