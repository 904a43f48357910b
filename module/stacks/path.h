/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * path.h - where on its stack an unwind has found what it read
 *
 * Where every frame is a plain call, whose caller's frame is at a fixed distance above the stack
 * pointer or the frame pointer, an unwind is decided by the address that it begins at and by the
 * return addresses. So if each of these is still where it was, another unwind would find the same
 * again, and to look at them is far cheaper than to find them.
 *
 * Where they were is counted from a base. This is the stack pointer at first, and then each frame
 * pointer that was followed, as what is between the two may be of any size: so it is in system
 * calls, where the kernel makes it random.
 */
#ifndef KPROF_PATH_H
#define KPROF_PATH_H

#include <linux/types.h>

#include "base/config.h"

#if defined(CONFIG_X86_64) && defined(CONFIG_UNWINDER_ORC)
#define KPROF_HAS_PATHS	1
#else
#define KPROF_HAS_PATHS	0	/* a step by a frame pointer costs little more than a look */
#endif

#define KPROF_PATH_MORE		4	/* frames besides those of a stack; see KPROF_MAX_SKIP */
#define KPROF_PATH_LINKS	4	/* frame pointers that a path may follow */
#define KPROF_PATH_LINK		0x8000	/* in @at: it is counted from the next link */
#define KPROF_LINK_FIRST	0xffff	/* in @from: the unwind has begun with it */
#define KPROF_LINK_NONE		0xfffe	/* in @from: that is not known */

/**
 * struct kprof_link - a frame pointer that was followed: a base
 * @from:	where it was, counted from the base before; or KPROF_LINK_FIRST
 * @above:	how far the caller's frame must be above the stack pointer, at least
 * @reach:	how much of the stack above it was read, from here to the next link
 */
struct kprof_link {
	u16 from;
	u16 above;
	u16 reach;
};

/**
 * struct kprof_path - the path of an unwind; all distances are in bytes
 * @epoch:	kprof_path_epoch as it began
 * @nr:		number of frames, the first included; 0: this unwind must be made each time
 * @user:	where the code segment of user mode was, which ended it; 0: it ended without one
 * @reach:	how much of the stack was read, from the stack pointer to the first link
 * @nr_links:	number of links
 * @link:	these
 * @at:		where the return address of each frame was, counted from the last base
 */
struct kprof_path {
	u32 epoch;
	u16 nr;
	u16 user;
	u16 reach;
	u16 nr_links;
	struct kprof_link link[KPROF_PATH_LINKS];
	u16 at[KPROF_MAX_DEPTH + KPROF_PATH_MORE];
};

/*
 * Changes when what is known of addresses is forgotten, as other code may be there now. Before
 * anything that is known, read this, with smp_load_acquire(). Only if KPROF_HAS_PATHS.
 */
extern u32 kprof_path_epoch;

#endif /* KPROF_PATH_H */
