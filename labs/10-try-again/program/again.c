// SPDX-License-Identifier: GPL-2.0-only
/*
 * again.c - copies blocks out of a pipe, and is interrupted
 *
 *	try-again FILE
 *
 * A child feeds the pipe. Where the token says so, it sends a signal while the parent waits for
 * the next block: the parent's read fails with EINTR. The parent tries again, or, as dd does
 * with count=, takes the block for read.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "10-try-again/params.h"
#include "lib/program.h"

static struct again_params params;

static void on_signal(int signal)
{
	(void)signal;
}

/* Long enough for the other one to have gone to sleep in read(). */
static void pause_ms(long ms)
{
	struct timespec time = { .tv_nsec = ms * 1000000 };

	nanosleep(&time, NULL);
}

static void feed(int to, pid_t reader)
{
	static const char block[BLOCK];
	u32 i;

	for (i = 1; i <= params.blocks; i++) {
		if (again_fails(&params, i)) {
			pause_ms(3);
			kill(reader, SIGUSR1);
			pause_ms(3);
			if (!params.retries)
				continue;
		}
		if (write(to, block, params.asked) != (ssize_t)params.asked)
			die("write");
	}
}

/* Each block has a place of its own; what was read is brought together afterwards. */
static void copy(int from, int to)
{
	char *memory = malloc((size_t)params.blocks * BLOCK);
	ssize_t *got = calloc(params.blocks, sizeof(*got));
	u32 i;

	if (!memory || !got)
		die("malloc");
	for (i = 0; i < params.blocks; i++)
		do
			got[i] = read(from, memory + (size_t)i * BLOCK, params.asked);
		while (got[i] < 0 && errno == EINTR && params.retries);
	for (i = 0; i < params.blocks; i++)
		if (got[i] > 0 && write(to, memory + (size_t)i * BLOCK, got[i]) != got[i])
			die("write");
	free(memory);
	free(got);
}

/* By one short read: what the program reads is the lab's question. */
int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };	/* without SA_RESTART */
	pid_t parent = getpid(), child;
	int ends[2], out;

	if (argc != 2) {
		fprintf(stderr, "usage: try-again FILE\n");
		return 2;
	}
	again_params(&params, token_read());
	out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (out < 0)
		die(argv[1]);
	if (pipe(ends) || sigaction(SIGUSR1, &action, NULL))
		die("pipe");
	child = fork();
	if (child < 0)
		die("fork");
	if (!child) {
		close(ends[0]);
		feed(ends[1], parent);
		return 0;
	}
	close(ends[1]);
	copy(ends[0], out);
	close(ends[0]);
	waitpid(child, NULL, 0);
	printf("%u blocks copied\n", params.blocks);
	return 0;
}
