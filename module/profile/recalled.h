/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recalled.h - stacks that a CPU has met, and where their return addresses were
 */
#ifndef KPROF_RECALLED_H
#define KPROF_RECALLED_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "stacks/path.h"
#include "stacks/peek.h"

/* The hot stacks of a CPU are few. */
#define KPROF_RECALLED_WAYS	4
#define KPROF_RECALLED_LOG2	5
#define KPROF_RECALLED_SETS	(1 << KPROF_RECALLED_LOG2)

/* Stacks of more frames than this, and one, are not kept. */
#define KPROF_RECALLED_FRAMES	36

/**
 * struct kprof_recalled - a stack, and the path that led through it; see struct kprof_path
 * @ip:		where the unwind began; 0: nothing is here, or it is being written
 * @kind:	what else must be equal: see kprof_recall_kind()
 * @id:		the id of the stack
 * @nr:		number of return addresses
 * @user:	where the code segment of user mode was; 0: nowhere
 * @reach:	how much of the stack was read before the first link
 * @link:	the frame pointers that were followed
 * @at:		where the return addresses were
 */
struct kprof_recalled {
	unsigned long ip;
	u64 kind;
	u32 id;
	u16 nr;
	u16 user;
	u16 reach;
	struct kprof_link link[KPROF_PATH_LINKS];
	u16 at[KPROF_RECALLED_FRAMES];
} __aligned(128);

/* Memory for each CPU. */
#define KPROF_RECALLED_BYTES	(KPROF_HAS_PATHS * KPROF_RECALLED_SETS * KPROF_RECALLED_WAYS * \
				 sizeof(struct kprof_recalled))

/**
 * kprof_recalled_holds() - would an unwind take the path of a stack that was kept
 * @kept:	the stack
 * @word:	its return addresses
 * @sp:		the stack pointer to begin with, which is below @end
 * @bp:		the frame pointer to begin with; may be anything
 * @end:	the end of the stack
 *
 * Only what lies between @sp and @end is read. Bases only go up, as they must.
 *
 * Context: any. Return: whether it would.
 */
static __always_inline bool kprof_recalled_holds(const struct kprof_recalled *kept,
						 const u64 *word, unsigned long sp,
						 unsigned long bp, unsigned long end)
{
	const struct kprof_link *link = kept->link;
	unsigned long base = sp;
	u32 at, i;

	if (kept->reach > end - base)
		return false;
	for (i = 0; i < kept->nr; i++) {
		at = kept->at[i];
		if (unlikely(at & KPROF_PATH_LINK)) {
			at &= ~KPROF_PATH_LINK;
			base = link->from == KPROF_LINK_FIRST ? bp :
				kprof_peek(base + link->from);
			if (base > end - link->reach || base + at + sizeof(long) < sp + link->above)
				return false;
			link++;
		}
		sp = base + at;
		if (kprof_peek(sp) != word[i])
			return false;
		sp += sizeof(long);
	}
	return !kept->user || kprof_peek(base + kept->user) & 3;
}

#endif /* KPROF_RECALLED_H */
