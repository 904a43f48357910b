/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - names and types of the kernel's functions
 *
 * The room of what is known of code: from kallsyms, from BTF, from the index of inlined functions,
 * and, of modules that are gone, from memory. It sleeps, but for what gone.h says. It knows the
 * stacks of the profile, in which addresses of such modules may stand.
 */
#ifndef KPROF_SYMBOLS_H
#define KPROF_SYMBOLS_H

#include "symbols/btf.h"
#include "symbols/btf_file.h"
#include "symbols/functions.h"
#include "symbols/gone.h"
#include "symbols/inlined_file.h"
#include "symbols/names.h"

#endif /* KPROF_SYMBOLS_H */
