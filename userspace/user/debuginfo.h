/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debuginfo.h - opens an ELF file with its debug information, wherever that is
 *
 * For a stripped file libdwfl finds it: by build id, by debuglink, from a server if DEBUGINFOD_URLS
 * names one, and in .gnu_debugdata. The file may be that of any user, so only processes that
 * apart.h starts call this; and where the file names another one, that is opened with no more
 * rights than its owner has.
 */
#ifndef KPROF_USER_DEBUGINFO_H
#define KPROF_USER_DEBUGINFO_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <sys/types.h>

#define DEBUGINFO_NOBODY	((uid_t)-1)	/* an owner that is not known */

struct debuginfo {
	Dwfl *dwfl;
	Dwfl_Module *module;
	uid_t owner;		/* of the file that has the debug information, once it is found */
};

/*
 * Open the file of a descriptor, which stays open. Debug information is also searched beside @path.
 * Do not move @d. Returns false, with nothing to close, if it is no ELF file, or none that libdwfl
 * can read.
 */
bool debuginfo_open(struct debuginfo *d, int fd, const char *path);
void debuginfo_close(struct debuginfo *d);

#endif /* KPROF_USER_DEBUGINFO_H */
