// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_hole_small.c - takes as much as a module of Debian's does at most
 */
#define KPROF_HOLE	336
#include "kprof_hole.h"
