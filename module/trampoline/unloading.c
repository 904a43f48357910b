// SPDX-License-Identifier: GPL-2.0-only
/*
 * unloading.c - takes the trampoline off the functions of a module that is unloaded
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/rculist.h>

#include "base/state.h"
#include "calls/calls.h"
#include "trampoline/direct.h"
#include "trampoline/trampoline.h"

#define POLL_MS	10

static void (*restore_targets)(void);

static bool is_within(const struct kprof_target *target, const struct module *module)
{
	return kprof_direct_is_attachable(target) && within_module(target->address, module);
}

static bool has_targets(const struct module *module)
{
	struct kprof_target *target;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(target, kprof_targets(), node)
		found |= is_within(target, module);
	rcu_read_unlock();
	return found;
}

/*
 * Return: whether kprof_mutex is held now. It is not where its holder may keep it for long, and no
 * target is in the module.
 */
static bool lock_for(const struct module *module)
{
	while (!mutex_trylock(&kprof_mutex)) {
		if (READ_ONCE(kprof_waits_for_files) && !has_targets(module))
			return false;
		msleep(POLL_MS);
	}
	return true;
}

/* A module is unloaded, and the functions of its targets with it. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct kprof_target *target;
	bool lost = false;

	if (event != MODULE_STATE_GOING || data == THIS_MODULE || !lock_for(data))
		return NOTIFY_DONE;
	list_for_each_entry(target, kprof_targets(), node) {
		if (!is_within(target, data))
			continue;
		target->lost = true;
		lost = true;
	}
	if (lost && kprof_direct_is_attached()) {
		kprof_direct_detach();
		restore_targets();
	}
	mutex_unlock(&kprof_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_direct_init() - set up watching by the trampoline
 * @restore:	attaches to the remaining targets again after the trampoline was taken off
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_direct_init(void (*restore)(void))
{
	/* trampoline_*.S relies on these values. */
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, target) != 8);
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, entered) != 16);
	BUILD_BUG_ON(offsetof(struct kprof_direct_entry, way) != 24);
	BUILD_BUG_ON(sizeof(struct kprof_direct_entry) != 1 << 5 || KPROF_DIRECT_BITS != 11);
	BUILD_BUG_ON(KPROF_WAY_PLAIN != 1 || KPROF_WAY_ARGUMENTS != 2 || KPROF_WAY_SHORT != 3);
	BUILD_BUG_ON(KPROF_CALL_PLAIN != -1ULL || KPROF_CALL_ARGUMENTS != -2ULL);
	kprof_direct_check();
	restore_targets = restore;
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_direct_exit() - undo kprof_direct_init()
 *
 * Context: sleeps; kprof_mutex is not held.
 */
void kprof_direct_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
