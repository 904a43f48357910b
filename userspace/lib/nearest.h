/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nearest.h - what a misspelt name may have been meant to be
 */
#ifndef KPROF_NEAREST_H
#define KPROF_NEAREST_H

#include <limits.h>

/* Letters to change, add, drop or swap from one to the other; INT_MAX: too many of them. */
int nearest_distance(const char *name, const char *typed);

/* The nearest of a list that ends in NULL; NULL: none is near. */
const char *nearest_name(const char *const *names, const char *typed);

#endif /* KPROF_NEAREST_H */
