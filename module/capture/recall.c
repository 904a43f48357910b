// SPDX-License-Identifier: GPL-2.0-only
/*
 * recall.c - keep a stack that has been unwound, so that it is recognized
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "base/context.h"
#include "capture/recall.h"

#if KPROF_HAS_PATHS
/* Has this interrupted a sample? It may be just reading what is kept, or writing to it. */
static bool is_nested(const struct kprof_cpu *cpu)
{
	u32 level = interrupt_context_level();

	while (level--)
		if (READ_ONCE(cpu->busy[level]))
			return true;
	return false;
}

static void keep(struct kprof_recalled *kept, u64 kind, u32 id, const struct kprof_path *path)
{
	kept->kind = kind;
	kept->id = id;
	kept->nr = path->nr - 1;
	kept->user = path->user;
	kept->reach = path->reach;
	memcpy(kept->link, path->link, path->nr_links * sizeof(kept->link[0]));
	memcpy(kept->at, path->at, kept->nr * sizeof(kept->at[0]));
}

/**
 * kprof_remember() - keep a stack, in the place of one that is kept where it belongs
 * @cpu:	this CPU's part of the profile, in which this level is busy
 * @regs:	the registers that the unwind began with
 * @skip:	number of innermost frames that are not in the stack
 * @id:		the id of the stack
 * @path:	the path of the unwind; without frames, or with too many, nothing is kept
 *
 * Context: any, NMI included; preemption is disabled. What has interrupted a sample keeps nothing.
 */
void kprof_remember(struct kprof_cpu *cpu, const struct pt_regs *regs, u32 skip, u32 id,
		    const struct kprof_path *path)
{
	struct kprof_recalled *kept;
	u32 set, way;

	BUILD_BUG_ON(THREAD_SIZE > KPROF_PATH_LINK);
	BUILD_BUG_ON(KPROF_MAX_SKIP > KPROF_PATH_MORE);
	/* The second frame is compared with the first word that is there with one frame less. */
	if (!path->nr || path->nr > KPROF_RECALLED_FRAMES + 1 || skip > 1 || path->nr <= skip ||
	    !kprof_recall_end(regs->sp) || id < KPROF_ID_FIRST || is_nested(cpu))
		return;
	set = kprof_recall_set(regs->ip);
	way = cpu->remembered++ % KPROF_RECALLED_WAYS;
	kept = &cpu->recalled[set][way];
	WRITE_ONCE(kept->ip, 0);
	barrier();	/* who interrupts this finds nothing here */
	keep(kept, kprof_recall_kind(path->epoch, skip), id, path);
	barrier();
	WRITE_ONCE(kept->ip, regs->ip);
	WRITE_ONCE(cpu->recent[set], way);
}
#endif
