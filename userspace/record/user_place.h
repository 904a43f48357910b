/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_place.h - the file of a place in a program or a library
 */
#ifndef KPROF_USER_PLACE_H
#define KPROF_USER_PLACE_H

#include <stdbool.h>

#include "lib/buf.h"

/*
 * Split "FILE:REST", and find the file: a path with a "/", or the name of a library. *@rest points
 * into @place. Returns false if it is no place of user code.
 */
bool user_place_find(const char *place, struct buf *path, const char **rest);

/*
 * May the path be in a target? The module's syntax has no way to write some characters, and any
 * user can name a file "x;vfs_read". user_place_check() returns EXIT_OK, or EXIT_ERROR after a
 * message.
 */
bool user_place_is_path(const char *path);
int user_place_check(const char *path);

#endif /* KPROF_USER_PLACE_H */
