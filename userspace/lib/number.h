/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.h - the number parser: numbers in texts, refused where they do not fit
 *
 * Whatever comes from outside is read here: options, kernel files, recordings. No white
 * space is skipped. A function that takes "const char **" reads a number at the start
 * of the text and moves the pointer behind it; the others want the whole text to be one.
 */
#ifndef KPROF_NUMBER_H
#define KPROF_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_base { NUMBER_DECIMAL = 10, NUMBER_HEX = 16 };

/* Digits without a sign. False, with *text as it was: there are none, or they exceed 64 bits. */
bool number_take(const char **text, enum number_base base, uint64_t *value);
bool number_parse(const char *text, enum number_base base, uint64_t *value);

/* A decimal number up to @max; -1: it is none. */
int64_t number_up_to(const char *text, int64_t max);

/* A decimal number from @min to @max, which may have a minus sign. */
bool number_within(const char *text, int64_t min, int64_t max, int64_t *value);

/*
 * The value of a key: decimal, with or without a minus sign, or hexadecimal after "0x".
 * What exceeds INT64_MAX but not 64 bits is taken as two's complement.
 */
bool number_key(const char *text, int64_t *value);

/* A finite decimal fraction: "-0.5", "1e9". */
bool number_take_real(const char **text, double *value);
bool number_real(const char *text, double *value);

/* The number at the start of a kernel file or of a recording's field; 0 if there is none. */
uint64_t number_or_0(const char *text);

#endif /* KPROF_NUMBER_H */
