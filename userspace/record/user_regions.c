// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_regions.c - the regions of a program that it marks by kprof.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/regions.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "record/user_place.h"
#include "record/user_regions.h"

/*
 * The markers of kprof.h: the first argument tells a region's end, the second is its name. This is
 * read as any target is, so the path must be one there, and end at the first colon of its name.
 */
int user_regions_target(const char *path, struct buf *target)
{
	char *real = realpath(path, NULL);
	int ret;

	if (!real)
		return msg_error("'%s': %s", path, strerror(errno));
	ret = strchr(strrchr(real, '/'), ':') ?
	      msg_error("'%s': the name of a program with regions can have no ':'; copy it", real) :
	      user_place_check(real);
	if (!ret)
		buf_printf(target, "%s:kprof:begin($arg1,pid)..%s:kprof:end($arg1,pid) "
			   "by=region=$arg2:string as=" REGIONS_SOURCE, real, real);
	free(real);
	return ret;
}
