/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - what debug information has in other files: names that several share (dwz -m), and
 * units of their own (gcc -gsplit-dwarf)
 *
 * The files that name them may be those of any user. What they name is opened with no more rights
 * than the owner has, and only if it is a regular file of the owner, of root or of the caller.
 */
#ifndef KPROF_USER_PARTS_H
#define KPROF_USER_PARTS_H

#include <elfutils/libdw.h>

#include "user/debuginfo.h"

/* Call it before names are read: if the shared file is not found, these are missing. */
void parts_find_shared(const struct debuginfo *d, struct Dwarf *dwarf);

/* @unit, which is all that the file has of @cu, becomes the whole unit, if that is found. */
void parts_find_unit(const struct debuginfo *d, Dwarf_CU *cu, Dwarf_Die *unit);

#endif /* KPROF_USER_PARTS_H */
