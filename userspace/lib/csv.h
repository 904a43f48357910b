/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * csv.h - write CSV: RFC 4180, with line feeds only
 */
#ifndef KPROF_CSV_H
#define KPROF_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *out;
	const char *separator;
	bool begun;		/* the line has a field; private */
};

/* If @separator is NULL, fields are separated by commas. */
struct csv csv_begin(FILE *out, const char *separator);

/* Write one field. Texts are quoted only if necessary. */
void csv_text(struct csv *c, const char *text);
void csv_textf(struct csv *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void csv_u64(struct csv *c, uint64_t value);
void csv_number(struct csv *c, double value, int digits);
void csv_empty(struct csv *c);

void csv_end_line(struct csv *c);

#endif /* KPROF_CSV_H */
