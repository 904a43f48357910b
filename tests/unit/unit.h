/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.h - the little that a unit test needs: checks, and results as KTAP
 */
#ifndef KPROF_UNIT_H
#define KPROF_UNIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct unit_test {
	const char *name;	/* NULL: the end of the list */
	void (*run)(void);
};

static int unit_failures;

static inline void unit_check(bool good, const char *file, int line, const char *what)
{
	if (good)
		return;
	unit_failures++;
	if (unit_failures <= 20)
		printf("# %s:%d: %s\n", file, line, what);
}

static inline void unit_check_int(uint64_t got, uint64_t expected, const char *file, int line,
				  const char *what)
{
	char text[256];

	snprintf(text, sizeof(text), "%s is %" PRIu64 ", expected %" PRIu64, what, got, expected);
	unit_check(got == expected, file, line, text);
}

static inline void unit_check_str(const char *got, const char *expected, const char *file,
				  int line, const char *what)
{
	if (got && !strcmp(got, expected))
		return;
	unit_check(false, file, line, what);
	printf("# got:\n# %s\n# expected:\n# %s\n", got ? got : "NULL", expected);
}

#define CHECK(condition) \
	unit_check(condition, __FILE__, __LINE__, #condition)
#define CHECK_INT(got, expected) \
	unit_check_int(got, expected, __FILE__, __LINE__, #got)
#define CHECK_STR(got, expected) \
	unit_check_str(got, expected, __FILE__, __LINE__, #got)

static inline int unit_run(const struct unit_test *tests)
{
	int i, failed = 0;

	puts("KTAP version 1");
	for (i = 0; tests[i].name; i++)
		;
	printf("1..%d\n", i);
	for (i = 0; tests[i].name; i++) {
		unit_failures = 0;
		tests[i].run();
		printf("%sok %d - %s\n", unit_failures ? "not " : "", i + 1, tests[i].name);
		fflush(stdout);
		failed += unit_failures != 0;
	}
	return failed != 0;
}

/* A main() that only says why nothing of it can run here. */
static inline int unit_skip(const char *reason)
{
	printf("KTAP version 1\n1..0 # SKIP %s\n", reason);
	return 0;
}

#endif /* KPROF_UNIT_H */
