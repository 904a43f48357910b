// SPDX-License-Identifier: GPL-2.0-only
/*
 * own_time.c - how long kprof itself has run on the CPUs: this process and its helpers
 */
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "lib/clock.h"
#include "lib/own_time.h"

static uint64_t helpers_ns;

static uint64_t ns_of(struct timeval t)
{
	return t.tv_sec * 1000000000ull + t.tv_usec * 1000ull;
}

uint64_t own_time_ns(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) + helpers_ns;
}

pid_t own_time_wait(pid_t pid, int *status)
{
	struct rusage used;
	pid_t ended;

	do
		ended = wait4(pid, status, 0, &used);
	while (ended < 0 && errno == EINTR);
	if (ended > 0)
		helpers_ns += ns_of(used.ru_utime) + ns_of(used.ru_stime);
	return ended;
}
