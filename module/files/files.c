// SPDX-License-Identifier: GPL-2.0-only
/*
 * files.c - the files of /sys/kernel/debug/kprof
 *
 * An open file holds a reference to the module, so rmmod fails until the last file
 * is closed. This makes reads safe against unloading.
 */
#include <linux/debugfs.h>
#include <linux/err.h>

#include "files/files.h"

static struct dentry *root;

#define KPROF_FILE(name)	{ #name, &kprof_##name##_fops },
static const struct {
	const char *name;
	const struct file_operations *fops;
} files[] = {
#include "files/list.h"
};

#undef KPROF_FILE

static void create_rings(void)
{
	struct dentry *per_cpu = debugfs_create_dir("per_cpu", root), *dir;
	char name[16];
	int cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		dir = debugfs_create_dir(name, per_cpu);
		debugfs_create_file("ring", 0400, dir, (void *)(long)cpu, &kprof_ring_fops);
	}
}

/**
 * kprof_files_create() - create the files
 *
 * Context: sleeps. Return: the directory; or an error of debugfs: -EEXIST, -ENODEV (it is not
 * built into the kernel) or -EPERM (it is switched off).
 */
struct dentry *kprof_files_create(void)
{
	u32 i;

	root = debugfs_create_dir("kprof", NULL);
	if (IS_ERR(root)) {
		pr_err("no directory in debugfs (error %ld): it is switched off (debugfs=off), left out of this kernel, or has a kprof already\n",
		       PTR_ERR(root));
		return root;
	}
	for (i = 0; i < ARRAY_SIZE(files); i++)
		debugfs_create_file(files[i].name, 0400, root, NULL, files[i].fops);
	create_rings();
	return root;
}

/**
 * kprof_files_remove() - remove the files
 *
 * Context: sleeps; waits for reads in progress.
 */
void kprof_files_remove(void)
{
	debugfs_remove(root);
}
