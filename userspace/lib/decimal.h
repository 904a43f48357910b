/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decimal.h - write numbers as fprintf() does, for a file that has very many of them
 *
 * fprintf() converts each with numbers of any length, since digits of a fraction have no bound.
 * Here, the usual ones become an integer; of the others, fprintf() has to take care.
 */
#ifndef KPROF_DECIMAL_H
#define KPROF_DECIMAL_H

#include <stdio.h>

#define DECIMAL_PLACES_MAX	2

/* "%.*f"; @places is at most DECIMAL_PLACES_MAX. */
void decimal_fixed(FILE *out, double value, int places);

/* "%.15g" */
void decimal_shortest(FILE *out, double value);

/* "%.17Lg" */
void decimal_count(FILE *out, long double value);

#endif /* KPROF_DECIMAL_H */
