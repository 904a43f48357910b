/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compiler_clone.h - the names that a compiler gives to copies of one function
 *
 * "crunch::h0123456789abcdef" of Rust has a number that is another one in each build; so have gcc's
 * "crunch.constprop.0" and "crunch.isra.0", and clang's "crunch.llvm.123". Who compares two builds
 * means the function. "crunch.part.0" and "crunch.cold" are only a part of it: "crunch.part" is a
 * function of its own.
 */
#ifndef KPROF_COMPILER_CLONE_H
#define KPROF_COMPILER_CLONE_H

#include "lib/buf.h"

/*
 * Is it the name of such a copy? Then the name of the function goes to @function, with what may
 * stand behind it: "crunch.constprop.0 [ext4]_[k]" becomes "crunch [ext4]_[k]".
 */
bool compiler_clone_of(const char *name, size_t len, struct buf *function);

#endif /* KPROF_COMPILER_CLONE_H */
