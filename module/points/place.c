// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - finds the address of a function to be watched, and how it can be watched there
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "calls/calls.h"
#include "points/place.h"
#include "trampoline/trampoline.h"

/**
 * kprof_target_prepare() - allocate what a target needs to be watched
 * @target:	a target that is not watched
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -ENOMEM.
 */
int kprof_target_prepare(struct kprof_target *target)
{
	target->lost = false;
	if (!target->cpu)
		target->cpu = alloc_percpu(struct kprof_target_cpu);
	return target->cpu ? 0 : -ENOMEM;
}

/**
 * kprof_target_locate() - find where a target is, and how it can be watched there
 * @target:	a target that is not watched; its symbol (or module:name) is set
 * @offset:	offset into the function
 * @addr:	an address to use instead of the symbol, or 0
 * @by_ftrace:	set to whether ftrace can insert a call there
 *
 * Only kprobes know all the rules, so this registers one that is never armed.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or what kprobes returned.
 */
int kprof_target_locate(struct kprof_target *target, unsigned long offset,
			unsigned long addr, bool *by_ftrace)
{
	int err = kprof_target_prepare(target);

	if (err)
		return err;
	target->place = (struct kprobe) {
		.symbol_name = addr ? NULL : target->symbol,
		.offset = offset,
		.addr = (kprobe_opcode_t *)addr,
		.flags = KPROBE_FLAG_DISABLED,
	};
	err = register_kprobe(&target->place);
	if (err) {
		memset(&target->place, 0, sizeof(target->place));
		return err;
	}
	target->address = (unsigned long)target->place.addr;
	/* Without CONFIG_KPROBES_ON_FTRACE, the kprobe does not tell. */
	*by_ftrace = IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) ?
		     target->place.flags & KPROBE_FLAG_FTRACE :
		     !offset && kprof_tracer_has_call(target->address);
	return 0;
}

/**
 * kprof_target_settle() - unregister the probes that located targets
 * @target:	targets that were located
 * @nr:		number of targets, KPROF_UNREGISTER_BATCH at most. They are done together, as
 *		most of the time is spent on waiting.
 *
 * Two probes in one place cost more per call than one. And where ftrace patches its call, no
 * disarmed probe may remain: a breakpoint that nobody else claims would be taken for this
 * probe's, which has no instruction to continue with.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_target_settle(struct kprof_target **target, u32 nr)
{
	struct kprobe *probe[KPROF_UNREGISTER_BATCH];
	u32 i, probes = 0;

	for (i = 0; i < nr; i++)
		if (target[i]->place.addr)
			probe[probes++] = &target[i]->place;
	unregister_kprobes(probe, probes);
	for (i = 0; i < nr; i++)
		memset(&target[i]->place, 0, sizeof(target[i]->place));
}
