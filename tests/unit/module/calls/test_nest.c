// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_nest.c - the table of nested calls: the time of an inner call is added to the call around
 * it, and to nothing else, also if an interrupt of the same owner enters and leaves calls in front
 * of any instruction, while other CPUs wait for each entry that becomes free
 */
#include <pthread.h>

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "unit.h"

/* What these headers have, as far as nest.c needs it. */
#define KPROF_CONTEXT_H
#define KPROF_PROFILE_H
#define KPROF_KEYS_H
#define KPROF_TARGET_H
#define KPROF_MAX_KEYS	6

struct kprof_target {
	struct {
		u16 id;
	} source;
	struct {
		u16 hits_source;
	} keys;
	bool is_counted;
};

#include "calls/nest.c"

#define TASKS		16384	/* among which enough have the same bucket */
#define PLACE		1	/* the source that hits() names */
#define THREADS		3
#define TURNS		20000
#define DEPTH		4

static struct task_struct tasks[TASKS];
static struct task_struct *mate[2 * WAYS];	/* tasks whose entries are in one bucket */
static char stacks[2 * WAYS][THREAD_SIZE];
static struct kprof_target plain, counting, place;

static void find_mates(void)
{
	u32 i, n = 0;

	for (i = 0; i < TASKS && n < ARRAY_SIZE(mate); i++)
		if (hash_long((unsigned long)&tasks[i], BUCKET_BITS) ==
		    hash_long((unsigned long)&tasks[0], BUCKET_BITS))
			mate[n++] = &tasks[i];
	CHECK_INT(n, ARRAY_SIZE(mate));
	for (i = 0; i < n; i++)
		*mate[i] = (struct task_struct) { .stack = stacks[i] };
}

static void reset(void)
{
	memset(table, 0, sizeof(table));
	full = 0;
	kprof_nest_init();
	find_mates();
	plain = (struct kprof_target) { };
	counting = (struct kprof_target) { .keys.hits_source = PLACE };
	place = (struct kprof_target) { .source.id = PLACE, .is_counted = true };
	current = mate[0];
}

static u32 used(void)
{
	struct kprof_nest *nest = &table[0][0];
	u32 i, n = 0;

	for (i = 0; i < WAYS << BUCKET_BITS; i++, nest++)
		n += !!READ_ONCE(nest->owner);
	return n;
}

/* Nothing is left of any call. */
static void check_empty(void)
{
	struct kprof_nest *nest = &table[0][0];
	u32 i;

	CHECK_INT(used(), 0);
	for (i = 0; i < WAYS << BUCKET_BITS; i++, nest++)
		CHECK(!nest->innermost);
}

static void enter_level(struct kprof_call *call, struct kprof_target *target, u32 level)
{
	memset(call, 0, sizeof(*call));
	call->target = target;
	kprof_nest_push(call, level);
}

static void enter(struct kprof_call *call)
{
	enter_level(call, &plain, 0);
}

static void test_time(void)
{
	struct kprof_call a, b, c;

	reset();
	enter(&a);
	enter(&b);
	enter(&c);
	CHECK_INT(kprof_nest_pop(&c, 3), 0);
	CHECK_INT(kprof_nest_pop(&b, 10), 3);
	enter(&b);
	CHECK_INT(kprof_nest_pop(&b, 20), 0);
	CHECK_INT(used(), 1);
	CHECK_INT(kprof_nest_pop(&a, 100), 30);
	check_empty();
}

/* What interrupts a task at a level of its own is not inside of the task's calls. */
static void test_levels(void)
{
	struct kprof_call call[4];
	u32 level;

	reset();
	for (level = 0; level < 4; level++)
		enter_level(&call[level], &plain, level);
	CHECK_INT(used(), 4);
	for (level = 4; level--;)
		CHECK_INT(kprof_nest_pop(&call[level], 10), 0);
	check_empty();
}

static void test_hits(void)
{
	struct kprof_call a, b, c;

	reset();
	enter_level(&a, &counting, 0);
	kprof_nest_hit(&place, 0);
	enter(&b);
	enter_level(&c, &counting, 0);
	kprof_nest_hit(&place, 0);
	kprof_nest_hit(&place, 1);
	CHECK_INT(c.hits, 1);	/* once in each target */
	CHECK_INT(a.hits, 1);
	kprof_nest_discount(0, 7);
	CHECK_INT(a.start, 7);
	CHECK_INT(b.start, 7);
	kprof_nest_pop(&c, 1);
	kprof_nest_hit(&place, 0);
	CHECK_INT(a.hits, 2);
	kprof_nest_pop(&b, 1);
	kprof_nest_pop(&a, 1);
	check_empty();
}

