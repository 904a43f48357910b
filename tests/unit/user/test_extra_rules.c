// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_extra_rules.c - rules for what .eh_frame says nothing of on arm64, from a file made here;
 * and no harm from one that is damaged
 */
#if __has_include("elfutils/libdw.h")
#include <stdlib.h>

#include "unit.h"
#include "user/extra_rules.h"

#define PLT		0x1000
#define PLT_SIZE	0x50
#define SIGRETURN	0x2344

enum { NONE, TABLE, SYMBOLS, TEXTS, NAMES, NR_SECTIONS };

struct image {
	Elf64_Ehdr header;
	Elf64_Shdr section[NR_SECTIONS];
	Elf64_Sym symbol[3];
	char texts[40];
	char names[32];
};

static const char texts[] = "\0__kernel_rt_sigreturn\0other";
static const char names[] = "\0.plt\0.dynsym\0.dynstr\0.names";

#define SECTION(the_name, type, member, ...) {				\
	.sh_name = (the_name), .sh_type = (type),			\
	.sh_offset = offsetof(struct image, member),			\
	.sh_size = sizeof(((struct image *)0)->member), __VA_ARGS__	\
}

static void make(struct image *image)
{
	*image = (struct image) {
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr), .e_shentsize = sizeof(Elf64_Shdr),
			.e_shoff = offsetof(struct image, section), .e_shnum = NR_SECTIONS,
			.e_shstrndx = NAMES,
		},
		.section = {
			[TABLE] = SECTION(1, SHT_PROGBITS, texts, .sh_addr = PLT),
			[SYMBOLS] = SECTION(6, SHT_DYNSYM, symbol, .sh_link = TEXTS,
					    .sh_entsize = sizeof(Elf64_Sym)),
			[TEXTS] = SECTION(14, SHT_STRTAB, texts),
			[NAMES] = SECTION(22, SHT_STRTAB, names),
		},
		.symbol = {
			[1] = { .st_name = 23, .st_value = 0x2000 },
			[2] = { .st_name = 1, .st_value = SIGRETURN },
		},
	};
	image->section[TABLE].sh_size = PLT_SIZE;
	memcpy(image->texts, texts, sizeof(texts));
	memcpy(image->names, names, sizeof(names));
}

static size_t find(struct image *image, int machine, struct extra_rule extra[EXTRA_RULES])
{
	Elf *elf;
	size_t nr;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image, sizeof(*image));
	nr = extra_rules(elf, machine, extra);
	elf_end(elf);
	return nr;
}

static void test_both(void)
{
	struct extra_rule extra[EXTRA_RULES];
	struct image image;

	make(&image);
	CHECK_INT(find(&image, EM_AARCH64, extra), 2);
	CHECK_INT(extra[0].from, PLT + 32);
	CHECK_INT(extra[0].to, PLT + PLT_SIZE);
	CHECK_INT(extra[0].rule.kind, KPROF_RULE_SP);
	CHECK_INT(extra[0].rule.cfa, 0);
	CHECK_INT(extra[0].rule.ra, KPROF_RULE_SAME);
	CHECK_INT(extra[0].rule.fp, KPROF_RULE_SAME);
	CHECK_INT(extra[1].from, SIGRETURN - 4);
	CHECK_INT(extra[1].to, SIGRETURN + 8);
	CHECK_INT(extra[1].rule.kind, KPROF_RULE_SIGNAL);
}

static void test_other(void)
{
	struct extra_rule extra[EXTRA_RULES];
	struct image image;

	make(&image);
	CHECK_INT(find(&image, EM_X86_64, extra), 0);
	image.section[TABLE].sh_size = 32;
	image.symbol[2].st_name = 23;
	CHECK_INT(find(&image, EM_AARCH64, extra), 0);
	make(&image);
	image.section[TABLE].sh_addr = UINT64_MAX - 8;
	image.symbol[2].st_value = UINT64_MAX;
	CHECK_INT(find(&image, EM_AARCH64, extra), 0);
}

/* Each byte in turn has another value: what is found has a beginning before its end. */
static void test_damaged(void)
{
	struct extra_rule extra[EXTRA_RULES];
	struct image image;
	size_t i, nr, k;
	int bit;

	for (i = 0; i < sizeof(image); i++)
		for (bit = 0; bit < 8; bit++) {
			make(&image);
			((unsigned char *)&image)[i] ^= 1 << bit;
			nr = find(&image, EM_AARCH64, extra);
			for (k = 0; k < nr; k++)
				CHECK(extra[k].from < extra[k].to);
		}
}

static const struct unit_test tests[] = {
	{ "function tables, and the return from signal handlers", test_both },
	{ "no others, and none on x86-64", test_other },
	{ "a damaged file", test_damaged },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
#else
#include "unit.h"

int main(void)
{
	return unit_skip("libdw is not here");
}
#endif
