// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_function.c - functions are read from a core of the kernel, which is made up here
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/function.h"
#include "unit.h"

#ifdef __x86_64__

#define BASE	0xffffffff81000000ull
#define SIZE	0x400		/* of the code */
#define AT	4096		/* where it is in the file */

/*
 * f: je f.cold; jmp __x86_return_thunk; call g; je other.cold; je f.cold. f.cold: jmp f+6.
 * h: jmp h.cold, which begins with what is no instruction, as bad does. beyond has more than the
 * core has behind its end.
 */
static const char *const symbols =
	"ffffffff81000000 1c f\n"
	"ffffffff81000080 5 h\n"
	"ffffffff810000f0 1 h.cold\n"
	"ffffffff81000100 5 f.cold\n"
	"ffffffff81000110 1 other.cold\n"
	"ffffffff81000200 1 __x86_return_thunk\n"
	"ffffffff81000300 1 g\n"
	"ffffffff81000310 2 bad\n"
	"ffffffff810003ff 2 beyond\n";

/* What is in no list of symbols, but may be so all the same. */
static const struct symbol empty = { .name = "empty", .start = BASE };
static const struct symbol large = { .name = "large", .start = BASE, .size = 0x100001 };

static const uint8_t code_f[] = {
	0x0f, 0x84, 0xfa, 0, 0, 0, 0xe9, 0xf5, 1, 0, 0, 0xe8, 0xf0, 2, 0, 0,
	0x0f, 0x84, 0xfa, 0, 0, 0, 0x0f, 0x84, 0xe4, 0, 0, 0,
};

static const uint8_t code_h[] = { 0xe9, 0x6b, 0, 0, 0 };

static const uint8_t code_cold[] = { 0xe9, 1, 0xff, 0xff, 0xff };

static struct symtab table;
#define CORE	"/tmp/test_function.XXXXXX"

static char path[sizeof(CORE)];

static void make_core(void)
{
	static struct {
		Elf64_Ehdr header;
		Elf64_Phdr program[3];
		char gap[AT - sizeof(Elf64_Ehdr) - 3 * sizeof(Elf64_Phdr)];
		uint8_t code[SIZE];
	} core = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 }, .e_type = ET_CORE,
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
			.e_phoff = sizeof(Elf64_Ehdr),
		},
		.program = {
			{ .p_type = PT_LOAD, .p_vaddr = BASE, .p_memsz = SIZE, .p_offset = AT },
			{ .p_type = PT_NOTE, .p_vaddr = BASE - 64, .p_memsz = 2 * SIZE },
			{ .p_type = PT_LOAD, .p_vaddr = BASE - 64, .p_memsz = 64 },
		},
	};
	int fd;

	strcpy(path, CORE);
	fd = mkstemp(path);
	memcpy(core.code, code_f, sizeof(code_f));
	memcpy(core.code + 0x100, code_cold, sizeof(code_cold));
	memcpy(core.code + 0x80, code_h, sizeof(code_h));
	core.code[0xf0] = 0x06;
	core.code[0x310] = 0x06;
	CHECK_INT(write(fd, &core, sizeof(core)), sizeof(core));
	close(fd);
}

static const struct symbol *named(const char *name)
{
	size_t i;

	for (i = 0; i < table.nr; i++)
		if (!strcmp(table.sym[i].name, name))
			return &table.sym[i];
	return NULL;
}

