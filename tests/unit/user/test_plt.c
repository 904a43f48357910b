// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_plt.c - the entries of procedure linkage tables: of this program, beside the dynamic linker
 */
#if __has_include("elfutils/libdw.h")

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "unit.h"
#include "user/plt.h"
#include "user/segments.h"

/* --- this program, as it is in memory --- */

static uint64_t base;
static int nr_entries, nr_known, nr_wrong;

static void check_entry(GElf_Addr addr, uint64_t size, const char *name, void *arg)
{
	const GElf_Ehdr *header = arg;
	void *expected = dlsym(RTLD_DEFAULT, name);
	uint64_t slot;

	nr_entries++;
	CHECK(size == 8 || size == 16 || size == 24);
	if (!plt_decode(header->e_machine, (const uint8_t *)(base + addr), size, base + addr,
			&slot)) {
		nr_wrong++;
		return;
	}
	/* Of some functions there are two, by versions. */
	if (!expected)
		return;
	nr_known++;
	nr_wrong += *(void **)slot != expected && *(uint64_t *)slot - base >= 1ul << 30;
}

static void test_program(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf *elf = segments_open(fd);
	GElf_Ehdr header;

	CHECK(elf && gelf_getehdr(elf, &header));
	base = getauxval(AT_ENTRY) - header.e_entry;
	plt_each(elf, check_entry, &header);
	CHECK(nr_entries > 5);
	CHECK(nr_known > nr_entries / 2);
	CHECK_INT(nr_wrong, 0);
	elf_end(elf);
	close(fd);
}

/* --- as other linkers and machines have them --- */

static uint64_t slot_of(int machine, const char *bytes, size_t size, uint64_t expected_size)
{
	uint64_t slot = 0;

	CHECK_INT(plt_decode(machine, (const uint8_t *)bytes, size, 0x401000, &slot),
		  expected_size);
	return slot;
}

#define SLOT_OF(machine, bytes, size)	slot_of(machine, bytes, sizeof(bytes) - 1, size)

static void test_decode(void)
{
	CHECK_INT(SLOT_OF(EM_X86_64, "\xff\x25\x00\x10\x00\x00", 6), 0x402006);
	CHECK_INT(SLOT_OF(EM_X86_64, "\xff\x25\xfa\xff\xff\xff", 6), 0x401000);
	CHECK_INT(SLOT_OF(EM_X86_64, "\xf3\x0f\x1e\xfa\xff\x25\x00\x10\x00\x00", 10), 0x40200a);
	CHECK_INT(SLOT_OF(EM_X86_64, "\xf3\x0f\x1e\xfa\xf2\xff\x25\x00\x10\x00\x00", 11), 0x40200b);
	SLOT_OF(EM_X86_64, "\xff\x35\x00\x10\x00\x00", 0);	/* the first entry pushes */
	SLOT_OF(EM_X86_64, "\xff\x25\x00\x10\x00", 0);
	SLOT_OF(EM_X86_64, "", 0);
	/* adrp x16, 0x420000; ldr x17, [x16, 24]; add x16, x16, 24; br x17 */
	CHECK_INT(SLOT_OF(EM_AARCH64, "\xf0\x00\x00\xf0\x11\x0e\x40\xf9\x10\x62\x00\x91\x20\x02\x1f\xd6",
			  16), 0x420018);
	/* bti c; adrp x16, 0x3ff000; ... */
	CHECK_INT(SLOT_OF(EM_AARCH64, "\x5f\x24\x03\xd5\xf0\xff\xff\xd0\x11\x0e\x40\xf9\x10\x62\x00\x91"
			  "\x20\x02\x1f\xd6", 20), 0x3ff018);
	SLOT_OF(EM_AARCH64, "\xf0\x7b\xbf\xa9\xf0\x00\x00\xf0\x11\x0e\x40\xf9\x10\x62\x00\x91", 0);
	SLOT_OF(EM_AARCH64, "\xf0\x00\x00\xf0\x11\x0e\x40\xf9", 0);
	SLOT_OF(EM_386, "\xff\x25\x00\x10\x00\x00", 0);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{ "all of a program lead to what they are named after", test_program },
		{ "as they are with other flags, and on arm64", test_decode },
		{ 0 },
	};

	(void)argc;
	/* Else a slot has its function's address after the first call only. */
	if (!getenv("LD_BIND_NOW")) {
		setenv("LD_BIND_NOW", "1", 1);
		execv("/proc/self/exe", argv);
	}
	return unit_run(tests);
}

#else

#include "unit.h"

int main(void)
{
	return unit_skip("libdw is not here");
}

#endif
