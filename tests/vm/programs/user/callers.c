// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers.c - functions whose callers are hard to find
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "user.h"

/* Work after each call keeps it from being a jump. */
static unsigned long turns;

/* The page of the caller's code comes back when this returns. */
static NOINLINE void user_leave(void (*caller)(void))
{
	if (madvise((void *)caller, 4096, MADV_DONTNEED))
		abort();
	user_spin(80000000);
	turns++;
}

#if defined(__aarch64__)
#define SKIP_PAGE "b 1f\n\t.skip 4096\n1:"
#else
#define SKIP_PAGE "jmp 1f\n\t.skip 4096\n1:"
#endif

/*
 * What is behind the call is not in the same page, so nothing else is there. A sample that comes
 * before the page is gone sees that there is a call: so there are several.
 */
#define ABSENT(nr)							\
static NOINLINE __attribute__((aligned(4096))) void user_absent##nr(void)	\
{									\
	user_leave(user_absent##nr);					\
	__asm__ volatile(SKIP_PAGE);					\
	turns++;							\
}

ABSENT(1)
ABSENT(2)
ABSENT(3)

NOINLINE void user_absent(void)
{
	/* What is called below is in memory from now on. */
	if (madvise(NULL, 0, MADV_DONTNEED))
		abort();
	user_spin(1);
	user_absent1();
	user_absent2();
	user_absent3();
	turns++;
}

/* Both have the same memory map, and are as deep in it. */
static NOINLINE void user_ping(int from, int to, unsigned long n)
{
	char byte = 0;

	while (n--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			exit(0);
	turns++;
}

static NOINLINE void user_pong(int from, int to, unsigned long n)
{
	char byte = 0;

	while (n--)
		if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
			exit(0);
	turns++;
}

void user_turns(unsigned long n)
{
	void (*turn)(int, int, unsigned long) = user_ping;
	int ping[2], pong[2];
	cpu_set_t cpus;
	pid_t pid;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(ping) || pipe(pong))
		abort();
	pid = fork();
	if (!pid)
		turn = user_pong;
	prctl(PR_SET_NAME, pid ? "user_ping" : "user_pong");
	turn(pid ? ping[0] : pong[0], pid ? pong[1] : ping[1], n);
	if (pid)
		waitpid(pid, NULL, 0);
}

/* A child of vfork() has the stack of its parent, which waits in the system call. */
NOINLINE void user_vfork(unsigned long n)
{
	pid_t pid;

	while (n--) {
		pid = vfork();
		if (!pid) {
			user_spin(20000);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	turns++;
}

static NOINLINE void user_handler(int nr)
{
	(void)nr;
	user_spin(20000);
	turns++;
}

/* Unlike raise(), kill() leaves the frame pointer alone. */
NOINLINE void user_signal(unsigned long n)
{
	signal(SIGUSR1, user_handler);
	while (n--)
		kill(getpid(), SIGUSR1);
	turns++;
}
