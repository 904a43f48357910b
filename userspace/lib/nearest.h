/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nearest.h - find the name that a misspelt one was probably meant to be
 */
#ifndef KPROF_NEAREST_H
#define KPROF_NEAREST_H

#include <limits.h>

/*
 * How far apart two names are: by how many letters have to be added, dropped, swapped or, which
 * weighs more, changed; or a fixed distance if one is the beginning of the other. INT_MAX: too far.
 */
int nearest_distance(const char *name, const char *typed);

/* The nearest name in a NULL-terminated list; NULL if none is near. */
const char *nearest_name(const char *const *names, const char *typed);

#endif /* KPROF_NEAREST_H */
