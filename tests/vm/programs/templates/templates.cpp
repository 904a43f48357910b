// SPDX-License-Identifier: GPL-2.0-only
/*
 * templates.cpp - works in functions of C++ that are inlined: a template's, and a member's
 *
 * It needs the library of C alone.
 */
#include <stdlib.h>

static unsigned long turns;

namespace shapes {

template <typename T> struct box {
	T size;

	__attribute__((always_inline)) inline void fill(T n)
	{
		while (n-- > 0) {
			turns++;
			__asm__ volatile("" : "+m"(turns));
		}
		size = n;
	}
};

template <int TIMES> __attribute__((always_inline)) static inline void fill(box<long> &b, long n)
{
	b.fill(TIMES * n);
}

} /* namespace shapes */

/* Its own name has what it is a template of, too. */
template <typename T> __attribute__((noinline)) void work(T n)
{
	shapes::box<long> b = { 0 };

	shapes::fill<3>(b, n);
	turns += b.size;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1;

	while (n--) {
		work<int>(1000);
		work<long>(3000);
	}
	return 0;
}
