// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_regions.c - the program of a command, and the regions that it marks by kprof.h
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/regions.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "record/user_place.h"
#include "record/user_regions.h"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *user_program_find(const char *name)
{
	const char *list = getenv("PATH");
	struct buf path = { 0 };

	if (strchr(name, '/'))
		return strdup(name);
	for (list = list ? list : "/bin:/usr/bin"; *list; list += !!*list) {
		size_t len = strcspn(list, ":");

		buf_free(&path);
		buf_printf(&path, "%.*s/%s", len ? (int)len : 1, len ? list : ".", name);
		if (is_program(path.data))
			return path.data;
		list += len;
	}
	buf_free(&path);
	return NULL;
}

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
