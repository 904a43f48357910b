// SPDX-License-Identifier: GPL-2.0-only
/*
 * who_writes.c - three processes that write all the time; one of them waits for the disk
 *
 * The second writes more, and more often, into a file that is in memory alone. The third writes to
 * the same disk, and leaves it to the kernel when its pages go there.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "05-who-writes/params.h"
#include "lib/program.h"

#define LARGE		(256u << 10)	/* bytes that the others write at once */

static struct who_params params;

static struct {
	int disk, direct, sync, memory;	/* the disk, in three ways; a file in memory */
	char *mapping;			/* of the disk, up to WHO_ELSEWHERE */
	char *data;			/* to write */
	aio_context_t context;		/* of this process */
} files;

/* The next turn comes a period after this one came, however long this one took. */
static void wait_turn(struct timespec *next, long ms)
{
	next->tv_nsec += ms * 1000000;
	if (next->tv_nsec >= 1000000000) {
		next->tv_nsec -= 1000000000;
		next->tv_sec++;
	}
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, next, NULL);
}

static int open_for(const char *path, int flags)
{
	int file = open(path, flags, 0600);

	if (file < 0)
		die(path);
	return file;
}

static char *map(int file, size_t bytes)
{
	int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	return memory;
}

/* All processes have all of it, or /proc would say which of them writes where and how. */
static void open_all(void)
{
	files.disk = open_for(DISK, O_RDWR);
	files.direct = open_for(DISK, O_RDWR | O_DIRECT);
	files.sync = open_for(DISK, O_RDWR | O_SYNC);
	files.memory = open_for("/tmp/lab", O_RDWR | O_CREAT | O_SYNC);
	files.mapping = map(files.disk, (size_t)WHO_ELSEWHERE * SECTOR);
	files.data = map(-1, LARGE);
}

static void write_at(int file, size_t bytes, off_t at)
{
	if (pwrite(file, files.data, bytes, at) != (ssize_t)bytes)
		die("pwrite");
}

/* Around the page cache. It is not pwrite, which the others call, too. */
static void write_direct(size_t bytes, off_t at)
{
	struct iocb block = {
		.aio_fildes = files.direct, .aio_lio_opcode = IOCB_CMD_PWRITE,
		.aio_buf = (u64)(unsigned long)files.data, .aio_nbytes = bytes, .aio_offset = at
	}, *blocks = &block;
	struct io_event event;

	if (syscall(SYS_io_submit, files.context, 1, &blocks) != 1 ||
	    syscall(SYS_io_getevents, files.context, 1, 1, &event, NULL) != 1)
		die("io_submit");
	if (event.res != (long)bytes)
		die("write");
}

static void write_range(size_t bytes, off_t at)
{
	write_at(files.disk, bytes, at);
	if (sync_file_range(files.disk, at, bytes, SYNC_FILE_RANGE_WAIT_BEFORE |
			    SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER))
		die("sync_file_range");
}

static void write_mapping(size_t bytes, off_t at, int byte)
{
	memset(files.mapping + at, byte, bytes);
	if (msync(files.mapping + at, bytes, MS_SYNC))
		die("msync");
}

static void write_and_wait(struct timespec *next)
{
	u32 turn;
	off_t at;

	for (turn = 0; ; turn++) {
		at = (off_t)params.first * SECTOR + (off_t)(turn % params.places) * params.bytes;
		switch (params.way) {
		case WHO_DIRECT:
			write_direct(params.bytes, at);
			break;
		case WHO_SYNC_RANGE:
			write_range(params.bytes, at);
			break;
		case WHO_WRITE_SYNC:
			write_at(files.sync, params.bytes, at);
			break;
		default:
			write_mapping(params.bytes, at, turn);
		}
		wait_turn(next, PERIOD_MS);
	}
}

static void write_to_memory(struct timespec *next)
{
	for (;;) {
		write_at(files.memory, LARGE, 0);
		wait_turn(next, PERIOD_MS / 2);
	}
}

static void write_and_leave(struct timespec *next)
{
	for (;;) {
		write_at(files.disk, LARGE, (off_t)WHO_ELSEWHERE * SECTOR);
		wait_turn(next, PERIOD_MS * 3);
	}
}

static void run(u32 name)
{
	static const char *const names[WRITERS] = { "amber", "birch", "cedar" };
	struct timespec next;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, names[name]);
	if (syscall(SYS_io_setup, 1, &files.context))
		die("io_setup");
	clock_gettime(CLOCK_MONOTONIC, &next);
	if (name == params.culprit)
		write_and_wait(&next);
	else if (name == (params.culprit + 1 + params.turn) % WRITERS)
		write_to_memory(&next);
	else
		write_and_leave(&next);
}

int main(void)
{
	pid_t child;
	u32 name;

	who_params(&params, token_read());
	open_all();
	for (name = 0; name < WRITERS; name++) {
		child = fork();
		if (child < 0)
			die("fork");
		if (!child)
			run(name);
	}
	wait(NULL);	/* none ends, unless it cannot write */
	return 1;
}
