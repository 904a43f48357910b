/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plural.h - words that depend on a count: "1 row is", "2 rows are"
 *
 * The format has "%s" where the "s" of the noun would be; tests/tools/plurals looks for counts that
 * are without it.
 */
#ifndef KPROF_PLURAL_H
#define KPROF_PLURAL_H

#include <stdint.h>

/* What is behind a noun of which there are @nr. */
static inline const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* The verb, where there are @nr of the subject. */
static inline const char *plural_are(uint64_t nr)
{
	return nr == 1 ? "is" : "are";
}

static inline const char *plural_have(uint64_t nr)
{
	return nr == 1 ? "has" : "have";
}

#endif /* KPROF_PLURAL_H */
