/* SPDX-License-Identifier: GPL-2.0-only */
/* build_bug.h - checks when compiling, for the host */
#ifndef KPROF_SHIM_BUILD_BUG_H
#define KPROF_SHIM_BUILD_BUG_H

#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)

#endif /* KPROF_SHIM_BUILD_BUG_H */
