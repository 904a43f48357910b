// SPDX-License-Identifier: GPL-2.0-only
/*
 * library.c - a library that is stripped; what its functions are is in another file
 */
static unsigned long turns;

static __attribute__((noipa)) void shared_hidden(unsigned long n)
{
	while (n--) {
		turns++;
		__asm__ volatile("" : "+m"(turns));
	}
}

void shared_work(unsigned long n, void (*back)(unsigned long));
void shared_work(unsigned long n, void (*back)(unsigned long))
{
	while (n--) {
		shared_hidden(10000);
		back(10000);
	}
	turns++;
}
