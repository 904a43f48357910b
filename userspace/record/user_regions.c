// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_regions.c - what a program marks by kprof.h: its regions, and the part to be profiled
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "data/marks.h"
#include "data/regions.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "record/program.h"
#include "record/user_marker.h"
#include "record/user_place.h"
#include "record/user_regions.h"
#include "user/elf.h"

/*
 * The path of a command's program. A target is read as any other, so it must be one there, and end
 * at the first colon of its name. Free *@real.
 */
static int real_path(const char *command, char **real)
{
	char *path = program_find(command);

	*real = path ? realpath(path, NULL) : NULL;
	free(path);
	if (!path)
		return msg_error("'%s': no such program in PATH", command);
	if (!*real)
		return msg_error("'%s': %s", command, strerror(errno));
	return strchr(strrchr(*real, '/'), ':') ?
	       msg_error("'%s': the name of a program with marks can have no ':'; copy it", *real) :
	       user_place_check(*real);
}

/* The markers of kprof.h: the first argument tells a region's end, the second is its name. */
int user_regions_target(const char *command, struct buf *target)
{
	char *real;
	int ret = real_path(command, &real);

	if (!ret)
		buf_printf(target, "%s:kprof:begin($arg1,pid)..%s:kprof:end($arg1,pid) "
			   "by=region=$arg2:string as=" REGIONS_SOURCE, real, real);
	free(real);
	return ret;
}

/* Say it in terms of kprof.h, not of markers, if a program has nothing to start it. */
int user_marks_check(const char *path)
{
	const struct user_marker wanted = { .provider = "kprof", .name = "start" };
	struct marker_files files = { .nr = 0 };
	const char *real;
	const struct user_markers *markers = user_markers_of(&files, path, &real);
	int ret = markers ? EXIT_OK : EXIT_ERROR;
	size_t i = 0;

	while (markers && i < markers->nr && !user_marker_is_same(&markers->item[i], &wanted))
		i++;
	if (markers && i == markers->nr && user_elf_is_possible())
		ret = msg_error("'%s' has no kprof_start() of kprof.h, which --marked goes by: give the "
				"program that has it, not one that runs it", path);
	user_marker_files_free(&files);
	return ret;
}

int user_marks_targets(const char *command, struct buf *start, struct buf *stop)
{
	char *real;
	int ret = real_path(command, &real);

	if (!ret)
		ret = user_marks_check(real);
	if (!ret) {
		buf_printf(start, "%s:kprof:start as=" MARKS_START, real);
		buf_printf(stop, "%s:kprof:stop as=" MARKS_STOP, real);
	}
	free(real);
	return ret;
}