static void test_full(void)
{
	struct kprof_call call[WAYS + 1];
	u32 i;

	reset();
	for (i = 0; i <= WAYS; i++) {
		current = mate[i];
		enter(&call[i]);
	}
	CHECK_INT(full, 1);
	CHECK_INT(used(), WAYS);
	for (i = 0; i <= WAYS; i++) {
		current = mate[i];
		CHECK_INT(kprof_nest_pop(&call[i], 10), 0);
	}
	check_empty();
}

/* Calls that will not return, of a task and of all; what does return then changes nothing. */
static void test_forgotten(void)
{
	struct kprof_call a, b, other;

	reset();
	enter(&a);
	enter(&b);
	kprof_nest_abandon();
	check_empty();
	current = mate[1];
	enter(&other);
	current = mate[0];
	CHECK_INT(kprof_nest_pop(&b, 5), 0);
	CHECK_INT(kprof_nest_pop(&a, 5), 0);
	CHECK_INT(used(), 1);
	enter(&a);
	kprof_nest_forget();
	check_empty();
	kprof_nest_pop(&a, 1);
	kprof_nest_pop(&other, 1);
	check_empty();
	current->flags = PF_EXITING;	/* takes no entry any more */
	enter(&a);
	CHECK_INT(used(), 0);
	CHECK_INT(kprof_nest_pop(&a, 1), 0);
}

/* A CPU goes offline inside of a call of its idle task. */
static void test_idle(void)
{
	struct kprof_call idle, busy;

	reset();
	mate[0]->is_idle = true;
	mate[0]->cpu = 2;
	enter(&idle);
	current = mate[1];
	current->cpu = 2;
	enter(&busy);
	kprof_nest_cpu_comes(3);
	CHECK_INT(used(), 2);
	kprof_nest_cpu_comes(2);
	CHECK_INT(used(), 1);
	CHECK_INT(kprof_nest_pop(&busy, 1), 0);
	check_empty();
}

/* A call on a task's stack, so many bytes from its end. */
static struct kprof_call *on_stack(u32 bytes)
{
	return (struct kprof_call *)(stacks[0] + THREAD_SIZE - bytes);
}

/* A call that ended without a return is not the outer one of what is above it on the stack. */
static void test_stale(void)
{
	struct kprof_call *outer = on_stack(4096), *inner = on_stack(8192), *next = on_stack(2048);

	reset();
	enter(outer);
	enter(inner);
	enter(next);
	CHECK(!next->outer);
	CHECK_INT(kprof_nest_pop(next, 10), 0);
	CHECK_INT(used(), 1);
	kprof_nest_abandon();
	check_empty();
}

/*
 * Scenes. The other entries of the bucket are taken, so that another CPU's task gets the entry of
 * the interrupted task as soon as it is free.
 */
static struct kprof_call taken[WAYS], outer, inner, interrupter, within, foreign;
static enum { OUTSIDE, CHANGING, INSIDE } phase;
static u32 hits;

static void start_scene(void)
{
	u32 i;

	reset();
	for (i = 1; i < WAYS; i++) {
		current = mate[i];
		enter(&taken[i]);
	}
	current = mate[0];
	phase = OUTSIDE;
	hits = 0;
	memset(&foreign, 0, sizeof(foreign));
}

/* Each call returns to the one around it, whatever has come in between. */
static void call_twice(void)
{
	u64 others;

	phase = CHANGING;
	enter(&outer);
	CHECK(!outer.nest || !foreign.nest);
	phase = outer.nest ? INSIDE : OUTSIDE;
	enter(&inner);
	others = kprof_nest_pop(&inner, 15);
	CHECK(others == 0 || (others == 10 && inner.nest));
	phase = CHANGING;
	others += kprof_nest_pop(&outer, 100);
	phase = OUTSIDE;
	/* The time of the interrupter is in one of the two, or in none. */
	CHECK(others == 0 || others == 10 || others == 15 || others == 25);
	CHECK(!outer.nest || others >= 15);
}

/* A task of another CPU takes what is free. */
static void call_elsewhere(void)
{
	struct task_struct *const task = current;
	struct kprof_nest *const mine = recent;

	const bool off = interrupt_off;

	if (foreign.nest)
		return;
	interrupt_off = true;
	current = mate[WAYS];
	enter(&foreign);
	CHECK(phase != INSIDE || !foreign.nest);
	current = task;
	recent = mine;
	interrupt_off = off;
}

