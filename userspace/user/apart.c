// SPDX-License-Identifier: GPL-2.0-only
/*
 * apart.c - reads the file of another user in a process of its own, which has limits
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/number.h"
#include "user/apart.h"

/* --- in the process that reads --- */

static void lower(int resource, rlim_t value)
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
static void limit_memory(void)
{
}
#else
/* What it may take is beyond what the process that asks has, of which it has a copy. */
static void limit_memory(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	char line[128];
	const char *at = line;
	uint64_t pages = 0;

	if (in && (!fgets(line, sizeof(line), in) || !number_take(&at, NUMBER_DECIMAL, &pages)))
		pages = 0;
	if (in)
		fclose(in);
	lower(RLIMIT_AS, pages * sysconf(_SC_PAGESIZE) + APART_MEMORY);
}
#endif

__attribute__((noreturn))
static void be_reader(void (*read)(const void *what, FILE *to), const void *what, int fd)
{
	FILE *to = fdopen(fd, "w");
	sigset_t alone;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	lower(RLIMIT_CORE, 0);
	lower(RLIMIT_CPU, APART_SECONDS);
	limit_memory();
	sigemptyset(&alone);
	sigaddset(&alone, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alone, NULL);
	alarm(3 * APART_SECONDS);
	if (!to)
		_exit(1);
	read(what, to);
	_exit(ferror(to) || fclose(to));
}

/* --- in the process that asks --- */

int apart_begin(struct apart *a, void (*read)(const void *what, FILE *to), const void *what,
		char error[256])
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		snprintf(error, 256, "cannot create a pipe: %s", strerror(errno));
		return -1;
	}
	signal(SIGCHLD, SIG_DFL);	/* who ignores it is not told how a process ended */
	a->child = fork();
	if (!a->child)
		be_reader(read, what, ends[1]);
	close(ends[1]);
	a->from = a->child > 0 ? fdopen(ends[0], "r") : NULL;
	if (a->from)
		return 0;
	snprintf(error, 256, "cannot start a process: %s", strerror(errno));
	close(ends[0]);
	if (a->child > 0)
		waitpid(a->child, NULL, 0);
	return -1;
}

bool apart_end(struct apart *a, bool wanted)
{
	int status = -1;

	if (!wanted)
		kill(a->child, SIGKILL);
	fclose(a->from);
	while (waitpid(a->child, &status, 0) < 0 && errno == EINTR)
		;
	return wanted && !status;
}
