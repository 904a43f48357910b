// SPDX-License-Identifier: GPL-2.0-only
/*
 * confine.c - limits of a process that works on what others have made
 */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/room.h"
#include "user/confine.h"

void confine_to(int resource, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return;
	if (limit.rlim_max > value)
		limit.rlim_max = value;
	if (limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	setrlimit(resource, &limit);
}

/* The address sanitizer has terabytes of addresses for itself. */
#if defined(__SANITIZE_ADDRESS__)
static void limit_memory(unsigned long memory)
{
	(void)memory;
}
#else
/* What it may take is beyond what the process that asks has, of which it has a copy. */
static void limit_memory(unsigned long memory)
{
	confine_to(RLIMIT_AS, room_taken() + memory);
}
#endif

static pid_t parent;		/* which this process ends with; 0: none */

/* Who ended before the kernel was told has left this process to another one. */
void confine_to_parent(void)
{
	if (!parent)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

void confine(unsigned long memory)
{
	parent = getppid();
	confine_to_parent();
	confine_to(RLIMIT_CORE, 0);
	limit_memory(memory);
}
