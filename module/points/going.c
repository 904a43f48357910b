// SPDX-License-Identifier: GPL-2.0-only
/*
 * going.c - modules that are unloaded take the points in their functions with them
 *
 * While a point is attached, kprobes knows. A point that is not, as nothing takes samples, has
 * only an address: that of something else soon, perhaps of the same module, built anew.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "points/point.h"
#include "points/points.h"
#include "points/throttle.h"

/*
 * Taken inside kprof_mutex, and by the module notifier, which must not wait for kprof_mutex: see
 * kprof_waits_for_files.
 */
static DEFINE_MUTEX(lock);
static LIST_HEAD(points);	/* all that are places in the kernel's functions or modules' */

static bool has_address(const struct kprof_point *point)
{
	return point->kind == KPROF_PLACE_ADDRESS || point->kind == KPROF_PLACE_RETURN;
}

/**
 * kprof_points_keep() - notice when what has one of these points is unloaded
 * @all:	points of a target, which are not attached yet
 *
 * Context: sleeps.
 */
void kprof_points_keep(struct kprof_points *all)
{
	u32 i;

	mutex_lock(&lock);
	for (i = 0; i < all->nr; i++)
		if (has_address(&all->point[i]))
			list_add(&all->point[i].node, &points);
	mutex_unlock(&lock);
}

/**
 * kprof_points_release() - undo kprof_points_keep(), if it was called
 * @all:	points of a target
 *
 * Context: sleeps.
 */
void kprof_points_release(struct kprof_points *all)
{
	u32 i;

	mutex_lock(&lock);
	for (i = 0; i < all->nr; i++)
		if (all->point[i].node.next)
			list_del(&all->point[i].node);
	mutex_unlock(&lock);
}

static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct kprof_point *point;

	if (event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&lock);
	list_for_each_entry(point, &points, node)
		if (within_module(point->address, data))
			point->is_lost = true;
	mutex_unlock(&lock);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_points_init() - start noticing when modules are unloaded
 *
 * Context: sleeps; kprof_mutex is not held. Return: 0 or an errno.
 */
int kprof_points_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_points_exit() - undo kprof_points_init()
 *
 * Context: sleeps; kprof_mutex is not held.
 */
void kprof_points_exit(void)
{
	unregister_module_notifier(&module_notifier);
	kprof_throttle_exit();
}
