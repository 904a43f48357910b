/* SPDX-License-Identifier: GPL-2.0-only */
/* string.h - strings, for the host */
#ifndef KPROF_SHIM_STRING_H
#define KPROF_SHIM_STRING_H

#include <string.h>

#endif /* KPROF_SHIM_STRING_H */
