// SPDX-License-Identifier: GPL-2.0-only
/*
 * narrow_calls.c - as a program of 32 bits, what calls does in one of its threads
 *
 * 50 times: getppid, close(-1) (EBADF), chdir to what is not there (ENOENT), and every second
 * time chdir("/"). The numbers of these calls are other ones than those of 64 bits.
 */
enum { NR_EXIT = 1, NR_CLOSE = 6, NR_CHDIR = 12, NR_GETPPID = 64 };

static long call(long nr, long arg)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(arg) : "memory");
	return ret;
}

void _start(void);
void _start(void)
{
	int i;

	for (i = 0; i < 50; i++) {
		call(NR_GETPPID, 0);
		if (!call(NR_CLOSE, -1) || !call(NR_CHDIR, (long)"no such folder"))
			call(NR_EXIT, 1);
		if (i & 1 && call(NR_CHDIR, (long)"/"))
			call(NR_EXIT, 1);
	}
	call(NR_EXIT, 0);
	__builtin_unreachable();
}
