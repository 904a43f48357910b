/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.h - numbers out of texts: whole, and refused where they do not fit
 *
 * No sign, no white space before, nothing but the number. number_take() reads one
 * at the start of a text and says where it ends.
 */
#ifndef KPROF_NUMBER_H
#define KPROF_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_base { NUMBER_DECIMAL = 10, NUMBER_HEX = 16 };

/* The digits at the start of *text, which goes on behind them. False: there are none, or
 * too many for 64 bits; then *text stays.
 */
bool number_take(const char **text, enum number_base base, uint64_t *value);

/* The same of a whole text. */
bool number_parse(const char *text, enum number_base base, uint64_t *value);

/* A decimal number up to @max; -1: it is none. */
int64_t number_up_to(const char *text, int64_t max);

/* What a kernel file or a recording says; 0 where that is no number. */
uint64_t number_or_0(const char *text);

#endif /* KPROF_NUMBER_H */