static void interrupt(void)
{
	enter(&interrupter);
	enter(&within);
	CHECK_INT(kprof_nest_pop(&within, 3), 0);
	CHECK_INT(kprof_nest_pop(&interrupter, 10), interrupter.nest ? 3 : 0);
	if (phase == INSIDE)
		CHECK(interrupter.outer == &inner || interrupter.outer == &outer);
	call_elsewhere();
}

/* An interrupter of the interrupter. */
static void interrupt_once_more(void)
{
	struct kprof_call call;

	enter(&call);
	CHECK_INT(kprof_nest_pop(&call, 0), 0);
	call_elsewhere();
}

/* The other task has what it took, and nobody has written to its call. */
static void end_scene(void)
{
	u32 i;

	current = mate[WAYS];
	if (foreign.nest) {
		CHECK(find(owner_of(0)));
		CHECK_INT(kprof_nest_pop(&foreign, 10), 0);
	}
	for (i = 1; i < WAYS; i++)
		CHECK_INT(kprof_nest_pop(&taken[i], 10), 0);
	check_empty();
}

/* The innermost call on record has ended without a return. */
static void start_stale(void)
{
	start_scene();
	enter(on_stack(8192));
}

static void call_above(void)
{
	struct kprof_call *call = on_stack(2048);

	phase = INSIDE;		/* the entry is kept until the task ends */
	enter(call);
	CHECK(call->nest && !call->outer);
	kprof_nest_pop(call, 10);
}

static void end_stale(void)
{
	kprof_nest_abandon();
	end_scene();
}

static void interrupt_above(void)
{
	struct kprof_call *call = on_stack(4096);

	enter(call);
	kprof_nest_pop(call, 10);
	call_elsewhere();
}

/* A place is passed that a call counts, and its probe's time is excluded. */
static void start_hits(void)
{
	start_scene();
	enter_level(&outer, &counting, 0);
}

static void hit(void)
{
	kprof_nest_hit(&place, 0);
	kprof_nest_discount(0, 1000);
	hits++;
}

static void hit_inside(void)
{
	enter(&inner);
	hit();
	kprof_nest_pop(&inner, 15);
}

static void end_hits(void)
{
	CHECK_INT(outer.hits, hits);
	CHECK_INT(outer.start, 1000 * hits);
	CHECK(kprof_nest_pop(&outer, 100) >= 15);
	end_scene();
}

/* Calls inside return at the same time: of each, the time is added. */
static void call_inside(void)
{
	enter(&inner);
	kprof_nest_pop(&inner, 15);
	hits++;
}

static void interrupt_inside(void)
{
	enter(&interrupter);
	kprof_nest_pop(&interrupter, 15);
	hits++;
}

static void end_inside(void)
{
	/* What interrupts the inner call is in that. */
	CHECK_INT(kprof_nest_pop(&outer, 100), 15 * hits - local64_read(&inner.others));
	end_scene();
}

/* A task ends, and what it was inside of is forgotten. */
static void start_ending(void)
{
	start_scene();
	enter(&outer);
	current->flags = PF_EXITING;
}

static const struct scene scenes[] = {
	{ start_scene, call_twice, interrupt, NULL, end_scene },
	{ start_stale, call_above, interrupt_above, NULL, end_stale },
	{ start_stale, kprof_nest_abandon, interrupt_above, NULL, end_scene },
	{ start_hits, hit_inside, hit, NULL, end_hits },
	{ start_hits, call_inside, interrupt_inside, NULL, end_inside },
	{ start_ending, kprof_nest_abandon, interrupt_once_more, NULL, end_scene },
};

static void test_interrupts(void)
{
	static const struct scene nested = {
		start_scene, call_twice, interrupt, interrupt_once_more, end_scene
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_everywhere(&scenes[i]) > 5);
	CHECK(interrupt_everywhere(&nested) > 10);
}

static void test_every_instruction(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_every_instruction(&scenes[i]) > (INTERRUPT_CAN_STEP ? 50 : 5));
}

/*
 * Several CPUs. A task goes from one to the other with its calls, and is interrupted on each; now
 * and then all calls are forgotten while some return.
 */
struct mover {
	pthread_mutex_t lock;	/* it runs */
	u32 depth;
	struct kprof_call call[DEPTH];
	u64 epoch[DEPTH];
	u64 inside[DEPTH];	/* time of calls inside, as it is to be */
};

