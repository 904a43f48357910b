// SPDX-License-Identifier: GPL-2.0-only
/*
 * slabs.c - takes objects from two caches, which differ in one thing
 *
 * A thread fills so many slabs of one cache, then of the other, and gives all back. Both have
 * constructors: so objects have the same layout, and the kernel merges neither with another cache.
 */
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

#define PERIOD_MS	20
#define FIRST_ROUNDS	50	/* at once, so that the ledger is right however short the lab was */
#define LARGEST_SLAB	(8 * PAGE_SIZE)
#define SEQUENCE	8	/* objects that a slab has at least */
#define OBJECTS		(LARGEST_SLAB / 64)	/* and at most */

static struct shuffle_params params;
static struct kmem_cache *caches[2];
static struct task_struct *task;
static void *held[SHUFFLE_SLABS * OBJECTS];
static u32 per_slab;	/* objects */
static u64 shortest_ns[2], rounds;

static __always_inline void construct(u32 *object, u32 cache)
{
	u32 i, turns = params.cause == SHUFFLE_CONSTRUCTOR && params.dear == cache ?
		       params.turns : 1;

	for (i = 0; i < turns; i++)
		WRITE_ONCE(*object, i);
}

static noinline void lab_cedar(void *object)
{
	construct(object, 0);
}

static noinline void lab_delta(void *object)
{
	construct(object, 1);
}

static __always_inline u32 fill(struct kmem_cache *cache)
{
	u32 i;

	for (i = 0; i < per_slab * params.slabs; i++) {
		held[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!held[i])
			break;
	}
	return i;
}

/* Each has a body of its own, or the compiler would fold them into one. */
static noinline __noclone u32 lab_amber(void)
{
	asm volatile("# amber");
	return fill(caches[0]);
}

static noinline __noclone u32 lab_birch(void)
{
	asm volatile("# birch");
	return fill(caches[1]);
}

/* Shrinking gives all slabs back, so that each round has to make new ones. */
static void run_half(u32 cache)
{
	u64 begin = ktime_get_mono_fast_ns(), ns;
	u32 nr = cache ? lab_birch() : lab_amber();

	ns = ktime_get_mono_fast_ns() - begin;
	if (nr == per_slab * params.slabs && (!shortest_ns[cache] || ns < shortest_ns[cache]))
		shortest_ns[cache] = ns;
	while (nr--)
		kmem_cache_free(caches[cache], held[nr]);
	kmem_cache_shrink(caches[cache]);
}

static void run_round(void)
{
	run_half(0);
	run_half(1);
	rounds++;
}

static int run(void *unused)
{
	while (!kthread_should_stop()) {
		run_round();
		lab_sleep(ms_to_ktime(PERIOD_MS), HRTIMER_MODE_REL);
	}
	return 0;
}

/* Does an address hold what can only be the order of a slab's objects: places, each once? */
static bool is_order(const u32 *order, u32 size)
{
	u32 i, j;

	if (!IS_ALIGNED((unsigned long)order, sizeof(void *)) || !virt_addr_valid(order))
		return false;
	for (i = 0; i < SEQUENCE; i++) {
		if (order[i] % size || order[i] >= LARGEST_SLAB)
			return false;
		for (j = 0; j < i; j++)
			if (order[i] == order[j])
				return false;
	}
	return true;
}

/*
 * No interface leaves a cache unshuffled, and where struct kmem_cache has its random order differs
 * from kernel to kernel: it is found by what it looks like. The cache is new: nobody uses it yet.
 * A cache without an order is one that the kernel does not shuffle.
 */
static int unshuffle(struct kmem_cache *cache, u32 size)
{
	u32 **word = (u32 **)cache;
	size_t i;

	for (i = 0; i < ksize(cache) / sizeof(*word); i++)
		if (is_order(word[i], size)) {
			kfree(word[i]);
			word[i] = NULL;
			return 0;
		}
	pr_err("lab: this kernel shuffles no freelists, or elsewhere\n");
	return -ENODEV;
}

/* How far two neighbours are apart: with a constructor, a pointer more than the object. */
static u32 stride(void)
{
	return params.size + sizeof(void *);
}

static bool is_plain(u32 cache)
{
	return params.cause == SHUFFLE_FREELIST ? cache != params.dear : params.plain;
}

static int make_cache(u32 cache)
{
	caches[cache] = kmem_cache_create(cache ? "lab_birch" : "lab_amber", params.size,
					  sizeof(void *), 0, cache ? lab_delta : lab_cedar);
	if (!caches[cache])
		return -ENOMEM;
	return is_plain(cache) ? unshuffle(caches[cache], stride()) : 0;
}

/* Objects come from one slab until it is full. */
static int count_per_slab(void)
{
	u32 i, nr;

	for (nr = 0; nr <= OBJECTS; nr++) {
		held[nr] = kmem_cache_alloc(caches[0], GFP_KERNEL);
		if (!held[nr])
			break;
		if (!per_slab && virt_to_head_page(held[nr]) != virt_to_head_page(held[0]))
			per_slab = nr;
	}
	for (i = 0; i < nr; i++)
		kmem_cache_free(caches[0], held[i]);
	kmem_cache_shrink(caches[0]);
	return per_slab ? 0 : -ENOMEM;
}

static void destroy(void)
{
	kmem_cache_destroy(caches[1]);
	kmem_cache_destroy(caches[0]);
	lab_end();
}

/* The shortest round of each cache, its slabs, and the objects of one. */
static void ledger_fill(struct seq_file *file)
{
	ledger_write(file, READ_ONCE(shortest_ns[0]));
	ledger_write(file, READ_ONCE(shortest_ns[1]));
	ledger_write(file, params.slabs);
	ledger_write(file, per_slab);
	ledger_write(file, READ_ONCE(rounds));
}

static int __init slabs_init(void)
{
	int err = lab_begin();

	if (err)
		return err;
	shuffle_params(&params, lab_token);
	err = make_cache(0) ?: make_cache(1) ?: count_per_slab();
	if (err)
		goto out;
	while (rounds < FIRST_ROUNDS)
		run_round();
	task = kthread_run(run, NULL, "lab");
	err = PTR_ERR_OR_ZERO(task);
out:
	if (err)
		destroy();
	return err;
}

static void __exit slabs_exit(void)
{
	kthread_stop(task);
	destroy();
}

module_init(slabs_init);
module_exit(slabs_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
