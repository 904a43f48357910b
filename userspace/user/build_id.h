/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * build_id.h - the build id of a file
 */
#ifndef KPROF_USER_BUILD_ID_H
#define KPROF_USER_BUILD_ID_H

#include <stdbool.h>

/* Is this a file with that build id, which is hexadecimal? "-" is none. */
bool user_file_has_id(int fd, const char *build_id);

/* Is this an ELF file of 64 bits? */
bool user_file_is_64(int fd);

#endif /* KPROF_USER_BUILD_ID_H */
