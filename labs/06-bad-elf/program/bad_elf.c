// SPDX-License-Identifier: GPL-2.0-only
/*
 * bad_elf.c - makes two programs that die of SIGSEGV, each in its way
 *
 *	bad-elf ONE TWO
 *
 * Both look alike. One is well-formed and begins where there is nothing, so that it dies in user
 * mode; of the other the kernel cannot make a process, and notices that too late to go back.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "06-bad-elf/params.h"

#define PAGE		0x1000
#define TEXT		0x400000
#define DATA		0x600000
#define NOWHERE		0x300000

#ifdef __aarch64__
#define MACHINE		EM_AARCH64
#else
#define MACHINE		EM_X86_64
#endif

struct image {
	Elf64_Ehdr head;
	Elf64_Phdr text, data;
	char rest[2 * PAGE - sizeof(Elf64_Ehdr) - 2 * sizeof(Elf64_Phdr)];
};

static void make_good(struct image *image)
{
	image->head = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = MACHINE, .e_version = EV_CURRENT,
		.e_entry = NOWHERE, .e_phoff = sizeof(Elf64_Ehdr),
		.e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
	};
	image->text = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = TEXT, .p_paddr = TEXT,
		.p_filesz = PAGE, .p_memsz = PAGE, .p_align = PAGE,
	};
	image->data = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_offset = PAGE, .p_vaddr = DATA,
		.p_paddr = DATA, .p_filesz = PAGE, .p_memsz = PAGE, .p_align = PAGE,
	};
}

static void make_bad(struct image *image, enum bad_elf_defect defect)
{
	Elf64_Phdr *data = &image->data;

	image->head.e_entry = TEXT;
	switch (defect) {
	case BAD_ELF_FILESZ:
		data->p_memsz = data->p_filesz - 0x10;
		break;
	case BAD_ELF_ALIGN:
		data->p_vaddr += 0x10;
		break;
	case BAD_ELF_MEMSZ:
		data->p_memsz = 1ULL << 46;
		break;
	case BAD_ELF_VADDR:
		data->p_vaddr = 0xffff800000000000;
		break;
	case BAD_ELF_OFFSET:
		data->p_offset = -PAGE;
		break;
	case BAD_ELF_NR:
		break;
	}
}

static void write_image(const char *path, const struct image *image)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	if (file < 0 || write(file, image, sizeof(*image)) != sizeof(*image) || close(file)) {
		perror(path);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	static struct image image;
	struct bad_elf_params params;
	unsigned long long token;
	FILE *file = fopen("/etc/lab/token", "r");
	u32 i;

	if (argc != 3 || !file || fscanf(file, "%llx", &token) != 1) {
		fprintf(stderr, "usage: bad-elf ONE TWO\n");
		return 2;
	}
	bad_elf_params(&params, token);
	for (i = 0; i < 2; i++) {
		make_good(&image);
		if (i == params.guilty)
			make_bad(&image, params.defect);
		write_image(argv[1 + i], &image);
	}
	return 0;
}
