/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rights.h - opens what a file of another user names with no more rights than that user has
 *
 * For a process that apart.h starts: it loses its groups for good.
 */
#ifndef KPROF_USER_RIGHTS_H
#define KPROF_USER_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * From now on open files with the rights of @owner, until rights_return(). Root's files, and the
 * caller's own, may name what the caller may open. Returns false, with nothing to return from, if
 * this process cannot have such rights.
 */
bool rights_take(uid_t owner);
void rights_return(void);

#endif /* KPROF_USER_RIGHTS_H */
