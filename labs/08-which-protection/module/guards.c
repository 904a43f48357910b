// SPDX-License-Identifier: GPL-2.0-only
/*
 * guards.c - allocates objects, copies them, and frees them, over and over; now and then, a block
 *            of pages
 *
 * What that costs depends on what the kernel was told when it booted; the module does the same
 * always. Objects may be copied to user space, as far as the kernel is asked.
 */
#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "../../lib/module.h"
#include "../../lib/thread.h"
#include "../params.h"

#define PERIOD_MS	10
#define FIRST_ROUNDS	50	/* at once, so that the ledger is right however short the lab was */
#define BLOCK_ROUNDS	10	/* one of them has a block of pages, too */
#define BLOCK_ORDER	ilog2(MAX_ORDER_NR_PAGES)	/* the largest */

static struct which_params params;
static struct kmem_cache *cache;
static struct task_struct *task;
static void *objects[WHICH_OBJECTS];
static u8 copy[512];
static u64 shortest_ns[WHICH_CALLS];

static noinline __noclone u32 lab_amber(void)
{
	u32 i;

	for (i = 0; i < params.objects; i++) {
		objects[i] = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!objects[i])
			break;
	}
	return i;
}

/* Out of the kernel, as read() does, but for that the other end is memory of ours. */
static noinline __noclone u32 lab_birch(u32 nr)
{
	struct kvec to = { .iov_base = copy };
	struct iov_iter iter;
	u32 i, copied = 0;

	for (i = 0; i < nr; i++) {
		to.iov_len = params.size;
		iov_iter_kvec(&iter, READ, &to, 1, params.size);
		copied += copy_to_iter(objects[i], params.size, &iter);
	}
	return copied;
}

static noinline __noclone u32 lab_cedar(u32 nr)
{
	while (nr--)
		kmem_cache_free(cache, objects[nr]);
	return 0;
}

/* Only free lists of the largest blocks are shuffled. */
static noinline __noclone bool lab_dune(void)
{
	struct page *page = alloc_pages(GFP_KERNEL | __GFP_NOWARN, BLOCK_ORDER);

	if (!page)
		return false;
	__free_pages(page, BLOCK_ORDER);
	return true;
}

static void note(enum which_call call, u64 begin, u64 end)
{
	if (!shortest_ns[call] || end - begin < shortest_ns[call])
		shortest_ns[call] = end - begin;
}

static void run_block(void)
{
	u64 begin = ktime_get_mono_fast_ns();

	if (lab_dune())
		note(WHICH_BLOCK, begin, ktime_get_mono_fast_ns());
}

static void run_round(void)
{
	u64 at[WHICH_BLOCK + 1];
	u32 nr;

	at[0] = ktime_get_mono_fast_ns();
	nr = lab_amber();
	at[1] = ktime_get_mono_fast_ns();
	lab_birch(nr);
	at[2] = ktime_get_mono_fast_ns();
	lab_cedar(nr);
	at[3] = ktime_get_mono_fast_ns();
	if (nr < params.objects)
		return;
	note(WHICH_ALLOC, at[0], at[1]);
	note(WHICH_COPY, at[1], at[2]);
	note(WHICH_FREE, at[2], at[3]);
}

static int run(void *unused)
{
	u32 round = 0;

	while (!kthread_should_stop()) {
		run_round();
		if (++round % BLOCK_ROUNDS == 0)
			run_block();
		lab_sleep(ms_to_ktime(PERIOD_MS), HRTIMER_MODE_REL);
	}
	return 0;
}

static void ledger_fill(struct seq_file *file)
{
	int i;

	for (i = 0; i < WHICH_CALLS; i++)
		ledger_write(file, READ_ONCE(shortest_ns[i]));
}

static int __init guards_init(void)
{
	int i, err = lab_begin();

	if (err)
		return err;
	which_params(&params, lab_token);
	/* Its name is what slub_debug knows it by. Copied it may be as a whole. */
	cache = kmem_cache_create_usercopy("lab", params.size, sizeof(void *), 0, 0, params.size,
					   NULL);
	err = -ENOMEM;
	if (!cache)
		goto out;
	for (i = 0; i < FIRST_ROUNDS; i++)
		run_round();
	for (i = 0; i < FIRST_ROUNDS / BLOCK_ROUNDS; i++)
		run_block();
	task = kthread_run(run, NULL, "lab");
	err = PTR_ERR_OR_ZERO(task);
out:
	if (err) {
		kmem_cache_destroy(cache);
		lab_end();
	}
	return err;
}

static void __exit guards_exit(void)
{
	kthread_stop(task);
	kmem_cache_destroy(cache);
	lab_end();
}

module_init(guards_init);
module_exit(guards_exit);

MODULE_DESCRIPTION("a lab of kprof");
MODULE_LICENSE("GPL");
