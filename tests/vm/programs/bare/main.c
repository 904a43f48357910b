// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - a program without frame pointers whose stacks are known
 *
 * usage: bare KIND ROUNDS [FILE]
 *
 * Each round works in bare_spin, called through KIND: chain, library, signal, altstack, thread,
 * calls, which works between functions, or silent, in a function of which .eh_frame says nothing.
 * These are called as bare_spin is by chain, four times in each round: "sleeps", for 10 ms;
 * "touches", 16 new pages; "writes", 50 into FILE, 20 ms later; "keeps", a pipe, and "maps", the
 * beginning of FILE as code: these two sleep at the end.
 */
#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "bare.h"

#define NOINLINE __attribute__((noipa))

static unsigned long turns;

/* A leaf. */
static NOINLINE void bare_spin(unsigned long n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

static NOINLINE void bare_sleeps(unsigned long n)
{
	const struct timespec time = { .tv_nsec = 10000000 };

	nanosleep(&time, NULL);
	turns += n;
}

static NOINLINE void bare_touches(unsigned long n)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = 16 * page;
	char *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at;

	if (room == MAP_FAILED)
		exit(3);
	madvise(room, size, MADV_NOHUGEPAGE);
	for (at = 0; at < size; at += page)
		room[at] = n;
	__asm__ volatile("" : : "r"(room) : "memory");
	turns += n;
}

static NOINLINE void bare_keeps(unsigned long n)
{
	int ends[2];

	if (pipe(ends))
		exit(3);
	turns += n;
}

static const char *written;

static NOINLINE void bare_writes(unsigned long n)
{
	const struct timespec time = { .tv_nsec = 20000000 };
	int fd = open(written, O_WRONLY);

	nanosleep(&time, NULL);	/* meanwhile a reader goes to sleep again */
	if (fd < 0 || write(fd, "50\n", 3) != 3)
		exit(3);
	close(fd);
	turns += n;
}

static NOINLINE void bare_maps(unsigned long n)
{
	int fd = open(written, O_RDONLY);

	if (mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) ==
	    MAP_FAILED)
		exit(3);
	close(fd);
	turns += n;
}

static void (*work)(unsigned long n) = bare_spin;

/* Saves all registers that it has to, the frame pointer among them, which then holds data. */
static NOINLINE unsigned long bare_pushes(unsigned long n)
{
	unsigned long a = n, b = n + 1, c = n + 2, d = n + 3, e = n + 4, f = n + 5, i;

	for (i = 0; i < 4; i++) {
		__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
		work(n / 4);
	}
	return a + b + c + d + e + f;
}

/* Its frame has a size that is known at run time only. */
static NOINLINE unsigned long bare_alloca(unsigned long n)
{
	char *room = alloca(n % 1000 + 1);

	__asm__ volatile("" : : "r"(room) : "memory");
	return bare_pushes(n) + room[0] * 0;
}

/* A large frame, whose pointer is aligned to more than the stack is. */
static NOINLINE unsigned long bare_aligned(unsigned long n)
{
	char room[5000] __attribute__((aligned(64)));

	__asm__ volatile("" : : "r"(room) : "memory");
	return bare_alloca(n) + 1;
}

static NOINLINE void bare_back(unsigned long n)
{
	bare_aligned(n);
	turns++;
}

static NOINLINE void bare_handler(int nr, siginfo_t *info, void *context)
{
	mcontext_t *registers = &((ucontext_t *)context)->uc_mcontext;

	(void)nr;
	(void)info;
	bare_spin(20000);
#if defined(__x86_64__)
	registers->gregs[REG_RIP] += 2;
#elif defined(__aarch64__)
	registers->pc += 4;
#endif
}

/* The first instruction of this function is the one that is interrupted. */
static NOINLINE void bare_trap(void)
{
#if defined(__x86_64__)
	__asm__ volatile("ud2");
#elif defined(__aarch64__)
	__asm__ volatile(".inst 0");
#endif
}

static NOINLINE void bare_signal(unsigned long rounds, int flags)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_sigaction = bare_handler, .sa_flags = SA_SIGINFO | flags };

	sigaltstack(&stack, NULL);
	sigaction(SIGILL, &action, NULL);
	while (rounds--)
		bare_trap();
	turns++;
}

static NOINLINE unsigned long bare_calls(unsigned long rounds)
{
	unsigned long n = 0, i;

	while (rounds--)
		for (i = 0; i < 2000; i++)
			n = bare_nothing(n);
	return n + 1;
}

/* Assemblers say nothing of a frame by themselves; C libraries have such functions. */
void bare_silent_spin(unsigned long n);
#if defined(__x86_64__)
__asm__(".pushsection .text\n"
	".type bare_silent_spin, @function\n"
	"bare_silent_spin:\n"
	"	xor %eax, %eax\n"
	"1:	inc %rax\n"
	"	cmp %rdi, %rax\n"
	"	jb 1b\n"
	"	ret\n"
	".size bare_silent_spin, .-bare_silent_spin\n"
	".popsection");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
	".type bare_silent_spin, %function\n"
	"bare_silent_spin:\n"
	"1:	subs x0, x0, #1\n"
	"	b.ne 1b\n"
	"	ret\n"
	".size bare_silent_spin, .-bare_silent_spin\n"
	".popsection");
#endif

static NOINLINE unsigned long bare_silent(unsigned long rounds)
{
	char room[100];

	while (rounds--) {
		__asm__ volatile("" : : "r"(room) : "memory");
		bare_silent_spin(20000);
	}
	return turns + 1;
}

static NOINLINE void *bare_thread(void *rounds)
{
	unsigned long n = (unsigned long)rounds;

	while (n--)
		bare_back(20000);
	return NULL;
}

static bool take_work(const char *kind)
{
	static const struct {
		const char *kind;
		void (*work)(unsigned long n);
	} works[] = {
		{ "chain", bare_spin }, { "sleeps", bare_sleeps }, { "touches", bare_touches },
		{ "keeps", bare_keeps }, { "writes", bare_writes }, { "maps", bare_maps },
	};
	size_t i;

	for (i = 0; i < sizeof(works) / sizeof(*works); i++)
		if (!strcmp(works[i].kind, kind)) {
			work = works[i].work;
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	const char *kind = argc > 1 ? argv[1] : "";
	pthread_t thread;

	written = argc > 3 ? argv[3] : "/dev/null";
	if (take_work(kind))
		bare_thread((void *)rounds);
	else if (!strcmp(kind, "library"))
		bare_library(rounds, bare_back);
	else if (!strcmp(kind, "signal"))
		bare_signal(rounds, 0);
	else if (!strcmp(kind, "altstack"))
		bare_signal(rounds, SA_ONSTACK);
	else if (!strcmp(kind, "silent"))
		turns += bare_silent(rounds);
	else if (!strcmp(kind, "calls"))
		turns += bare_calls(rounds);
	else if (strcmp(kind, "thread") ||
		 pthread_create(&thread, NULL, bare_thread, (void *)rounds) ||
		 pthread_join(thread, NULL))
		return 2;
	turns++;
	while (work == bare_keeps || work == bare_maps)
		pause();
	return 0;
}
