// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_names.c - names of system calls, errors and softirqs
 */
#include <string.h>

#include "symbols/kernel_names.h"

const char *kernel_syscall(unsigned long nr, bool is_32)
{
	if (is_32)
		return nr < kernel_nr_syscalls_32 ? kernel_syscalls_32[nr] : NULL;
	return nr < kernel_nr_syscalls ? kernel_syscalls[nr] : NULL;
}

/* Errors that restart a system call; user space does not see them. */
static const char *internal_error(unsigned long nr)
{
	switch (nr) {
	case 512:
		return "ERESTARTSYS";
	case 513:
		return "ERESTARTNOINTR";
	case 514:
		return "ERESTARTNOHAND";
	case 515:
		return "ENOIOCTLCMD";
	case 516:
		return "ERESTART_RESTARTBLOCK";
	case 517:
		return "EPROBE_DEFER";
	case 524:
		return "ENOTSUPP";
	case 529:
		return "EIOCBQUEUED";
	}
	return NULL;
}

const char *kernel_error(unsigned long nr)
{
	const char *name = nr && nr < 4096 ? strerrorname_np(nr) : NULL;

	return name ? name : internal_error(nr);
}

const char *kernel_softirq(unsigned long nr)
{
	static const char *const names[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
		"HRTIMER", "RCU",
	};

	return nr < sizeof(names) / sizeof(*names) ? names[nr] : NULL;
}

bool kernel_names_fit(const char *machine)
{
#if defined(__x86_64__)
	return !strncmp(machine, "x86_64", 6);
#elif defined(__aarch64__)
	return !strncmp(machine, "aarch64", 7);
#else
	return !*machine;
#endif
}
