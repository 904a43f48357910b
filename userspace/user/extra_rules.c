// SPDX-License-Identifier: GPL-2.0-only
/*
 * extra_rules.c - rules for code that .eh_frame says nothing of, but whose frames are known
 *
 * On arm64, linkers do not describe the function table (PLT), and the kernel does not describe
 * where its signal handlers return to.
 */
#include <string.h>

#include "user/extra_rules.h"
#include "user/segments.h"

#define MAX_NAMES	(1u << 20)	/* bytes of the sections' names, or of the symbols' */
#define MAX_NAME	64
#define MAX_SYMBOLS	(1u << 16)	/* bytes of symbols: the vdso has a dozen */

/* The first entry of the table has more instructions than the others, and uses the stack. */
#define PLT_FIRST	32

/*
 * What a handler returns to, and its two instructions. One byte before it, where a return address
 * is looked up, is another instruction, which is there for the sake of unwinders.
 */
#define SIGRETURN	"__kernel_rt_sigreturn"
#define SIGRETURN_SIZE	8
#define SIGRETURN_BEFORE 4

static bool find_section(Elf *elf, const char *name, uint32_t type, GElf_Shdr *header,
			 Elf_Scn **section)
{
	const char *found;
	size_t names;

	*section = NULL;
	if (elf_getshdrstrndx(elf, &names) || !gelf_getshdr(elf_getscn(elf, names), header) ||
	    header->sh_size > MAX_NAMES)
		return false;
	while ((*section = elf_nextscn(elf, *section))) {
		if (!gelf_getshdr(*section, header) || header->sh_type != type)
			continue;
		found = segments_text(elf, names, header->sh_name, MAX_NAME);
		if (found && !strcmp(found, name))
			return true;
	}
	return false;
}

/* An entry does not touch the stack, nor the link register. */
static bool find_plt(Elf *elf, struct extra_rule *extra)
{
	GElf_Shdr header;
	Elf_Scn *section;

	if (!find_section(elf, ".plt", SHT_PROGBITS, &header, &section) ||
	    header.sh_size <= PLT_FIRST || header.sh_size > UINT64_MAX - header.sh_addr)
		return false;
	*extra = (struct extra_rule) {
		.from = header.sh_addr + PLT_FIRST, .to = header.sh_addr + header.sh_size,
		.rule = {
			.kind = KPROF_RULE_SP, .ra = KPROF_RULE_SAME, .fp = KPROF_RULE_SAME,
		},
	};
	return true;
}

static bool find_sigreturn(Elf *elf, struct extra_rule *extra)
{
	GElf_Shdr header, texts;
	Elf_Scn *section;
	const char *name;
	Elf_Data *data;
	GElf_Sym symbol;
	int i;

	if (!find_section(elf, ".dynsym", SHT_DYNSYM, &header, &section) ||
	    header.sh_size > MAX_SYMBOLS ||
	    !gelf_getshdr(elf_getscn(elf, header.sh_link), &texts) || texts.sh_size > MAX_NAMES)
		return false;
	data = elf_getdata(section, NULL);
	for (i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		name = segments_text(elf, header.sh_link, symbol.st_name, MAX_NAME);
		if (!name || strcmp(name, SIGRETURN) || symbol.st_value < SIGRETURN_BEFORE ||
		    symbol.st_value > UINT64_MAX - SIGRETURN_SIZE)
			continue;
		*extra = (struct extra_rule) {
			.from = symbol.st_value - SIGRETURN_BEFORE,
			.to = symbol.st_value + SIGRETURN_SIZE,
			.rule = { .kind = KPROF_RULE_SIGNAL },
		};
		return true;
	}
	return false;
}

size_t extra_rules(Elf *elf, int machine, struct extra_rule extra[EXTRA_RULES])
{
	size_t nr = 0;

	if (machine != EM_AARCH64)
		return 0;
	nr += find_plt(elf, &extra[nr]);
	nr += find_sigreturn(elf, &extra[nr]);
	return nr;
}
