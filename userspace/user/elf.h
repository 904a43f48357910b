/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf.h - the functions of a program or a library, by their offsets in the file
 */
#ifndef KPROF_USER_ELF_H
#define KPROF_USER_ELF_H

#include "user/code.h"

/*
 * From its symbols, those of its debug information that lies elsewhere, and its .gnu_debugdata.
 * @path is where debug information may lie beside. A file that is no ELF has none.
 */
void user_elf_read(struct user_functions *functions, int fd, const char *path);

#endif /* KPROF_USER_ELF_H */
