// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_spaces.c - address spaces are found while their table is replaced; those of the dead go;
 * what changes while somebody looks is not known afterwards; who changes too much waits
 */
#include <linux/slab.h>
#include <linux/types.h>

#include "unit.h"
#include "interrupt.h"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define remove remove_space	/* there is one in stdio.h */
#include "user/spaces.c"

#define SPACES	20000

static struct mm_struct mms[SPACES];
static struct task_struct someone;
static void (*meanwhile)(void);	/* somebody looks at mappings */
static size_t size_of_maps;
static u32 live;		/* maps */

static struct kprof_maps *make(struct mm_struct *mm)
{
	struct kprof_maps *maps = vzalloc(sizeof(*maps));

	maps->share = (void *)mm;
	maps->bytes = size_of_maps;
	maps->dirty_from = ~0ul;
	live++;
	return maps;
}

struct kprof_maps *kprof_maps_make(struct mm_struct *mm, struct task_struct *task,
				   unsigned long until)
{
	(void)task;
	if (until)
		return ERR_PTR(-EAGAIN);
	if (meanwhile)
		meanwhile();
	return make(mm);
}

void kprof_maps_free(struct kprof_maps *maps)
{
	if (!maps)
		return;
	live--;
	kvfree_rcu(maps, rcu);
}

void kprof_maps_spoil(const struct kprof_maps *maps, unsigned long from, unsigned long to)
{
	struct kprof_maps *spoilt = (struct kprof_maps *)maps;

	if (from < spoilt->dirty_from)
		spoilt->dirty_from = from;
	if (to > spoilt->dirty_to)
		spoilt->dirty_to = to;
}

static void begin(u32 nr)
{
	u32 i;

	memset(mms, 0, sizeof(mms));
	for (i = 0; i < nr; i++)
		atomic_set(&mms[i].mm_users, 1);
	size_of_maps = 100;
	meanwhile = NULL;
	kprof_spaces_open();
}

static void end(void)
{
	u32 i;

	kprof_spaces_close();
	CHECK_INT(kprof_spaces_nr(), 0);
	shim_rcu_end_period();
	CHECK_INT(live, 0);
	for (i = 0; i < SPACES; i++)
		CHECK_INT(atomic_read(&mms[i].mm_count), 0);
}

static void update(u32 i)
{
	CHECK(kprof_spaces_update(&mms[i], &someone, 0));
}

static bool is_found(u32 i)
{
	const struct kprof_maps *maps = kprof_spaces_find(&mms[i]);

	return maps && maps->share == (void *)&mms[i];
}

/* Somebody keeps it locked until the time is over, as kprof_maps_make() says here. */
static void test_locked(void)
{
	begin(1);
	CHECK(!kprof_spaces_update(&mms[0], &someone, 1));
	CHECK(!is_found(0));
	CHECK_INT(kprof_spaces_nr(), 0);
	update(0);
	CHECK(!kprof_spaces_update(&mms[0], &someone, 1));
	CHECK(is_found(0));
	end();
	/* Whoever does not record any more need not try again. */
	CHECK(kprof_spaces_update(&mms[0], &someone, 1));
}

static void test_many(void)
{
	u32 longest = 0, i, length;
	struct space *space;

	begin(SPACES);
	for (i = 0; i < SPACES; i++) {
		CHECK(!is_found(i));
		update(i);
		CHECK(is_found(i));
		CHECK(is_found(i / 2));
		if (i % 100 == 0)
			shim_rcu_end_period();
	}
	CHECK_INT(kprof_spaces_nr(), SPACES);
	for (i = 0; i < SPACES; i++) {
		struct buckets *buckets = shard_of(hash_of(&mms[i]))->buckets;

		CHECK(is_found(i));
		length = 0;
		hlist_for_each_entry(space, bucket_of(buckets, hash_of(&mms[i])),
				     node[buckets->which])
			length++;
		longest = max(longest, length);
	}
	/* With 1,024 buckets, the average would be 20. */
	CHECK(longest <= 16);
	end();
}

