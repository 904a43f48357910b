// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - functions of a library whose calls, arguments and results are known
 */
#include <setjmp.h>
#include <unistd.h>

#include "../marker.h"
#include "called.h"

unsigned short called_counter __attribute__((section(".probes")));

/* Its results are twice its first argument, and -1 for 0. */
__attribute__((noipa)) long called_work(long n, const char *word)
{
	return n ? 2 * n + (word[0] == '\0') : -1;
}

__attribute__((noipa)) long called_deep(long n)
{
	long below = n ? called_deep(n - 1) : -1;

	/* Without this, the compiler makes a loop of it. */
	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

__attribute__((noipa)) void called_leave(jmp_buf to)
{
	longjmp(to, 1);
}

/* It calls itself n times; the innermost call leaves all but the outermost, which returns. */
__attribute__((noipa)) void called_back(long n, jmp_buf to)
{
	jmp_buf here;

	if (to && !n)
		longjmp(to, 1);
	if (to)
		called_back(n - 1, to);
	else if (!setjmp(here))
		called_back(n - 1, here);
	__asm__ volatile("");
}

__attribute__((noipa)) void called_exit(void)
{
	_exit(0);
}

__attribute__((noipa)) long called_other(long n)
{
	return n + 1;
}

/* It calls the other function by a jump, which returns to its caller. */
__attribute__((noipa)) long called_jumps(long n)
{
	return called_other(n);
}

/* An instruction that the kernel does not probe. */
__asm__(".globl called_never\n"
	".type called_never, %function\n"
	"called_never:\n"
#ifdef __x86_64__
	"	hlt\n"
#else
	"	brk #1\n"
#endif
	".size called_never, .-called_never\n");

__attribute__((noipa)) void called_sleep(unsigned int us)
{
	usleep(us);
	__asm__ volatile("");
}

/*
 * known:step with both arguments, where something counts it; known:side with twice the first, in
 * two places, of which the second is passed for odd numbers.
 */
__attribute__((noipa)) void called_marked(int n, const char *word)
{
	long twice = 2L * n;

	if (__atomic_load_n(&called_counter, __ATOMIC_RELAXED))
		MARKER("known", "step", "called_counter", "-4@%0 8@%1", "nor"(n), "nor"(word));
	if (n % 2)
		MARKER("known", "side", "0", "-8@%0", "m"(twice));
	else
		MARKER("known", "side", "0", "-8@%0", "r"(twice));
}
