// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_elf.c - stands in for elf.c in a build without libdw: no file has named functions
 */
#include "user/elf.h"

bool user_elf_is_possible(void)
{
	return false;
}

void user_elf_read(struct user_functions *functions, int fd, const char *path)
{
	(void)functions;
	(void)fd;
	(void)path;
}
