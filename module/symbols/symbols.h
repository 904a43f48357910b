/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - names and types of the kernel's functions
 *
 * This directory knows what is known of code: from kallsyms, from BTF, from the index of inlined
 * functions, and for unloaded modules from memory. Most functions sleep. It knows the stacks of the
 * profile, which may contain addresses of unloaded modules.
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
