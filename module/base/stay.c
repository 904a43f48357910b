// SPDX-License-Identifier: GPL-2.0-only
/*
 * stay.c - the module's memory stays, because somebody will return into it
 *
 * Where the kernel does not take its calls of the trampoline back, it goes on calling it
 * until the next boot. The module is held then, as long as it can be. Its exit cannot fail:
 * there the module goes in name only, and its memory is left where it is.
 */
#include <linux/kmemleak.h>
#include <linux/module.h>

#include "base/stay.h"
#include "compat.h"

static bool stays;

/**
 * kprof_stay() - from now on the module's memory is not to be freed
 *
 * Context: sleeps; kprof_mutex is held, or nobody else is there any more.
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
 * kprof_stay_keep() - if so, keep the kernel from freeing the memory of a module that goes
 *
 * Context: the last that the kernel calls of a module that goes: its parameters' free().
 */
void kprof_stay_keep(void)
{
	if (stays && THIS_MODULE->state != MODULE_STATE_LIVE)
		kprof_module_keep(THIS_MODULE);
}
