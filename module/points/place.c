// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - where a function that is to be watched is, and what can be done there
 */
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "calls/calls.h"
#include "points/place.h"
#include "trampoline/trampoline.h"

/**
 * kprof_target_prepare() - get ready to watch a target
 * @target:	that is not watched
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
 * kprof_target_locate() - where a target is, and what can be done there
 * @target:	that is not watched; its symbol (module:name too) is set
 * @offset:	into the function
 * @addr:	an address to take instead of the symbol, or 0
 * @by_ftrace:	whether it is where a call of ftrace's can be
 *
 * Only kprobes know all of the rules: they are asked with one that is never armed.
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
	/* Kprobes that are not on ftrace's call do not know of it. */
	*by_ftrace = IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) ?
		     target->place.flags & KPROBE_FLAG_FTRACE :
		     !offset && kprof_tracer_has_call(target->address);
	return 0;
}

/**
 * kprof_target_settle() - let go of the probes that found the places of targets
 * @target:	targets that are located
 * @nr:		how many, KPROF_UNREGISTER_BATCH at most; all at once, since waiting is
 *		what takes the time
 *
 * Two probes in one place would cost more than one at each call. And where ftrace patches
 * its call, none may stand by: a breakpoint that nobody else takes for his would be taken for
 * this probe's, which has no instruction to go on with.
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
