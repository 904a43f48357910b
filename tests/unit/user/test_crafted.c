// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_crafted.c - ELF files that are made to take memory, or to wait: sections over each other,
 * long names, a FIFO
 */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "user/code.h"
#include "user/elf.h"
#include "user/imports.h"
#include "user/markers.h"

#ifdef __x86_64__
#define MACHINE	EM_X86_64
#else
#define MACHINE	EM_AARCH64
#endif

#define SECTIONS_MAX	128
#define CODE		3	/* the number of the section with code */
#define LONG		20000	/* longer than any name of a function */

/* A file: its header, what is loaded, what its sections have, and their headers at the end. */
static struct {
	char path[64];
	struct buf bytes;
	Elf64_Shdr section[SECTIONS_MAX];
	int nr;
} f;

static size_t add_bytes(const void *bytes, size_t len)
{
	static const char zeros[8];
	size_t at = f.bytes.len;

	buf_add(&f.bytes, bytes, len);
	buf_add(&f.bytes, zeros, -len & 7);
	return at;
}

static void add_section(int type, int name, size_t at, size_t size, int link, size_t entry)
{
	f.section[f.nr++] = (Elf64_Shdr) {
		.sh_type = type, .sh_name = name, .sh_offset = at, .sh_size = size,
		.sh_link = link, .sh_entsize = entry, .sh_addralign = 1,
	};
}

static void begin(void)
{
	static const char names[] = "\0.note.stapsdt";
	const Elf64_Ehdr header = { .e_phnum = 0 };
	const Elf64_Phdr segment = { .p_type = 0 };

	f.bytes.len = 0;
	f.nr = 0;
	add_bytes(&header, sizeof(header));
	add_bytes(&segment, sizeof(segment));
	add_section(SHT_NULL, 0, 0, 0, 0, 0);
	add_section(SHT_STRTAB, 0, add_bytes(names, sizeof(names)), sizeof(names), 0, 0);
}

static int finish(void)
{
	Elf64_Ehdr header = {
		.e_ident = ELFMAG "\2\1\1",	/* 64 bits, little endian, version 1 */
		.e_type = ET_DYN, .e_machine = MACHINE, .e_version = EV_CURRENT,
		.e_phoff = sizeof(header), .e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = f.nr, .e_shstrndx = 1,
	};
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 0x1000,
			       .p_memsz = 0x1000 };
	int fd;

	header.e_shoff = add_bytes(f.section, f.nr * sizeof(*f.section));
	memcpy(f.bytes.data, &header, sizeof(header));
	memcpy(f.bytes.data + sizeof(header), &segment, sizeof(segment));
	strcpy(f.path, "/tmp/kprof-crafted-XXXXXX");
	fd = mkstemp(f.path);
	if (fd < 0 || write(fd, f.bytes.data, f.bytes.len) != (ssize_t)f.bytes.len)
		abort();
	return fd;
}

static void end(int fd)
{
	close(fd);
	unlink(f.path);
	buf_free(&f.bytes);
}

/* --- markers --- */

/* A marker at an address, with a name of one letter that is repeated. */
static void add_note(struct buf *notes, uint64_t address, int letter, size_t len)
{
	struct buf text = { 0 };
	uint64_t place[3] = { address };
	uint32_t head[3] = { 8, 0, 3 };

	buf_add(&text, place, sizeof(place));
	buf_add(&text, "p", 2);
	while (len--)
		buf_printf(&text, "%c", letter);
	buf_add(&text, "\0\0\0\0", 4);
	while (text.len % 4)
		buf_add(&text, "", 1);
	head[1] = text.len;
	buf_add(notes, head, sizeof(head));
	buf_add(notes, "stapsdt", 8);
	buf_add(notes, text.data, text.len);
	buf_free(&text);
}

static size_t count_markers(const struct buf *notes, int sections, const char *first)
{
	struct user_markers m = { .nr = 0 };
	size_t at, nr;
	int fd;

	begin();
	at = add_bytes(notes->data, notes->len);
	while (sections--)
		add_section(SHT_NOTE, 1, at, notes->len, 0, 0);
	fd = finish();
	user_markers_read(&m, fd);
	nr = m.nr;
	if (first)
		CHECK_STR(nr ? m.item[0].name : "none", first);
	user_markers_free(&m);
	end(fd);
	return nr;
}

static void test_markers(void)
{
	struct buf notes = { 0 };
	int i;

	add_note(&notes, 0x100, 'a', 1);
	CHECK_INT(count_markers(&notes, 1, "a"), 1);
	add_note(&notes, 0x2000, 'b', 1);	/* not loaded */
	add_note(&notes, 0x100, 'c', LONG);
	add_note(&notes, 0x100, 'd', 1);
	CHECK_INT(count_markers(&notes, 1, "a"), 2);
	for (i = 0; i < 1000; i++)
		add_note(&notes, 0x100, 'e', 100);
	CHECK_INT(count_markers(&notes, 1, NULL), 1002);
	CHECK_INT(count_markers(&notes, 100, NULL), 1002);
	buf_free(&notes);
}

/* --- functions --- */

