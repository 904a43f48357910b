/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nearest.h - find the name that a misspelt one was probably meant to be
 */
#ifndef KPROF_NEAREST_H
#define KPROF_NEAREST_H

#include <limits.h>

/*
 * The edit distance: how many letters have to be changed, added, dropped or swapped. INT_MAX if
 * the names are too far apart.
 */
int nearest_distance(const char *name, const char *typed);

/* The nearest name in a NULL-terminated list; NULL if none is near. */
const char *nearest_name(const char *const *names, const char *typed);

#endif /* KPROF_NEAREST_H */