static void test_dead(void)
{
	u32 i;

	begin(1000);
	for (i = 0; i < 1000; i++)
		update(i);
	for (i = 0; i < 1000; i += 2)
		atomic_set(&mms[i].mm_users, 0);
	sweep_all(NULL);
	CHECK_INT(kprof_spaces_nr(), 500);
	CHECK_INT(live, 500);
	for (i = 0; i < 1000; i++)
		CHECK(is_found(i) == (i % 2 == 1));
	/* Also in passing, where nobody sweeps. */
	for (i = 0; i < 1000; i++)
		atomic_set(&mms[i].mm_users, 0);
	for (i = 1000; i < SPACES; i++) {
		atomic_set(&mms[i].mm_users, 1);
		update(i);
		atomic_set(&mms[i].mm_users, 0);
	}
	CHECK(kprof_spaces_nr() < 1500);
	end();
}

static u32 seen;

static void add_one(void)
{
	update(seen);
}

static void look_for_all(void)
{
	u32 i;

	for (i = 0; i < seen; i++)
		CHECK(is_found(i));
}

/* An NMI at any point of an update finds all that were there before, whatever the table becomes. */
static void test_interrupted(void)
{
	unsigned int point;

	begin(SPACES);
	for (seen = 0; seen < 3000; seen++) {
		point = seen % 40;
		interrupted(point, look_for_all, add_one);
		if (seen % 3 == 0)
			shim_rcu_end_period();
	}
	end();
}

static void change(void)
{
	kprof_spaces_spoil(&mms[0], 1000, 2000);
}

static bool is_dirty(unsigned long from, unsigned long to)
{
	return kprof_maps_are_dirty(kprof_spaces_find(&mms[0]), from, to);
}

static void test_changes(void)
{
	begin(1);
	change();	/* of what is not known yet */
	update(0);
	CHECK(!is_dirty(0, ~0ul));
	change();
	CHECK(is_dirty(1500, 1501));
	CHECK(is_dirty(0, 1001));
	CHECK(!is_dirty(0, 1000));
	CHECK(!is_dirty(2000, 3000));
	update(0);
	CHECK(!is_dirty(0, ~0ul));
	/* What changes while somebody looks may have come too late. */
	meanwhile = change;
	update(0);
	CHECK(is_dirty(1500, 1501));
	meanwhile = NULL;
	update(0);
	CHECK(!is_dirty(0, ~0ul));
	end();
}

static void look(void)
{
	update(0);
}

/* A change at any point of a look at the mappings stays one, unless it came before. */
static void test_changes_anywhere(void)
{
	unsigned int point;
	bool came = true;

	for (point = 0; came; point++) {
		begin(1);
		update(0);
		came = interrupted(point, change, look);
		if (came && point > 12)
			CHECK(is_dirty(1500, 1501));
		end();
	}
	CHECK(point > 12);
}

static void test_limit(void)
{
	u64 before = kprof_spaces_limited();
	u32 i;

	begin(2);
	size_of_maps = ALLOWANCE / 4;
	for (i = 0; i < 100; i++)
		update(0);
	CHECK(kprof_spaces_limited() - before >= 90);
	CHECK(is_found(0));
	change();
	update(0);
	CHECK(is_dirty(1500, 1501));
	/* Another process is not limited by that. */
	before = kprof_spaces_limited();
	update(1);
	update(1);
	CHECK_INT(kprof_spaces_limited(), before);
	jiffies += WINDOW + 1;
	update(0);
	CHECK(!is_dirty(0, ~0ul));
	CHECK_INT(kprof_spaces_limited(), before);
	end();
}

static void stop(void)
{
	kprof_spaces_close();
	kprof_spaces_open();
}

static void test_late(void)
{
	begin(1);
	meanwhile = stop;
	update(0);
	CHECK(!is_found(0));
	end();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "as many buckets as address spaces need", test_many },
		{ "the address spaces of dead processes go", test_dead },
		{ "one whose memory is locked is left as it was", test_locked },
		{ "all are found at any moment of an update", test_interrupted },
		{ "what has changed is not known until somebody looks", test_changes },
		{ "a change while somebody looks is not lost", test_changes_anywhere },
		{ "who changes too much is left for later", test_limit },
		{ "what was looked at before a new start is of no use", test_late },
		{ 0 }
	};

	return unit_run(tests);
}
