// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - module load and unload
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "control/control.h"
#include "files/files.h"
#include "points/points.h"
#include "stacks/stacks.h"
#include "symbols/symbols.h"
#include "targets/targets.h"
#include "trampoline/trampoline.h"

/* Everything that can fail because of the parameters: memory, targets, start. */
static int set_up(void)
{
	struct kprof_config *config;
	bool start;
	int err;

	config = kmalloc(sizeof(*config), GFP_KERNEL);
	if (!config)
		return -ENOMEM;
	kprof_config_default(config);
	err = kprof_parameters_parse(config);
	if (!err)
		err = kprof_parameters_enable(&start);
	if (!err)
		err = kprof_setup(config);
	if (err) {
		kfree(config);
		return err;
	}
	err = kprof_parameters_targets();
	if (!err && start)
		err = kprof_start();
	if (err)
		kprof_teardown();
	return err;
}

static int __init kprof_init(void)
{
	struct dentry *root;
	int err;

	/* Only signed modules get here then. The rule against probes holds for kprof, too. */
	err = security_locked_down(LOCKDOWN_KPROBES);
	if (err) {
		pr_err("the kernel is locked down for confidentiality, which forbids probes; boot with lockdown=integrity\n");
		return err;
	}
	err = kprof_unwind_init();
	if (err)
		return err;
	err = kprof_ending_init();
	if (err)
		goto exit_unwind;
	err = kprof_tracepoints_init();
	if (err)
		goto exit_ending;
	err = kprof_points_init();
	if (err)
		goto exit_tracepoints;
	err = kprof_direct_init(kprof_targets_restore);
	if (err)
		goto exit_points;
	/* Before there are samples, whose functions are to keep their names. */
	err = kprof_gone_init(kprof_targets_callers);
	if (err)
		goto exit_direct;
	mutex_lock(&kprof_mutex);
	err = kprof_error_complete(set_up(), "enable");
	mutex_unlock(&kprof_mutex);
	if (err)
		goto exit_gone;
	root = kprof_files_create();
	if (IS_ERR(root)) {
		err = PTR_ERR(root);
		goto tear_down;
	}
	kprof_control_create(root);
	return 0;

tear_down:
	mutex_lock(&kprof_mutex);
	kprof_stop();
	kprof_teardown();
	mutex_unlock(&kprof_mutex);
exit_gone:
	kprof_gone_exit();
exit_direct:
	kprof_direct_exit();
exit_points:
	kprof_points_exit();
exit_tracepoints:
	kprof_tracepoints_exit();
exit_ending:
	kprof_ending_exit();
exit_unwind:
	kprof_unwind_exit();
	return err;
}

static void __exit kprof_exit(void)
{
	mutex_lock(&kprof_mutex);
	kprof_stop();
	mutex_unlock(&kprof_mutex);
	kprof_files_remove();
	kprof_gone_exit();
	kprof_direct_exit();
	mutex_lock(&kprof_mutex);
	kprof_teardown();
	mutex_unlock(&kprof_mutex);
	kprof_points_exit();
	kprof_tracepoints_exit();
	kprof_ending_exit();
	kprof_unwind_exit();
}

module_init(kprof_init);
module_exit(kprof_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Kernel profiler: samples, calls and latencies as folded stacks in debugfs");
MODULE_AUTHOR("The kprof authors");
