// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_patch.c - a live patch of kprof_known's function known_called
 *
 * It does the same as before, and counts its calls in /sys/module/kprof_patch/parameters/calls.
 */
#include <linux/atomic.h>
#include <linux/livepatch.h>
#include <linux/module.h>

/* Every CPU calls at once. */
static atomic_long_t calls;

static int get_calls(char *buffer, const struct kernel_param *unused)
{
	return sysfs_emit(buffer, "%ld\n", atomic_long_read(&calls));
}

static const struct kernel_param_ops calls_ops = { .get = get_calls };
module_param_cb(calls, &calls_ops, NULL, 0444);

#ifdef CONFIG_LIVEPATCH
static noinline unsigned long patched_called(unsigned long n)
{
	atomic_long_inc(&calls);
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
