/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * confine.h - limits of a process that works on what others have made
 */
#ifndef KPROF_USER_CONFINE_H
#define KPROF_USER_CONFINE_H

#include <sys/resource.h>

/* Lower a limit of this process, for good. */
void confine_to(int resource, rlim_t value);

/*
 * For a process that was just started: it ends with the one that started it, leaves no core, and
 * takes at most @memory bytes beyond what it has from that one.
 */
void confine(unsigned long memory);

/*
 * The kernel forgets with whom a process ends when its rights change: tell it again, if confine()
 * has told it.
 */
void confine_to_parent(void);

#endif /* KPROF_USER_CONFINE_H */
