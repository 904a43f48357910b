// SPDX-License-Identifier: GPL-2.0-only
/*
 * stopwatch.c - how long a command took: stopwatch FILE NAME COMMAND [ARGUMENT]...
 *
 * Appends "NAME NANOSECONDS" to FILE, and ends as the command did.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the wait status, or -1. */
static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 ? -1 : status;
}

int main(int argc, char **argv)
{
	int64_t begin, end;
	FILE *file;
	int status;

	if (argc < 4) {
		fputs("Usage: stopwatch FILE NAME COMMAND [ARGUMENT]...\n", stderr);
		return 2;
	}
	begin = now();
	status = run(argv + 3);
	end = now();
	if (status < 0) {
		perror("stopwatch");
		return 1;
	}
	if (status)
		return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	file = fopen(argv[1], "a");
	if (!file || fprintf(file, "%s %" PRId64 "\n", argv[2], end - begin) < 0 || fclose(file)) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
