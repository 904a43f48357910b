// SPDX-License-Identifier: GPL-2.0-only
/*
 * mangled.c - a program whose functions are called as compilers of Rust and D call theirs
 *
 *	mangled N	main() calls one of each kind, one below the other, and the last one makes
 *			N million turns: Rust's v0, a generic function, an inherent method, and a
 *			closure; its former ("legacy") scheme, a trait's method; and D
 */
#include <stdlib.h>

__attribute__((noipa)) long generic(long turns)
	__asm__("_RINvNtCs4fqI2P2rA04_5crate4deep7genericlE");
__attribute__((noipa)) long method(long turns)
	__asm__("_RNvMs_NtCs4fqI2P2rA04_5crate4listNtB4_4List4push");
__attribute__((noipa)) long closure(long turns)
	__asm__("_RNCNvCs4fqI2P2rA04_5crate4main0B3_");
__attribute__((noipa)) long legacy(long turns)
	__asm__("_ZN65_$LT$crate..Thing$u20$as$u20$core..ops..function..Fn$LT$A$GT$$GT$4call17h0123456789abcdefE");
__attribute__((noipa)) long dee(long turns)
	__asm__("_D3std5stdio4File4spinFlZl");

long dee(long turns)
{
	long i;

	for (i = 1000000 * turns; i; i--)
		__asm__ __volatile__("" : "+r"(i));
	return turns;
}

/* What is done after each call keeps it from being a jump. */
long legacy(long turns)
{
	return dee(turns) + 1;
}

long closure(long turns)
{
	return legacy(turns) + 1;
}

long method(long turns)
{
	return closure(turns) + 1;
}

long generic(long turns)
{
	return method(turns) + 1;
}

int main(int argc, char **argv)
{
	return generic(argc > 1 ? atol(argv[1]) : 0) == 0;
}
