// SPDX-License-Identifier: GPL-2.0-only
/*
 * errors.c - the errors that Documentation/abi.rst knows
 */
#include <errno.h>

#include "torture.h"

bool documented(int err)
{
	static const int known[] = {
		EINVAL, ERANGE, E2BIG, ENAMETOOLONG, ENOENT, EEXIST, EILSEQ, ENOSPC,
		EBUSY, ENOMEM, EAGAIN, ESTALE,
		ENODEV,	/* ftrace is off */
		ENXIO,	/* debugfs's own, of a file that is just going */
	};
	size_t i;

	for (i = 0; i < COUNT(known); i++)
		if (known[i] == err)
			return true;
	return false;
}
