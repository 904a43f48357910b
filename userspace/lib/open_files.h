/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open_files.h - how many files this process may have open
 */
#ifndef KPROF_OPEN_FILES_H
#define KPROF_OPEN_FILES_H

#include <sys/resource.h>

/*
 * Raise the limit to the hard limit. Processes that are started from now on have it, too.
 * @before: what it was, for setrlimit(RLIMIT_NOFILE) to put back; NULL: it stays.
 * Return: the limit; INT_MAX if there is none.
 */
int open_files_raise(struct rlimit *before);

#endif /* KPROF_OPEN_FILES_H */
