// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_elf.c - stands in for elf.c, inlined.c, imports.c and markers.c in a build without libdw:
 * no file has named functions, debug information, imports or markers
 */
#include "user/elf.h"
#include "user/imports.h"
#include "user/inlined.h"
#include "user/markers.h"

bool user_elf_is_possible(void)
{
	return false;
}

void user_elf_read(struct user_functions *functions, int fd, const char *path, bool with_linkage)
{
	(void)with_linkage;
	(void)functions;
	(void)fd;
	(void)path;
}

void user_markers_read(struct user_markers *m, int fd)
{
	(void)m;
	(void)fd;
}

void user_markers_free(struct user_markers *m)
{
	*m = (struct user_markers){ 0 };
}

bool user_imports_read(struct user_imports *m, const char *path)
{
	(void)m;
	(void)path;
	return false;
}

bool user_imports_files(struct user_imports *m, const char *path)
{
	return user_imports_read(m, path);
}

void user_imports_free(struct user_imports *m)
{
	*m = (struct user_imports){ 0 };
}

int user_inlined_read(const struct user_inlined_of *of, struct user_inlined *result,
		      struct buf *out, char error[256])
{
	(void)of;
	(void)out;
	(void)error;
	*result = (struct user_inlined){ .owner = (uid_t)-1 };
	return 0;
}