/* Symbols of which the first has the name "f"; all others have one long name. */
static int make_symbols(int type, int sections, int shndx, size_t nr, size_t long_name)
{
	Elf64_Sym symbol = { .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = shndx,
			     .st_value = 0x100, .st_size = 1, .st_name = 1 };
	struct buf symbols = { 0 }, names = { 0 };
	size_t at, i;

	buf_add(&names, "\0f\0", 3);
	for (i = 0; i < long_name; i++)
		buf_add(&names, "x", 1);
	buf_add(&names, "", 1);
	buf_add(&symbols, &(Elf64_Sym){ 0 }, sizeof(symbol));
	for (i = 0; i < nr; i++) {
		symbol.st_value = 0x100 + i % 0x800;
		buf_add(&symbols, &symbol, sizeof(symbol));
		symbol.st_name = 3;
	}
	begin();
	add_section(SHT_STRTAB, 0, add_bytes(names.data, names.len), names.len, 0, 0);
	add_section(SHT_PROGBITS, 0, 0, 0x1000, 0, 0);
	f.section[CODE].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	at = add_bytes(symbols.data, symbols.len);
	while (sections--)
		add_section(type, 0, at, symbols.len, 2, sizeof(symbol));
	buf_free(&symbols);
	buf_free(&names);
	return finish();
}

static size_t count_imports(int sections, size_t long_name)
{
	int fd = make_symbols(SHT_DYNSYM, sections, SHN_UNDEF, 1000, long_name);
	struct user_imports m = { .nr = 0 };
	size_t nr;

	CHECK(user_imports_read(&m, f.path));
	nr = m.nr;
	CHECK_STR(nr ? m.item[0].name : "none", "f");
	user_imports_free(&m);
	end(fd);
	return nr;
}

static void test_imports(void)
{
	CHECK_INT(count_imports(1, 100), 1000);
	CHECK_INT(count_imports(1, LONG), 1);
	CHECK_INT(count_imports(100, 100), 1000);
}

/* A file with holes, in which there would be room for them. */
static void test_sections(void)
{
	const size_t nr = (1u << 20) + 1;
	struct user_imports m = { .nr = 0 };
	Elf64_Ehdr *header;
	int fd;

	begin();
	f.section[0].sh_size = nr;
	fd = finish();
	header = (void *)f.bytes.data;
	header->e_shnum = 0;
	if (pwrite(fd, header, sizeof(*header), 0) != sizeof(*header) ||
	    ftruncate(fd, f.bytes.len + nr * sizeof(Elf64_Shdr)))
		abort();
	CHECK(!user_imports_read(&m, f.path));
	user_imports_free(&m);
	end(fd);
}

static void test_functions(void)
{
	int fd = make_symbols(SHT_SYMTAB, 1, CODE, 1000, LONG);
	struct user_functions functions = { .nr = 0 };

	user_elf_read(&functions, fd, f.path, true);
	CHECK_INT(functions.nr, 1);
	CHECK(!functions.is_stripped);	/* as far as was looked */
	user_functions_free(&functions);
	end(fd);
}

/* Where none of the debug information is, here or elsewhere, nobody has to look again. */
static void test_stripped(void)
{
	int fd = make_symbols(SHT_DYNSYM, 1, CODE, 1, 0);
	struct user_functions functions = { .nr = 0 };

	user_elf_read(&functions, fd, f.path, true);
	CHECK(functions.is_stripped);
	user_functions_free(&functions);
	user_elf_read(&functions, open("/proc/self/exe", O_RDONLY), "/proc/self/exe", false);
	CHECK(functions.nr && !functions.is_stripped);
	user_functions_free(&functions);
	end(fd);
}

/* A file that is packed has no end of them, and takes no disk. */
static void test_many_functions(void)
{
	int fd = make_symbols(SHT_SYMTAB, 1, CODE, (4u << 20) + 100, 1);
	struct user_functions functions = { .nr = 0 };

	user_elf_read(&functions, fd, f.path, true);
	CHECK_INT(functions.nr, 4u << 20);
	user_functions_free(&functions);
	end(fd);
}

/* libdwfl looks for debug information also beside what a link in the path leads to. */
static void test_fifo(void)
{
	int fd = make_symbols(SHT_DYNSYM, 1, CODE, 1, 0);
	char dir[] = "/tmp/kprof-crafted-XXXXXX", link[64], fifo[80];
	struct user_functions functions = { .nr = 0 };

	if (!mkdtemp(dir))
		abort();
	snprintf(link, sizeof(link), "%s/program", dir);
	snprintf(fifo, sizeof(fifo), "%s.debug", f.path);
	CHECK(!symlink(f.path, link) && !mkfifo(fifo, 0600));
	alarm(300);
	user_elf_read(&functions, fd, link, true);
	alarm(0);
	CHECK(functions.nr <= 1);
	user_functions_free(&functions);
	unlink(link);
	unlink(fifo);
	rmdir(dir);
	end(fd);
}

static const struct unit_test tests[] = {
	{ "markers: sections over each other, long names, no place", test_markers },
	{ "imports: tables over each other, one long name for all", test_imports },
	{ "more sections than any program has", test_sections },
	{ "functions: one long name for all", test_functions },
	{ "it is known which file has no debug information", test_stripped },
	{ "more functions than any program has", test_many_functions },
	{ "a FIFO in place of debug information", test_fifo },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
