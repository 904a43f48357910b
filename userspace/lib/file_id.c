// SPDX-License-Identifier: GPL-2.0-only
/*
 * file_id.c - which file a path has led to, so that another one that takes its place is told apart
 */
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "lib/file_id.h"

void file_id_add(struct buf *out, const struct stat *st)
{
	buf_printf(out, "%u:%u:%" PRIu64 ":%" PRIu64 ":%" PRIu64, major(st->st_dev),
		   minor(st->st_dev), (uint64_t)st->st_ino, (uint64_t)st->st_size,
		   (uint64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec);
}
