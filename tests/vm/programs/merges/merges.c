// SPDX-License-Identifier: GPL-2.0-only
/*
 * merges.c - requests to a disk of which three become one while they wait
 *
 * usage: merges DISK DEPTH
 *
 * Reads DEPTH blocks of DISK, far from each other, all at once, so that a disk which works on fewer
 * requests at a time is busy. Then a block, the one after the next, and the one between: the third
 * grows the first until it touches the second. Waits for all of them.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK	4096
#define MAX	64

static int disk;
static aio_context_t context;

static int submit(long block, void *memory)
{
	struct iocb one = {
		.aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = disk, .aio_nbytes = BLOCK,
		.aio_buf = (unsigned long)memory, .aio_offset = block * BLOCK,
	}, *all = &one;

	if (syscall(SYS_io_submit, context, 1, &all) == 1)
		return 0;
	perror("merges: io_submit");
	return 1;
}

int main(int argc, char **argv)
{
	static const long last[] = { 1000, 1002, 1001 };
	static char memory[MAX + 3][BLOCK] __attribute__((aligned(BLOCK)));
	struct io_event event[MAX + 3];
	long depth = argc == 3 ? atol(argv[2]) : 0, i;

	if (depth < 1 || depth > MAX) {
		fputs("usage: merges DISK DEPTH\n", stderr);
		return 2;
	}
	disk = open(argv[1], O_RDONLY | O_DIRECT);
	if (disk < 0 || syscall(SYS_io_setup, MAX + 3, &context)) {
		perror("merges");
		return 1;
	}
	for (i = 0; i < depth; i++)
		if (submit(10 * i, memory[i]))
			return 1;
	for (i = 0; i < 3; i++)
		if (submit(last[i], memory[depth + i]))
			return 1;
	for (i = 0; i < depth + 3; i++)
		if (syscall(SYS_io_getevents, context, 1, 1, event, NULL) != 1 ||
		    event->res != BLOCK)
			return 1;
	return 0;
}
