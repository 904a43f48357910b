// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_memory.c - who gets no memory is told so, and nothing is left out of what is printed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/exit.h"
#include "lib/hash.h"
#include "lib/mem.h"
#include "unit.h"

#define SIZE	(96ul << 20)

static char *text;	/* of which there is no second one: more than there is memory */

/* The sanitizer's allocator refuses more at a time, as the system would. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

/* What a process says that needs too much memory; it must not come back. */
static void check_exhausted(void (*use)(void))
{
	char said[4096] = "";
	int ends[2], status = -1;
	size_t len = 0;
	ssize_t more = 1;
	pid_t child;

	CHECK(!pipe(ends));
	fflush(stdout);
	child = fork();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		use();
		_exit(0);
	}
	close(ends[1]);
	while (len < sizeof(said) - 1 && more > 0) {
		more = read(ends[0], said + len, sizeof(said) - 1 - len);
		len += more > 0 ? more : 0;
	}
	close(ends[0]);
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status));
	CHECK_INT(WEXITSTATUS(status), EXIT_ERROR);
	CHECK(!!strstr(said, "kprof: out of memory: cannot get "));
}

static void add_cell(void)
{
	static const char *const names[] = { "name" };
	struct columns c;

	columns_begin(&c, names, 1, 1);
	columns_add(&c, "%s", text);
}

static void add_field(void)
{
	struct csv csv = csv_begin(stderr, ",");

	csv_textf(&csv, "%s", text);
}

static void copy(void)
{
	mem_strdup(text);
}

/* As many slots as a table of 4 billion of them has before it is enlarged. */
static void enlarge(void)
{
	struct hash t = { .slot = mem_zalloc(1, sizeof(*t.slot)), .mask = (1u << 30) - 1 };

	hash_enlarge(&t);
}

static void test_exhausted(void)
{
	text = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(text != MAP_FAILED);
	memset(text, 'x', SIZE - 1);
	check_exhausted(add_cell);
	check_exhausted(add_field);
	check_exhausted(copy);
	munmap(text, SIZE);
}

static void test_hash(void)
{
	check_exhausted(enlarge);
}

static const struct unit_test tests[] = {
	{ "texts for which there is no memory", test_exhausted },
	{ "a hash table with more slots than there are numbers", test_hash },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
