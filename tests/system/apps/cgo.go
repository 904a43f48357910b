// SPDX-License-Identifier: GPL-2.0-only
/* Functions in Go, and one in C: argument: seconds */
package main

/*
static __attribute__((noinline)) unsigned int c_spin(unsigned int n)
{
	unsigned int s = 0, i;

	for (i = 0; i < n; i++) {
		s = s * 31 + i;
		__asm__ volatile("" : "+r"(s));
	}
	return s;
}

static __attribute__((noinline)) unsigned int c_half(unsigned int n)
{
	unsigned int s = c_spin(2 * n);

	__asm__ volatile("" : "+r"(s));
	return s;
}
*/
import "C"

func half(n uint32) uint32 { return uint32(C.c_half(C.uint(n))) }
