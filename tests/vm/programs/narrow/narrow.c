// SPDX-License-Identifier: GPL-2.0-only
/*
 * narrow.c - a program of 32 bits, without a C library
 */
static unsigned int turns;

static __attribute__((noipa)) void narrow_spin(unsigned int n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

static __attribute__((noipa)) void narrow_middle(void)
{
	narrow_spin(200000000);
	turns++;
}

void _start(void);
void _start(void)
{
	narrow_middle();
	/* exit(0) */
	__asm__ volatile("int $0x80" : : "a"(1), "b"(0));
	__builtin_unreachable();
}
