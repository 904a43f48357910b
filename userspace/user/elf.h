/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf.h - the functions of a program or a library, by their offsets in the file
 */
#ifndef KPROF_USER_ELF_H
#define KPROF_USER_ELF_H

#include <stdbool.h>

#include "user/code.h"

/* Was kprof built with the library that reads ELF? If not, no file has functions. */
bool user_elf_is_possible(void);

/*
 * Read the functions from the file's symbols, those of its separate debug information, and its
 * .gnu_debugdata. Debug information is also searched beside @path. A file that is not ELF has no
 * functions, nor has one that takes more than apart.h allows. @with_linkage: with the entries of
 * its procedure linkage tables, too, NAME@plt, which are places to be in, but nobody's functions.
 */
void user_elf_read(struct user_functions *functions, int fd, const char *path, bool with_linkage);

#endif /* KPROF_USER_ELF_H */
