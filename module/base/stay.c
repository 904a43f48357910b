// SPDX-License-Identifier: GPL-2.0-only
/*
 * stay.c - keeps the module's memory, because the kernel will still run code in it
 *
 * If the kernel fails to remove its calls of the trampoline, it continues to call the trampoline
 * until the next boot. Then kprof holds a reference to the module if possible. But the module's
 * exit cannot fail: there, only the module's name goes, and its memory is not freed.
 */
#include <linux/kmemleak.h>
#include <linux/module.h>

#include "base/stay.h"
#include "compat.h"

static bool stays;

/**
 * kprof_stay() - keep the module's memory from now on
 *
 * Context: sleeps; kprof_mutex is held, or nobody else uses kprof any more.
 */
void kprof_stay(void)
{
	if (stays)
		return;
	stays = true;
	if (try_module_get(THIS_MODULE))
		pr_err("the module cannot be unloaded any more\n");
	else
		pr_err("the module's memory is left where it is\n");
}

/**
 * kprof_stays() - was kprof_stay() called
 *
 * Context: any. Return: whether it was.
 */
bool kprof_stays(void)
{
	return stays;
}

/**
 * kprof_stay_keep() - after kprof_stay(), keep the kernel from freeing the module's memory
 *
 * Context: free() of a module parameter, which is the last call into a module being unloaded.
 */
void kprof_stay_keep(void)
{
	if (stays && THIS_MODULE->state != MODULE_STATE_LIVE)
		kprof_module_keep(THIS_MODULE);
}
