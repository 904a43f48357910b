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

#endif /* KPROF_USER_PLACE_H */
