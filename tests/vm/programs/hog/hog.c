// SPDX-License-Identifier: GPL-2.0-only
/*
 * hog.c - a task that is kept from its CPU, for a known time and by a known one
 *
 * usage: hog MS
 *
 * On CPU 0. For each line that it reads: a child named "the hog", which the scheduler prefers,
 * is busy for MS milliseconds, while the parent, "the victim", could run. Then it prints a line.
 *
 * Both are real-time tasks: however many others have come to want the CPU meanwhile, after the
 * hog comes its victim.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int become(const char *name, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	prctl(PR_SET_NAME, name);
	return sched_setscheduler(0, SCHED_FIFO, &param);
}

static void be_busy(long ms)
{
	long end;

	if (become("the hog", 50))
		exit(1);
	for (end = now_ms() + ms; now_ms() < end;)
		;
	exit(0);
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 100;
	char line[16];
	cpu_set_t cpus;
	int status;
	pid_t pid;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || become("the victim", 1))
		return 1;
	while (fgets(line, sizeof(line), stdin)) {
		pid = fork();
		if (pid < 0)
			return 1;
		if (!pid)
			be_busy(ms);
		while (!waitpid(pid, &status, WNOHANG))
			sched_yield();
		if (status)
			return 1;
		puts("done");
		fflush(stdout);
	}
	return 0;
}
