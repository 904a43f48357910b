// SPDX-License-Identifier: GPL-2.0-only
/*
 * jit.c - a program that generates code, and tells its names in a perf-PID.map
 *
 * usage: jit MEMORY MAP [MODE]
 *
 * Three functions, First, Second and Third, take a quarter, a quarter and a half of the time.
 *
 * MEMORY is where the code is:
 *   anon      private memory of no file
 *   shared    shared memory of no file
 *   memfd     a memfd that is mapped twice: to be written, and to be run
 *   zero      /dev/zero
 *   sysv      shared memory of System V
 *   deleted   a file in the current directory that has been removed
 *   file      a file in the current directory
 *
 * MAP is how the map is written:
 *   first     before the functions run
 *   last      when they have run
 *   prefix    as "first", numbers with 0x
 *   never     not at all
 *   link      into another file, to which the map is a symbolic link
 *   other     as "first", and given to another user
 *   fifo      the map is a pipe that nobody writes
 *   dir       the map is a directory
 *   huge      as "first", in a file of a terabyte
 *   garbage   as "first", between bytes that are no lines
 *   escapes   as "first"; names have control characters and semicolons
 *   old       as "first", and last written in 1970
 *
 * MODE is
 *   replace   Fourth takes the place of Third after half of Third's time
 *   fork      a child runs the functions, too
 *   long      ten times as long
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noipa))
#define SIZE	65536
#define OFFSET	65536	/* in a file: a file that is no program may begin with a hole */
#define APART	256	/* bytes from one function to the next */
#define TURNS	30000000ul

/* It counts its argument down, with a frame of its own. */
#if defined(__x86_64__)
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5,		/* push %rbp; mov %rsp,%rbp */
	0x48, 0xff, 0xcf, 0x75, 0xfb,	/* 1: dec %rdi; jnz 1b */
	0x5d, 0xc3,			/* pop %rbp; ret */
};
#elif defined(__aarch64__)
static const uint32_t code[] = {
	0xa9bf7bfd, 0x910003fd,		/* stp x29, x30, [sp, #-16]!; mov x29, sp */
	0xf1000400, 0x54ffffe1,		/* 1: subs x0, x0, #1; b.ne 1b */
	0xa8c17bfd, 0xd65f03c0,		/* ldp x29, x30, [sp], #16; ret */
};
#endif

static char *writable, *executable;

static void map_file(int fd)
{
	if (fd < 0 || ftruncate(fd, OFFSET + SIZE))
		abort();
	writable = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, OFFSET);
	executable = mmap(NULL, SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, OFFSET);
	close(fd);
}

static void map_memory(int flags, int fd)
{
	writable = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, flags, fd, 0);
	executable = writable;
}

static void map_code(const char *memory)
{
	int fd;

	if (!strcmp(memory, "anon")) {
		map_memory(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	} else if (!strcmp(memory, "shared")) {
		map_memory(MAP_SHARED | MAP_ANONYMOUS, -1);
	} else if (!strcmp(memory, "zero")) {
		map_memory(MAP_PRIVATE, open("/dev/zero", O_RDWR));
	} else if (!strcmp(memory, "memfd")) {
		map_file(syscall(SYS_memfd_create, "jit", 0));
	} else if (!strcmp(memory, "sysv")) {
		fd = shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0700);
		writable = shmat(fd, NULL, SHM_EXEC);
		executable = writable;
		shmctl(fd, IPC_RMID, NULL);
	} else if (!strcmp(memory, "deleted") || !strcmp(memory, "file")) {
		fd = open("code", O_RDWR | O_CREAT | O_TRUNC, 0700);
		if (*memory == 'd')
			unlink("code");
		/* Its beginning is in the page cache. */
		if (write(fd, "no program", 10) != 10)
			abort();
		map_file(fd);
	} else {
		exit(2);
	}
	if (writable == MAP_FAILED || executable == MAP_FAILED)
		abort();
}

static void put_code(int nr)
{
	memcpy(writable + nr * APART, code, sizeof(code));
	__builtin___clear_cache(writable + nr * APART, writable + nr * APART + sizeof(code));
	__builtin___clear_cache(executable + nr * APART, executable + nr * APART + sizeof(code));
}

static void tell(FILE *map, const char *kind, int nr, const char *name)
{
	const char *format = !strcmp(kind, "prefix") ? "0x%lx 0x%zx Jit::%s(int)[Tier1]\n" :
			     !strcmp(kind, "escapes") ? "%lx %zx \033[31m%s;\r\t\177\n" :
							"%lx %zx Jit::%s(int)[Tier1]\n";

	fprintf(map, format, (unsigned long)(executable + nr * APART), sizeof(code), name);
}

static void tell_all(const char *kind)
{
	static const char * const names[] = { "First", "Second", "Third" };
	static const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	char path[64];
	FILE *map;
	int i;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	unlink(path);
	if (!strcmp(kind, "fifo") || !strcmp(kind, "dir")) {
		if (*kind == 'f' ? mkfifo(path, 0600) : mkdir(path, 0700))
			abort();
		return;
	}
	if (!strcmp(kind, "link") && symlink("/tmp/linked.map", path))
		abort();
	map = fopen(path, "w");
	if (!map)
		abort();
	if (!strcmp(kind, "garbage"))
		fprintf(map, "\n\040\nzz\n%c%c\n1\040\n1 2\n1 2\040\nffffffffffffffffff 1 a\n-1 2 b\n",
			0, 255);
	for (i = 0; i < 3; i++)
		tell(map, kind, i, names[i]);
	if (!strcmp(kind, "garbage"))
		fprintf(map, "0 0 c\n0 ffffffff");
	fclose(map);
	if ((!strcmp(kind, "other") && chown(path, 12345, 12345)) ||
	    (!strcmp(kind, "huge") && truncate(path, 1L << 40)) ||
	    (!strcmp(kind, "old") && utimensat(AT_FDCWD, path, old, 0)))
		abort();
}

static NOINLINE void jit_call(int nr, unsigned long turns)
{
	((void (*)(unsigned long))(executable + nr * APART))(turns);
	__asm__ volatile("");	/* the call before it is not the end of this function */
}

static NOINLINE void jit_run(const char *mode)
{
	char path[64];
	FILE *map;

	jit_call(0, TURNS);
	jit_call(1, TURNS);
	jit_call(2, TURNS);
	if (!strcmp(mode, "replace")) {
		put_code(2);
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
		map = fopen(path, "a");
		tell(map, "first", 2, "Fourth");
		fclose(map);
	}
	jit_call(2, TURNS);
	__asm__ volatile("");	/* the call before it is not the end of this function */
}

int main(int argc, char **argv)
{
	const char *mode = argc > 3 ? argv[3] : "";
	int i;

	if (argc < 3)
		return 2;
	map_code(argv[1]);
	for (i = 0; i < 3; i++)
		put_code(i);
	if (strcmp(argv[2], "never") && strcmp(argv[2], "last"))
		tell_all(argv[2]);
	if (!strcmp(mode, "fork") && !fork()) {
		jit_run("");
		_exit(0);
	}
	for (i = strcmp(mode, "long") ? 9 : 0; i < 10; i++)
		jit_run(mode);
	wait(NULL);
	if (!strcmp(argv[2], "last"))
		tell_all(argv[2]);
	return 0;
}
