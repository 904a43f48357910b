// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_hole_large.c - leaves the others 1 KiB
 */
#define KPROF_HOLE	(8192 - 1024)
#include "kprof_hole.h"