static struct mover movers[WAYS + 2];	/* more than there are entries */
static pthread_rwlock_t gate = PTHREAD_RWLOCK_INITIALIZER;
static u64 epoch;

/* The timer's interrupt of a CPU. Its calls take no time. */
static void interrupt_cpu(void)
{
	struct kprof_call call;

	enter(&call);
	kprof_nest_pop(&call, 0);
}

static void begin_call(struct mover *mover, u32 random)
{
	const u32 i = mover->depth;

	pthread_rwlock_rdlock(&gate);
	interrupt_next = (struct interrupt) { interrupt_cpu, random % 16 };
	mover->epoch[i] = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST);
	mover->inside[i] = 0;
	enter(&mover->call[i]);
	mover->depth++;
	interrupt_next.handler = NULL;
	pthread_rwlock_unlock(&gate);
}

/* The call around one that is linked is the next one that is linked, too. */
static void add_time(struct mover *mover, u32 i, u64 ns)
{
	const u64 when = mover->epoch[i];

	while (i--) {
		if (!mover->call[i].nest || mover->epoch[i] != when)
			continue;
		mover->inside[i] += ns;
		return;
	}
}

/* Where no interrupt comes, a call may return while all are forgotten. */
static void end_call(struct mover *mover, u32 random)
{
	const bool is_interrupted = random & 1;
	const u32 i = --mover->depth;
	const u64 ns = mover->inside[i] + random % 1000;
	u64 others;

	if (is_interrupted) {
		pthread_rwlock_rdlock(&gate);
		interrupt_next = (struct interrupt) { interrupt_cpu, random / 2 % 5 };
	}
	others = kprof_nest_pop(&mover->call[i], ns);
	interrupt_next.handler = NULL;
	/* Forgetting had not begun when it returned. */
	if (mover->call[i].nest && __atomic_load_n(&epoch, __ATOMIC_SEQ_CST) == mover->epoch[i]) {
		CHECK_INT(others, mover->inside[i]);
		add_time(mover, i, ns);
	}
	if (is_interrupted)
		pthread_rwlock_unlock(&gate);
}

static void forget_all(void)
{
	pthread_rwlock_wrlock(&gate);
	__atomic_fetch_add(&epoch, 1, __ATOMIC_SEQ_CST);
	kprof_nest_forget();
	pthread_rwlock_unlock(&gate);
}

static u32 next_random(u32 *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void *run_cpu(void *number)
{
	u32 seed = (uintptr_t)number, turn, which, steps;

	kprof_nest_init();
	for (turn = 0; turn < TURNS; turn++) {
		which = next_random(&seed) % ARRAY_SIZE(movers);
		pthread_mutex_lock(&movers[which].lock);
		current = mate[which];
		for (steps = next_random(&seed) % 8; steps; steps--) {
			if (movers[which].depth < DEPTH && next_random(&seed) & 1)
				begin_call(&movers[which], next_random(&seed));
			else if (movers[which].depth)
				end_call(&movers[which], next_random(&seed));
		}
		pthread_mutex_unlock(&movers[which].lock);
		if (turn % 64 == 0 && number)
			forget_all();
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t thread[THREADS];
	uintptr_t i;

	reset();
	for (i = 0; i < ARRAY_SIZE(movers); i++) {
		movers[i].depth = 0;
		CHECK(!pthread_mutex_init(&movers[i].lock, NULL));
	}
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&thread[i], NULL, run_cpu, (void *)i));
	for (i = 0; i < THREADS; i++)
		CHECK(!pthread_join(thread[i], NULL));
	for (i = 0; i < ARRAY_SIZE(movers); i++)
		while (movers[i].depth)
			end_call(&movers[i], 0);
	check_empty();
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "the time of a call is added to the one around it", test_time },
		{ "each interrupt level has calls of its own", test_levels },
		{ "places that are passed inside, and the time of probes", test_hits },
		{ "a bucket that is full", test_full },
		{ "calls that will not return are forgotten", test_forgotten },
		{ "those of the idle task of a CPU that was offline", test_idle },
		{ "an outer call that ended without a return", test_stale },
		{ "interrupts of the same level at every point", test_interrupts },
		{ "in front of every instruction, too", test_every_instruction },
		{ "other CPUs take entries of the same bucket, tasks migrate", test_threads },
		{ }
	};

	return unit_run(tests);
}
