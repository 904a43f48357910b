/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.h - step through a part of a text, which need not end in a NUL
 */
#ifndef KPROF_SCAN_H
#define KPROF_SCAN_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* --- the place behind what begins at @p; @p itself if there is none of it before @end --- */

static inline const char *scan_spaces(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static inline const char *scan_word(const char *p, const char *end)
{
	while (p < end && !isspace((unsigned char)*p))
		p++;
	return p;
}

static inline const char *scan_digits(const char *p, const char *end)
{
	while (p < end && isdigit((unsigned char)*p))
		p++;
	return p;
}

static inline const char *scan_hex(const char *p, const char *end)
{
	while (p < end && isxdigit((unsigned char)*p))
		p++;
	return p;
}

/* The length of a text without white space at its end. */
static inline size_t scan_trim(const char *text, size_t len)
{
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return len;
}

/* --- comparing --- */

static inline bool scan_begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

static inline bool scan_ends(const char *text, size_t len, const char *in)
{
	return len >= strlen(in) && !memcmp(text + len - strlen(in), in, strlen(in));
}

#endif /* KPROF_SCAN_H */