static void test_function(void)
{
	static const enum code_flow flows[] = {
		FLOW_BRANCH, FLOW_RETURN, FLOW_ON, FLOW_BRANCH, FLOW_BRANCH, FLOW_JUMP,
	};
	struct code_running kernel = { .path = path };
	struct code_function f = { .nr = 0 };
	struct buf text = { 0 };
	char error[256] = "";
	uint32_t i;

	CHECK_INT(code_function_read(&f, &kernel, &table, named("f"), error), 0);
	CHECK_STR(error, "");
	CHECK_INT(f.nr_parts, 2);
	CHECK_INT(f.nr, 6);
	for (i = 0; i < f.nr; i++)
		CHECK_INT(f.insn[i].flow, flows[i]);
	CHECK_INT(f.part[0].nr, 5);
	CHECK_INT(f.part[1].first, 5);
	CHECK_INT(f.part[1].nr, 1);
	CHECK_STR(code_function_part(&f, 4)->symbol->name, "f");
	CHECK_STR(code_function_part(&f, 5)->symbol->name, "f.cold");
	CHECK_INT(code_function_find(&f, BASE), 0);
	CHECK_INT(code_function_find(&f, BASE + 11), 2);
	CHECK_INT(code_function_find(&f, BASE + 12), CODE_NOWHERE);
	CHECK_INT(code_function_find(&f, BASE + 0x100), 5);
	CHECK_INT(code_function_find(&f, BASE + 0x300), CODE_NOWHERE);
	CHECK_INT(f.insn[5].target, BASE + 6);
	code_function_print(&f, &table, 2, &text);
	CHECK_STR(text.data, "callq 0xffffffff81000300 <g>");
	text.len = 0;
	code_function_print(&f, &table, 5, &text);
	CHECK_STR(text.data, "jmp 0xffffffff81000006 <f+0x6>");
	buf_free(&text);
	code_function_free(&f);
	code_running_close(&kernel);
}

/* Why a function of a core cannot be read. */
static void refused(const char *file, const struct symbol *symbol, const char *why)
{
	struct code_running kernel = { .path = file };
	struct code_function f = { .nr = 0 };
	char error[256] = "";

	CHECK_INT(code_function_read(&f, &kernel, &table, symbol, error), -1);
	if (!strstr(error, why))
		CHECK_STR(error, why);
	code_function_free(&f);
	code_running_close(&kernel);
}

static void test_refused(void)
{
	char other[] = CORE;
	int fd = mkstemp(other);
	char byte = ELFCLASS32;

	refused(path, named("h"), "h.cold+0x0: this is no instruction");
	refused(path, named("bad"), "bad+0x0: this is no instruction");
	refused(path, named("beyond"), "it does not have that address");
	refused(path, &empty, "empty has 0 bytes, not 1 to 1048576");
	refused(path, &large, "large has 1048577 bytes, not 1 to 1048576");
	refused("/no/core", named("f"), "cannot read the kernel's code from /no/core: No such file");
	refused(other, named("f"), "it is empty");
	CHECK_INT(ftruncate(fd, sizeof(Elf64_Ehdr)), 0);
	refused(other, named("f"), "this is no 64-bit core of a kernel");
	close(fd);
	unlink(other);

	CHECK_INT(truncate(path, AT + 4), 0);
	refused(path, named("f"), "it is truncated");
	CHECK_INT(truncate(path, sizeof(Elf64_Ehdr) + 1), 0);
	refused(path, named("f"), "it is truncated");
	fd = open(path, O_WRONLY);
	CHECK_INT(pwrite(fd, &byte, 1, EI_CLASS), 1);
	close(fd);
	refused(path, named("f"), "this is no 64-bit core of a kernel");
}

/* What was not opened is not closed: 0 is standard input. */
static void test_unopened(void)
{
	struct code_running kernel = { .path = path };
	int fd = open("/dev/null", O_RDONLY);

	CHECK_INT(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	code_running_close(&kernel);
	CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	close(fd);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "a core that was not opened", test_unopened },
		{ "a function and its cold part", test_function },
		{ "what cannot be read", test_refused },
		{ NULL, NULL }
	};
	struct buf text = { 0 };
	int ret;

	buf_printf(&text, "%s", symbols);
	CHECK_INT(symtab_parse(&table, &text), 0);
	make_core();
	ret = unit_run(tests);
	unlink(path);
	symtab_free(&table);
	return ret;
}

#else

int main(void)
{
	puts("KTAP version 1\n1..0 # SKIP the code is for x86-64");
	return 0;
}

#endif
