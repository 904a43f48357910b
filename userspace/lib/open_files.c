// SPDX-License-Identifier: GPL-2.0-only
/*
 * open_files.c - how many files this process may have open
 */
#include <limits.h>

#include "lib/open_files.h"

int open_files_raise(struct rlimit *before)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		limit = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	if (before)
		*before = limit;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return limit.rlim_cur < INT_MAX ? (int)limit.rlim_cur : INT_MAX;
}
