// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_patch.c - a live patch of kprof_known's function known_called
 *
 * It does the same as before, and counts its calls in /sys/module/kprof_patch/parameters/calls.
 */
#include <linux/livepatch.h>
#include <linux/module.h>

static ulong calls;
module_param(calls, ulong, 0444);

#ifdef CONFIG_LIVEPATCH
static noinline unsigned long patched_called(unsigned long n)
{
	calls++;
	return n + 1;
}

static struct klp_func funcs[] = {
	{ .old_name = "known_called", .new_func = patched_called },
	{ }
};

static struct klp_object objects[] = {
	{ .name = "kprof_known", .funcs = funcs },
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objects,
};

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}

MODULE_INFO(livepatch, "Y");
#else
static int __init patch_init(void)
{
	return -EOPNOTSUPP;
}
#endif

static void __exit patch_exit(void)
{
}

module_init(patch_init);
module_exit(patch_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A live patch of a function whose calls are known");
