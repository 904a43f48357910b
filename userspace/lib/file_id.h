/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_id.h - which file a path has led to, so that another one that takes its place is told apart
 */
#ifndef KPROF_FILE_ID_H
#define KPROF_FILE_ID_H

#include <sys/stat.h>

#include "lib/buf.h"

/*
 * Append "MAJOR:MINOR:INODE:SIZE:CTIME" of a file that was opened, as the module takes it in file=.
 * CTIME is its time of change in nanoseconds since 1970.
 */
void file_id_add(struct buf *out, const struct stat *st);

#endif /* KPROF_FILE_ID_H */
