/* SPDX-License-Identifier: GPL-2.0-only */
/* jump_label.h - branches that are patched, for the host: variables */
#ifndef KPROF_SHIM_JUMP_LABEL_H
#define KPROF_SHIM_JUMP_LABEL_H

#include <stdbool.h>

#define DECLARE_STATIC_KEY_FALSE(name)	extern bool name
#define DEFINE_STATIC_KEY_FALSE(name)	bool name

#endif /* KPROF_SHIM_JUMP_LABEL_H */
