// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_inlined.c - what is inlined into this very program, by its debug information
 */
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "symbols/inlined.h"
#include "unit.h"
#include "user/inlined.h"

#define BASE	(3ull << 48)

/* --- a place that is known --- */

static uintptr_t place;
static int line[4];

static __attribute__((noinline)) void note_place(void)
{
	/* The byte before is part of the call. */
	place = (uintptr_t)__builtin_return_address(0) - 1;
}

static __always_inline void innermost(void)
{
	note_place(); line[0] = __LINE__;
}

static __always_inline void middle(void)
{
	innermost(); line[1] = __LINE__;
}

static __always_inline void outermost(void)
{
	middle(); line[2] = __LINE__;
}

static __attribute__((noinline)) void host(void)
{
	outermost(); line[3] = __LINE__;
}

/* --- reading it --- */

/* The offset in the file of a place in memory; this program is the first that is told of. */
static int to_offset(struct dl_phdr_info *info, size_t size, void *arg)
{
	const uintptr_t at = place - info->dlpi_addr;
	const Elf64_Phdr *p = info->dlpi_phdr;

	(void)size;
	for (; p < info->dlpi_phdr + info->dlpi_phnum; p++)
		if (p->p_type == PT_LOAD && at - p->p_vaddr < p->p_filesz)
			*(uint64_t *)arg = at - p->p_vaddr + p->p_offset;
	return 1;
}

static int read_inlined(const char *path, uint64_t offset, double seconds, struct inlined *in,
			struct user_inlined *result)
{
	const struct user_inlined_of of = {
		.fd = open(path, O_RDONLY | O_CLOEXEC), .path = path, .offset = &offset, .nr = 1,
		.base = BASE, .seconds = seconds,
	};
	struct buf text = { 0 };
	char error[256];
	int ret = user_inlined_read(&of, result, &text, error);

	close(of.fd);
	*in = (struct inlined){ 0 };
	CHECK_INT(inlined_parse(in, &text), 0);
	return ret;
}

static uint64_t own_offset(void)
{
	uint64_t offset = 0;

	host();
	dl_iterate_phdr(to_offset, &offset);
	return offset;
}

static void test_own(void)
{
	static const char *const names[] = { "innermost", "middle", "outermost", "" };
	const uint64_t offset = own_offset();
	const struct inlined_frame *frame;
	struct user_inlined result;
	struct inlined in;
	size_t nr, i;

	CHECK_INT(read_inlined("/proc/self/exe", offset, 10, &in, &result), 0);
	CHECK_INT(result.left_out, 0);
	CHECK_INT(result.owner, geteuid());
	frame = inlined_find(&in, BASE + offset, &nr);
	CHECK_INT(nr, 4);
	for (i = 0; i < nr && nr == 4; i++) {
		CHECK_STR(frame[i].name, names[i]);
		CHECK_INT(frame[i].line, line[i]);
		CHECK(frame[i].file && strstr(frame[i].file, "test_inlined.c"));
	}
	CHECK_INT(in.nr, 4);
	inlined_free(&in);
}

static void test_late(void)
{
	struct user_inlined result;
	struct inlined in;

	CHECK_INT(read_inlined("/proc/self/exe", own_offset(), 0, &in, &result), 0);
	CHECK_INT(result.left_out, 1);
	CHECK_INT(in.nr, 0);
	inlined_free(&in);
}

static void test_nothing(void)
{
	struct user_inlined result;
	struct inlined in;

	CHECK_INT(read_inlined("/proc/self/exe", 1ull << 40, 10, &in, &result), 0);
	CHECK_INT(result.left_out, 0);
	CHECK_INT(in.nr, 0);
	inlined_free(&in);
	CHECK_INT(read_inlined("/proc/self/maps", 4096, 10, &in, &result), 0);
	CHECK_INT(in.nr, 0);
	inlined_free(&in);
}

static const struct unit_test tests[] = {
	{ "functions inlined in one another, and the lines of their calls", test_own },
	{ "what there was no time for is counted", test_late },
	{ "elsewhere, and in what is no program, there is nothing", test_nothing },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
