/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * outside.h - where a list of keys is divided
 */
#ifndef KPROF_OUTSIDE_H
#define KPROF_OUTSIDE_H

#include <stddef.h>

/* The first character outside of parentheses that is one of these, or the end of the word. */
size_t outside_find(const char *text, const char *which);

#endif /* KPROF_OUTSIDE_H */
