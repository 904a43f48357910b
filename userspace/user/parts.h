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

/*
 * Call it before names are read: if the shared file is not found, these are missing. Returns
 * whether units of their own may be looked for. From then on until parts_end() all that libdw
 * opens, it opens with the rights of the owner.
 */
bool parts_begin(const struct debuginfo *d, struct Dwarf *dwarf);
void parts_end(void);

/*
 * @unit, which is all that the file has of @cu, becomes the whole unit, if that is found. Only if
 * parts_begin() has allowed it.
 */
void parts_find_unit(const struct debuginfo *d, Dwarf_CU *cu, Dwarf_Die *unit);

#endif /* KPROF_USER_PARTS_H */
