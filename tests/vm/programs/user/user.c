// SPDX-License-Identifier: GPL-2.0-only
/*
 * user.c - a program whose user stacks are known
 *
 * usage: user share ROUNDS     half of the time in user_three, a quarter in user_one and user_two
 *        user enter ROUNDS     the same in the kernel, called from user_enter
 *        user children N       N children, one after the other, that each work for some 2 ms
 *        user made             functions that are called in memory which no file has
 *        user maps             more executable memory than is kept of a process; works in the last
 *        user files N          N files mapped executable, one after the other
 *        user crowd N          N children that begin at once
 *        user far              code in a program, so far behind its beginning that the offset of
 *                              the place needs more than 48 bits
 *        user clock N          N times, what time it is
 *        user loops PATH N     N files, of that path or without one (-), that each have a loop,
 *                              which runs for some milliseconds
 *        user led N            a thread that works N rounds, whose leader has ended before
 *        user ring             a ring of packets mapped executable; says "mapped", and waits
 *        user turns N          two processes, which wake each other N times: one is called
 *                              user_ping and calls that, the other one user_pong
 *        user vfork N          N children of vfork(), which work in user_spin
 *        user signal N         N signals, whose handler works in user_spin
 *        user absent           works in user_spin, while the code of a caller is not in memory
 *        user KIND             what no stack leads through: frame pointers that are KIND
 *        user mapped FILE      the same, where the return address is in FILE, which is mapped
 *
 * KIND is loop, kernel, unmapped, odd, down, data, or list: frames whose return addresses are those
 * of functions.
 */
#include <fcntl.h>
#include <linux/if_packet.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "user.h"

/* So many turns of an empty loop are the work. */
static unsigned long turns;

NOINLINE void user_spin(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

/* Work after each call keeps them from being jumps. */
static NOINLINE void user_one(unsigned long n)
{
	user_spin(n);
	turns++;
}

static NOINLINE void user_two(unsigned long n)
{
	user_spin(n);
	turns++;
}

static NOINLINE void user_three(unsigned long n)
{
	user_spin(2 * n);
	turns++;
}

static NOINLINE void user_share(unsigned long rounds)
{
	while (rounds--) {
		user_one(20000);
		user_two(20000);
		user_three(20000);
	}
}

static NOINLINE long user_enter(unsigned long rounds)
{
	char room[4096];
	long sum = 0;
	int fd = syscall(SYS_memfd_create, "user", 0);

	while (rounds--) {
		if (ftruncate(fd, 0) || pwrite(fd, room, sizeof(room), 0) < 0)
			abort();
		sum++;
	}
	close(fd);
	return sum;
}

static NOINLINE void user_child(void)
{
	user_spin(400000);
	turns++;
}

static void children(unsigned long n)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		if (pid < 0)
			abort();
		if (!pid) {
			execl("/proc/self/exe", "user-child", "child", NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Spin for a while with a frame pointer that is not one. */
static NOINLINE void user_with_frame(uintptr_t frame)
{
	unsigned long n = 400000000;

#if defined(__x86_64__)
	__asm__ volatile("push %%rbp\n\tmov %1, %%rbp\n"
			 "1:\tdec %0\n\tjnz 1b\n\tpop %%rbp" : "+r"(n) : "r"(frame) : "memory");
#elif defined(__i386__)
	__asm__ volatile("push %%ebp\n\tmov %1, %%ebp\n"
			 "1:\tdec %0\n\tjnz 1b\n\tpop %%ebp" : "+r"(n) : "r"(frame) : "memory");
#elif defined(__aarch64__)
	register uintptr_t x9 __asm__("x9") = frame;

	__asm__ volatile("mov x10, x29\n\tmov x29, %1\n"
			 "1:\tsubs %0, %0, #1\n\tb.ne 1b\n\tmov x29, x10"
			 : "+r"(n) : "r"(x9) : "x10", "cc", "memory");
#endif
	turns++;
}

/* As a list of tasks on a stack, each with a function that it will call. */
static void make_list(uintptr_t frame[4])
{
	frame[0] = (uintptr_t)&frame[2];
	frame[1] = (uintptr_t)user_one;
	frame[2] = 0;
	frame[3] = (uintptr_t)user_two;
}

/* By itself the frame looks right: its return address is this function's, in main. */
static NOINLINE uintptr_t frame_of_kind(const char *kind)
{
	static uintptr_t frame[8] __attribute__((aligned(16)));
	uintptr_t here = (uintptr_t)frame;

	frame[1] = (uintptr_t)__builtin_return_address(0);
	if (!strcmp(kind, "list"))
		make_list(frame);
	else if (!strcmp(kind, "loop"))
		frame[0] = here;
	else if (!strcmp(kind, "down"))
		frame[0] = here - 64;
	else if (!strcmp(kind, "data"))
		frame[1] = here;
	else if (!strcmp(kind, "kernel"))
		here = ~(uintptr_t)0xffff;
	else if (!strcmp(kind, "unmapped"))
		here = 0x10000;
	else if (!strcmp(kind, "odd"))
		here++;
	else
		exit(2);
	return here;
}

/* Its return address is in the header of a program, behind no call; the memory there is present. */
static uintptr_t frame_in_file(const char *path)
{
	static uintptr_t frame[4] __attribute__((aligned(16)));
	int fd = open(path, O_RDONLY);
	const char *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (fd < 0 || code == MAP_FAILED)
		exit(2);
	__asm__ volatile("" : : "r"(code[64]));
	frame[0] = (uintptr_t)&frame[2];
	frame[1] = (uintptr_t)code + 64;
	return (uintptr_t)frame;
}

/* A file without a path that counts as a program, as it begins like one. */
static int open_program(const char *name)
{
	int fd = syscall(SYS_memfd_create, name, 0);

	if (fd < 0 || ftruncate(fd, 4096) || pwrite(fd, "\177ELF", 4, 0) != 4)
		abort();
	return fd;
}

/* A copy of a loop, where no file is mapped. */
static NOINLINE void user_made(void)
{
#if defined(__x86_64__)
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5,			/* push %rbp; mov %rsp,%rbp */
		0xb9, 0x00, 0x84, 0xd7, 0x17,		/* mov $400000000,%ecx */
		0xff, 0xc9, 0x75, 0xfc,			/* 1: dec %ecx; jnz 1b */
		0x5d, 0xc3,				/* pop %rbp; ret */
	};
	char *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), path[64];
	FILE *map;

	if (made == MAP_FAILED)
		abort();
	memcpy(made, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	fprintf(map, "%lx %zx made by;\033[31m hand\n", (unsigned long)made, sizeof(code));
	fclose(map);
	((void (*)(void))made)();
	turns++;
#endif
}

#if defined(__x86_64__)
/* Pages that are neighbours are one piece of memory: every other one is executable. */
static NOINLINE void user_maps(void)
{
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 0x10, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	const int nr = 4200;
	char *made = mmap(NULL, nr * 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i;

	if (made == MAP_FAILED)
		abort();
	memcpy(made + (nr - 1) * 8192, code, sizeof(code));
	for (i = 0; i < nr; i++)
		if (mprotect(made + i * 8192, 4096, PROT_READ | PROT_EXEC))
			abort();
	((void (*)(void))(made + (nr - 1) * 8192))();
	turns++;
}

static NOINLINE void user_far(void)
{
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 0x20, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	int fd = open_program("far");
	off_t offset = 1L << 48;
	char *made;

	if (pwrite(fd, code, sizeof(code), offset) != sizeof(code))
		abort();
	made = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, offset);
	if (made == MAP_FAILED)
		abort();
	((void (*)(void))made)();
	turns++;
}
#else
static void user_maps(void)
{
}

static void user_far(void)
{
}
#endif

/* It counts its argument down. */
#if defined(__x86_64__)
static const unsigned char loop_code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#elif defined(__aarch64__)
static const uint32_t loop_code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#endif

static NOINLINE void user_loops(const char *path, unsigned long n)
{
	char *made;
	int fd;

	while (n--) {
		fd = strcmp(path, "-") ? open(path, O_RDWR) : open_program("loop");
		if (fd < 0)
			abort();
		made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (made == MAP_FAILED)
			abort();
		memcpy(made, loop_code, sizeof(loop_code));
		__builtin___clear_cache(made, made + sizeof(loop_code));
		((void (*)(unsigned long))made)(8000000);
		munmap(made, 4096);
		close(fd);
	}
}

static NOINLINE void user_clock(unsigned long n)
{
	struct timespec now;

	while (n--)
		clock_gettime(CLOCK_MONOTONIC, &now);
	turns++;
}

static void *work(void *rounds)
{
	user_share((uintptr_t)rounds);
	exit(0);
}

static void user_led(unsigned long rounds)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, (void *)rounds))
		abort();
	/* Of this thread only. */
	syscall(SYS_exit, 0);
}

