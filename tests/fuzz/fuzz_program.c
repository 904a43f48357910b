// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_program.c - a program, as record reads that of any user: functions, rules of its stacks,
 * markers, imports
 *
 * The first byte of the input says which of these, the rest is the file; behind a line "%%" there
 * may be the library that it imports from. All is read in this process, where coverage and limits
 * are seen.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "kprof_rules.h"
#include "user/apart.h"
#include "user/build_id.h"
#include "user/elf.h"
#include "user/extra_rules.h"
#include "user/imports.h"
#include "user/markers.h"
#include "user/rules.h"
#include "user/segments.h"

#define PROGRAM		"program"
#define LIBRARY		"library"

#define FRAMES_MEMORY	(256u << 20)	/* what rules.c allows to the libraries */
#define STEPS		64		/* a file may take 10 s; that is not waited for */
#define ARGUMENTS	16		/* of a marker */

enum { OF_PROGRAM, OF_LIBRARY, NR_PARTS };
enum { FUNCTIONS, RULES, MARKERS, IMPORTS, NR_WAYS };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* The module's own, of module/user/rules.c */
bool kprof_rules_accept(struct kprof_rules_header *rules, size_t size);

/* Where a library asks for more than record allows it, it gets nothing. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

/* --- instead of a process of its own --- */

static struct buf told;

int apart_begin(struct apart *a, int fd, void (*read)(const void *what, FILE *to),
		const void *what, char error[256])
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	(void)fd;
	(void)error;
	read(what, to);
	fclose(to);
	told.len = 0;
	buf_add(&told, text, len);
	free(text);
	a->from = len ? fmemopen(told.data, len, "r") : fopen("/dev/null", "r");
	return 0;
}

bool apart_end(struct apart *a, bool wanted)
{
	fclose(a->from);
	if (!wanted)
		fuzz_fail("what was read is not understood", NULL, 0);
	return true;
}

/* --- what is read --- */

static void check_functions(int fd)
{
	struct user_functions f = { 0 };
	const struct user_function *found;
	size_t i;

	user_elf_read(&f, fd, PROGRAM, true);
	user_functions_sort(&f);
	for (i = 0; i < f.nr; i++) {
		found = user_functions_find(&f, f.item[i].start);
		if (!*f.item[i].name || (i && f.item[i].start < f.item[i - 1].start))
			fuzz_fail("functions have no names, or no order", NULL, 0);
		if (found && f.item[i].start - found->start >= found->size)
			fuzz_fail("a function is found where it is not", NULL, 0);
	}
	user_functions_free(&f);
}

static void check_rules(int fd)
{
	static const struct user_file file = { .fd = -1 };
	struct user_rules *r = user_rules_begin(fd);
	struct extra_rule extra[EXTRA_RULES];
	struct buf table = { 0 };
	size_t steps = 0, nr;
	Elf *elf;

	while (steps++ < STEPS && user_rules_step(r))
		;
	user_rules_finish(r, 1, &file, &table);
	user_rules_free(r);
	if (!kprof_rules_accept((void *)table.data, table.len))
		fuzz_fail("the module refuses the rules", NULL, 0);
	buf_free(&table);
	/* Those of the other machine. */
	elf = segments_open_unmapped(fd);
	nr = elf ? extra_rules(elf, EM_AARCH64, extra) : 0;
	while (nr--)
		if (extra[nr].from >= extra[nr].to)
			fuzz_fail("an extra rule is for nothing", NULL, 0);
	elf_end(elf);
}

static void check_argument(const struct user_marker *marker, unsigned int number, bool is_there)
{
	struct user_marker_argument arg = { .bytes = 0 };
	struct buf why = { 0 };
	const char *at = arg.fetch;

	if (user_marker_argument(marker, number, &arg, &why) ? why.len || !is_there : !why.len)
		fuzz_fail("an argument is there, or it is not", NULL, 0);
	while (isprint((unsigned char)*at))
		at++;
	if (*at)
		fuzz_fail("an argument is not a key", arg.fetch, strlen(arg.fetch));
	buf_free(&why);
}

