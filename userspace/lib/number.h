/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.h - parse numbers in text, with range checks
 *
 * All numbers from outside are parsed here: in options, kernel files, recordings. White
 * space is not skipped. A function that takes "const char **" reads a number at the start
 * of the text and moves the pointer past it; the others require that the whole text is a
 * number.
 */
#ifndef KPROF_NUMBER_H
#define KPROF_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_base { NUMBER_DECIMAL = 10, NUMBER_HEX = 16 };

/* Digits without a sign. If there are none or the value exceeds 64 bits: false, *text unchanged. */
bool number_take(const char **text, enum number_base base, uint64_t *value);
bool number_parse(const char *text, enum number_base base, uint64_t *value);

/* A decimal number up to @max; -1 if the text is not one. */
int64_t number_up_to(const char *text, int64_t max);

/* A decimal number from @min to @max, which may have a minus sign. */
bool number_within(const char *text, int64_t min, int64_t max, int64_t *value);

/*
 * The value of a key: decimal, with or without a minus sign, or hexadecimal after "0x".
 * A value above INT64_MAX that fits 64 bits is taken as two's complement.
 */
bool number_key(const char *text, int64_t *value);

/* A finite decimal fraction: "-0.5", "1e9". */
bool number_take_real(const char **text, double *value);
bool number_real(const char *text, double *value);

/* The number at the start of a kernel file or of a field of a recording; 0 if there is none. */
uint64_t number_or_0(const char *text);

#endif /* KPROF_NUMBER_H */
