/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quote.h - any text as a value of CSV or JSON
 */
#ifndef KPROF_QUOTE_H
#define KPROF_QUOTE_H

#include <stdio.h>

/* In quotation marks only where it takes them (RFC 4180). */
void quote_csv(const char *text, FILE *out);

/* In quotation marks; bytes that are no ASCII as Latin-1: a comm may hold any byte. */
void quote_json(const char *text, FILE *out);

#endif /* KPROF_QUOTE_H */
