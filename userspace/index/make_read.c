// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_read.c - read an ELF file with debug information: owner, sections and symbols
 */
#include <dwarf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "index/make_elf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"

/* --- sections --- */

static int by_section(const void *va, const void *vb)
{
	const struct make_section *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void add_sections(struct make *m, Elf *elf, GElf_Addr bias)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header) || !header.sh_size ||
		    (header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) != (SHF_ALLOC | SHF_EXECINSTR))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		name = name ? name : "";
		m->section = mem_grow(m->section, &m->section_room, m->nr_sections + 1,
				      sizeof(*m->section));
		m->section[m->nr_sections++] = (struct make_section) {
			.start = header.sh_addr + bias,
			.end = header.sh_addr + bias + header.sh_size,
			.name = strtab_add(&m->symbols, name, strlen(name)),
		};
	}
	if (m->nr_sections)
		qsort(m->section, m->nr_sections, sizeof(*m->section), by_section);
}

/* --- symbols --- */

static int by_address(const void *va, const void *vb)
{
	const struct elf_function *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->preference != b->preference ? b->preference - a->preference :
	       strcmp(a->name, b->name);
}

const struct elf_function *elf_function_at(const struct elf_input *elf, uint64_t addr)
{
	size_t low = 0, high = elf->nr_functions;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (elf->function[mid].start < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < elf->nr_functions && elf->function[low].start == addr ?
	       &elf->function[low] : NULL;
}

/* Functions without a size, from assembly, extend to the next one. */
static void order_functions(struct elf_input *elf)
{
	size_t i, kept = 0;

	if (!elf->nr_functions)
		return;
	qsort(elf->function, elf->nr_functions, sizeof(*elf->function), by_address);
	for (i = 0; i < elf->nr_functions; i++)
		if (!kept || elf->function[kept - 1].start != elf->function[i].start)
			elf->function[kept++] = elf->function[i];
	elf->nr_functions = kept;
	for (i = 0; i + 1 < kept; i++)
		if (elf->function[i].end == elf->function[i].start ||
		    elf->function[i].end > elf->function[i + 1].start)
			elf->function[i].end = elf->function[i + 1].start;
}

static void add_functions(struct elf_input *elf)
{
	int i, nr = dwfl_module_getsymtab(elf->module);
	const char *name;
	GElf_Addr addr;
	GElf_Sym sym;
	int type;

	for (i = 1; i < nr; i++) {
		name = dwfl_module_getsym_info(elf->module, i, &sym, &addr, NULL, NULL, NULL);
		type = GELF_ST_TYPE(sym.st_info);
		if (!name || !*name || *name == '$' || sym.st_shndx == SHN_UNDEF ||
		    sym.st_shndx == SHN_ABS || (type != STT_FUNC && type != STT_NOTYPE) ||
		    !strncmp(name, "__pfx_", 6))
			continue;
		elf->function = mem_grow(elf->function, &elf->function_room, elf->nr_functions + 1,
					 sizeof(*elf->function));
		elf->function[elf->nr_functions++] = (struct elf_function) {
			.start = addr, .end = addr + sym.st_size, .name = name,
			.preference = 2 * (type == STT_FUNC) +
				      (GELF_ST_BIND(sym.st_info) == STB_GLOBAL),
		};
	}
	order_functions(elf);
}

/* --- the file --- */

/* "/lib/modules/.../ext4.ko.xz" is "ext4"; the kernel replaces '-' in names of modules by '_'. */
static void set_owner(struct make *m, const char *path, bool is_module)
{
	const char *base = strrchr(path, '/');
	char *c;

	base = base ? base + 1 : path;
	if (!is_module)
		base = "vmlinux";
	snprintf(m->owner, sizeof(m->owner), "%.*s", (int)strcspn(base, "."), base);
	for (c = m->owner; is_module && *c; c++)
		if (*c == '-')
			*c = '_';
}

/*
 * Source files are named relative to the top of their tree. Most units tell where that is. Units
 * of assembly may be named relative to another directory; they are below arch/.
 */
static void find_root(struct elf_input *elf)
{
	const char *name, *arch;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	while (!dwarf_get_units(elf->dwarf, cu, &cu, NULL, NULL, &die, NULL)) {
		name = dwarf_diename(&die);
		arch = name && *name == '/' ? strstr(name, "/arch/") : NULL;
		if (!arch)
			continue;
		buf_add(&elf->root, name, arch - name);
		return;
	}
}

static int has_units(struct make *m, struct elf_input *elf, const char *path)
{
	Dwarf_CU *cu = NULL;

	elf->dwarf = dwfl_module_getdwarf(elf->module, &elf->bias);
	if (!elf->dwarf || dwarf_get_units(elf->dwarf, NULL, &cu, NULL, NULL, NULL, NULL))
		return msg_error("%s: no debug information: take the vmlinux of the kernel's -dbg "
				 "package, or of a kernel built with CONFIG_DEBUG_INFO", path);
	if (!m->nr_sections)
		return msg_error("%s: no code", path);
	if (m->section[m->nr_sections - 1].end - m->section[0].start > UINT32_MAX)
		return msg_error("%s: its code spans more than 4 GiB", path);
	return EXIT_OK;
}

static int read_module(struct make *m, struct elf_input *elf, const char *path, bool with_lines)
{
	const unsigned char *id;
	GElf_Addr bias, id_at;
	GElf_Ehdr header;
	Elf *file = dwfl_module_getelf(elf->module, &bias);
	int size, ret;

	if (!file || !gelf_getehdr(file, &header))
		return msg_error("%s: %s", path, dwfl_errmsg(-1));
	m->machine = header.e_machine;
	size = dwfl_module_build_id(elf->module, &id, &id_at);
	if (size <= 0 || size > (int)sizeof(m->build_id))
		return msg_error("%s: no build id, by which an index is known to belong to a kernel",
				 path);
	memcpy(m->build_id, id, size);
	m->build_id_size = size;
	set_owner(m, path, header.e_type == ET_REL);
	/* Symbols first: reading them makes libdwfl assign addresses to a module's sections. */
	add_functions(elf);
	add_sections(m, file, bias);
	ret = has_units(m, elf, path);
	if (ret)
		return ret;
	find_root(elf);
	make_units(m, elf, with_lines);
#ifdef KPROF_CAPSTONE
	make_exits(m, elf);
#endif
	return EXIT_OK;
}

int make_read(struct make *m, const char *path, bool with_lines)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct elf_input elf = { 0 };
	Dwfl *dwfl = dwfl_begin(&callbacks);
	int ret;

	if (!dwfl)
		return msg_error("%s: %s", path, dwfl_errmsg(-1));
	dwfl_report_begin(dwfl);
	elf.module = dwfl_report_offline(dwfl, "", path, -1);
	dwfl_report_end(dwfl, NULL, NULL);
	if (!elf.module)
		ret = msg_error("%s: %s", path, dwfl_errmsg(-1));
	else
		ret = read_module(m, &elf, path, with_lines);
	free(elf.function);
	buf_free(&elf.root);
	dwfl_end(dwfl);
	return ret;
}
