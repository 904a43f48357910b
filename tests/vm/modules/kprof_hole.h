/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprof_hole.h - a module that takes static per-CPU data, KPROF_HOLE bytes, and does nothing
 *
 * The kernel keeps 8 KiB of it for all modules. What is left is in holes, and a module
 * that comes needs one that it fits into.
 */
#include <linux/module.h>
#include <linux/percpu.h>

static DEFINE_PER_CPU(char [KPROF_HOLE], taken);

static int __init hole_init(void)
{
	this_cpu_write(taken[0], 1);
	return 0;
}

static void __exit hole_exit(void)
{
}

module_init(hole_init);
module_exit(hole_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Takes static per-CPU data");