static void check_markers(int fd)
{
	struct user_markers m = { .nr = 0 };
	unsigned int nr, number;
	size_t i;

	user_markers_read(&m, fd);
	for (i = 0; i < m.nr; i++) {
		if (i && strcmp(m.item[i].provider, m.item[i - 1].provider) < 0)
			fuzz_fail("markers are not sorted", NULL, 0);
		nr = user_marker_nr_arguments(&m.item[i]);
		for (number = 0; number <= nr + 1 && number < ARGUMENTS; number++)
			check_argument(&m.item[i], number, number && number <= nr);
	}
	user_markers_free(&m);
}

static void check_imports(void)
{
	struct user_imports m = { .nr = 0 };
	size_t i;

	if (!user_imports_read(&m, PROGRAM) && m.nr)
		fuzz_fail("there are imports of what is no program", NULL, 0);
	for (i = 0; i < m.nr; i++) {
		if (i && strcmp(m.item[i].name, m.item[i - 1].name) < 0)
			fuzz_fail("imports are not sorted", NULL, 0);
		if (m.item[i].path && *m.item[i].path != '/')
			fuzz_fail("a library without a path", NULL, 0);
	}
	user_imports_free(&m);
}

/* Libraries are searched by their names: these are files with names. */
static int write_file(const char *name, int fd, const struct fuzz_part *part)
{
	if (!fd)
		fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (ftruncate(fd, 0) || pwrite(fd, part->data, part->size, 0) != (ssize_t)part->size)
		fuzz_fail("no room for an input", NULL, 0);
	return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int program, library;
	struct fuzz_part part[NR_PARTS];

	if (!size)
		return 0;
	fuzz_split(data + 1, size - 1, part, NR_PARTS);
	program = write_file(PROGRAM, program, &part[OF_PROGRAM]);
	if (*data % NR_WAYS == IMPORTS)
		library = write_file(LIBRARY, library, &part[OF_LIBRARY]);
	fuzz_begin();
	switch (*data % NR_WAYS) {
	case FUNCTIONS:
		user_file_has_id(program, "-");
		check_functions(program);
		break;
	case RULES:
		check_rules(program);
		break;
	case MARKERS:
		check_markers(program);
		break;
	case IMPORTS:
		check_imports();
		break;
	}
	fuzz_end(size, FRAMES_MEMORY);
	return 0;
}

/* --- mutations --- */

/* A part of a file: a section, or an entry of a table of headers. */
static bool choose(const uint8_t *data, size_t size, unsigned int seed, size_t *at, size_t *len)
{
	Elf64_Ehdr header;
	Elf64_Shdr section;
	size_t where;

	if (size < sizeof(header))
		return false;
	memcpy(&header, data, sizeof(header));
	*at = header.e_phoff + seed / 4 % (header.e_phnum + 1u) * sizeof(Elf64_Phdr);
	*len = sizeof(Elf64_Phdr);
	if (seed % 4) {
		*at = header.e_shoff + seed / 4 % (header.e_shnum + 1u) * sizeof(section);
		*len = sizeof(section);
	}
	if (seed % 4 > 1) {
		where = *at;
		if (where > size || size - where < sizeof(section))
			return false;
		memcpy(&section, data + where, sizeof(section));
		*at = section.sh_offset;
		*len = section.sh_size;
	}
	return *len && *at <= size && *len <= size - *at;
}

/* All else stays where it is, so that the rest of the file still means the same. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct fuzz_part part[NR_PARTS], *p = &part[seed / 8 % 4 ? OF_PROGRAM : OF_LIBRARY];
	size_t at, len, now;
	uint8_t *to;

	if (size)
		fuzz_split(data + 1, size - 1, part, NR_PARTS);
	if (!size || seed % 8 == 0 ||
	    !choose((const uint8_t *)p->data, p->size, seed / 32, &at, &len))
		return LLVMFuzzerMutate(data, size, max_size);
	to = (uint8_t *)p->data + at;
	now = LLVMFuzzerMutate(to, len, len);
	memset(to + now, 0, len - now);
	return size;
}
