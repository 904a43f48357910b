// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_user_calls.c - functions of a program and of its libraries that are watched all at once
 *
 * The program is this one. Where a function of a library is, the dynamic linker has told it.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "record/user_calls.h"
#include "unit.h"

__attribute__((noinline, used)) int known_own(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

static char self[4096];
static jmp_buf here;

/* "PATH:0xOFFSET as=NAME" of an address in this process. */
static const char *line_of(unsigned long at, const char *name)
{
	unsigned long start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	static struct buf out;
	char line[8192], path[4096];

	buf_free(&out);
	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &start, &end, &offset,
			   path) == 4 && at >= start && at < end)
			buf_printf(&out, "%s:0x%lx as=%s", path, at - start + offset, name);
	if (maps)
		fclose(maps);
	return out.data;
}

/* What becomes of a pattern; @max lines, or with 0 nothing that can be watched. */
static void expect(const char *pattern, bool of_program, size_t max, const char *line)
{
	struct user_calls_choice choice = {
		.pattern = &pattern, .nr_patterns = 1, .max = 2, .of_program = of_program,
	};
	struct user_calls calls = { .nr = 0 };
	int ret = user_calls_find(&calls, self, &choice);

	CHECK_INT(ret, max ? EXIT_OK : EXIT_ERROR);
	CHECK_INT(calls.nr, max);
	if (line && calls.nr) {
		CHECK(!strncmp(calls.line[0], line, strlen(line)));
		CHECK(!strncmp(calls.line[0] + strlen(line), " file=", 6));
	}
	user_calls_free(&calls);
}

static void test_imports(void)
{
	CHECK(line_of((unsigned long)tcgetpgrp, "tcgetpgrp"));
	expect("tcgetpgrp", false, 1, line_of((unsigned long)tcgetpgrp, "tcgetpgrp"));
	expect("tcgetpgr[p]", false, 1, line_of((unsigned long)tcgetpgrp, "tcgetpgrp"));
	expect("*", false, 2, NULL);
	expect("known_own", false, 0, NULL);
}

static void test_own(void)
{
	expect("known_own", true, 1, line_of((unsigned long)known_own, "known_own"));
	expect("tcgetpgrp", true, 0, NULL);
}

static void test_left_out(void)
{
	if (!setjmp(here) && tcgetpgrp(-1) == 0)
		abort();
	expect("_setjmp", false, 0, NULL);
	expect("__libc_start_main", false, 0, NULL);
	expect("_start", true, 0, NULL);
	expect("no_function", false, 0, NULL);
}

static void test_no_program(void)
{
	struct user_calls_choice choice = { .max = 2 };
	struct user_calls calls = { .nr = 0 };

	CHECK_INT(user_calls_find(&calls, "/dev/null", &choice), EXIT_ERROR);
	CHECK_INT(user_calls_find(&calls, "/nowhere", &choice), EXIT_ERROR);
	CHECK_INT(user_calls_find(&calls, "/proc/self/maps", &choice), EXIT_ERROR);
	choice.of_program = true;
	CHECK_INT(user_calls_find(&calls, "/dev/null", &choice), EXIT_ERROR);
	CHECK_INT(calls.nr, 0);
	user_calls_free(&calls);
}

static const struct unit_test tests[] = {
	{ "functions of libraries, where the dynamic linker finds them", test_imports },
	{ "functions of the program", test_own },
	{ "what does not bear to be watched is left out", test_left_out },
	{ "what is no program is refused", test_no_program },
	{ NULL, NULL }
};

int main(void)
{
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return unit_run(tests);
}