static void user_files(unsigned long n)
{
	void *mapped;
	int fd;

	while (n--) {
		fd = open_program("user");
		mapped = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (mapped == MAP_FAILED || munmap(mapped, 4096))
			abort();
		close(fd);
	}
}

/* Nobody takes this CPU from a task of this class: all children are there before one runs. */
static void user_crowd(unsigned long n)
{
	struct sched_param param = { .sched_priority = 1 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &param))
		abort();
	while (n--)
		if (!fork())
			_exit(0);
	while (wait(NULL) > 0)
		;
}

/* What is mapped is a socket: reading it would wait for a packet, and none comes. */
static void user_ring(void)
{
	struct tpacket_req req = {
		.tp_block_size = 4096, .tp_block_nr = 1, .tp_frame_size = 2048, .tp_frame_nr = 2,
	};
	int fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (fd < 0 || setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req)) ||
	    mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, fd, 0) == MAP_FAILED)
		abort();
	puts("mapped");
	fflush(stdout);
	pause();
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "share"))
		user_share(n);
	else if (!strcmp(argv[1], "enter"))
		user_enter(n);
	else if (!strcmp(argv[1], "children"))
		children(n);
	else if (!strcmp(argv[1], "child"))
		user_child();
	else if (!strcmp(argv[1], "made"))
		user_made();
	else if (!strcmp(argv[1], "maps"))
		user_maps();
	else if (!strcmp(argv[1], "files"))
		user_files(n);
	else if (!strcmp(argv[1], "crowd"))
		user_crowd(n);
	else if (!strcmp(argv[1], "far"))
		user_far();
	else if (!strcmp(argv[1], "clock"))
		user_clock(n);
	else if (!strcmp(argv[1], "loops") && argc > 3)
		user_loops(argv[2], strtoul(argv[3], NULL, 10));
	else if (!strcmp(argv[1], "led"))
		user_led(n);
	else if (!strcmp(argv[1], "turns"))
		user_turns(n);
	else if (!strcmp(argv[1], "vfork"))
		user_vfork(n);
	else if (!strcmp(argv[1], "signal"))
		user_signal(n);
	else if (!strcmp(argv[1], "absent"))
		user_absent();
	else if (!strcmp(argv[1], "ring"))
		user_ring();
	else if (!strcmp(argv[1], "mapped") && argc > 2)
		user_with_frame(frame_in_file(argv[2]));
	else
		user_with_frame(frame_of_kind(argv[1]));
	return 0;
}
