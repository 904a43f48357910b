// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_hole_other.c - takes little, as most modules do
 */
#define KPROF_HOLE	64
#include "kprof_hole.h"
