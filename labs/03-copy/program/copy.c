// SPDX-License-Identifier: GPL-2.0-only
/*
 * copy.c - copies a file block by block: by reading and writing, or between mappings
 *
 *	copy rw|mmap BLOCK SOURCE TARGET
 *	copy new FILE
 *
 * The page faults of two copies, those that the student is asked about, are put into /lab/ledger,
 * masked, as the kernel has counted them for this process.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "03-copy/params.h"
#include "lib/ledger.h"

static struct copy_params params;

static char *map(int file, size_t bytes, int protection)
{
	int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	char *memory = mmap(NULL, bytes, protection, flags, file, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	return memory;
}

static void move(int from, int to, char *buffer, size_t bytes, off_t at)
{
	if (pread(from, buffer, bytes, at) != (ssize_t)bytes)
		die("pread");
	if (pwrite(to, buffer, bytes, at) != (ssize_t)bytes)
		die("pwrite");
}

static void move_pieces(int from, int to, char *buffer, size_t bytes, off_t at)
{
	size_t done;

	for (done = 0; done < bytes; done += PIECE)
		move(from, to, buffer + done, PIECE, at + done);
}

/* A sum that nobody asks for; the compiler does not know. */
static void move_and_add(int from, int to, char *buffer, size_t bytes, off_t at)
{
	size_t i;
	u32 sum = 0;

	move(from, to, buffer, bytes, at);
	for (i = 0; i < bytes; i++) {
		sum += (u8)buffer[i];
		__asm__ volatile("" : "+r" (sum));
	}
}

static void move_large(int from, int to, char *buffer, size_t bytes, off_t at)
{
	char *other;

	switch (params.cause) {
	case COPY_FAULTS:
		other = map(-1, bytes, PROT_READ | PROT_WRITE);
		move(from, to, other, bytes, at);
		munmap(other, bytes);
		break;
	case COPY_CALLS:
		move_pieces(from, to, buffer, bytes, at);
		break;
	default:
		move_and_add(from, to, buffer, bytes, at);
	}
}

/* Memory that is in no relation to what is copied, nor to the size of a block. */
static void take_table(void)
{
	char *table;
	u32 page;

	if (!params.table)
		return;
	table = map(-1, (size_t)params.table * PAGE, PROT_READ | PROT_WRITE);
	for (page = 0; page < params.table; page++)
		table[(size_t)page * PAGE] = 1;
}

static void copy_by_calls(int from, int to, size_t block, size_t size)
{
	char *buffer = map(-1, block, PROT_READ | PROT_WRITE);
	size_t at, bytes;

	take_table();
	for (at = 0; at < size; at += bytes) {
		bytes = size - at < block ? size - at : block;
		if (block > params.best)
			move_large(from, to, buffer, bytes, at);
		else
			move(from, to, buffer, bytes, at);
	}
}

static void sync_block(char *memory, size_t at, size_t bytes, size_t size)
{
	switch (params.sync) {
	case COPY_SYNC_NEXT:
		at += bytes;
		break;
	case COPY_SYNC_PAGE:
		bytes = PAGE;
		break;
	default:
		break;
	}
	if (at < size && msync(memory + at, bytes < size - at ? bytes : size - at, MS_SYNC))
		die("msync");
}

static void copy_by_mappings(int from, int to, size_t block, size_t size)
{
	char *source = map(from, size, PROT_READ);
	char *target = map(to, size, PROT_READ | PROT_WRITE);
	size_t at, bytes;

	for (at = 0; at < size; at += bytes) {
		bytes = size - at < block ? size - at : block;
		memcpy(target + at, source + at, bytes);
		sync_block(target, at, bytes, size);
	}
}

/* The numbers of a copy in the ledger; the others stay. */
static void note(u64 token, int copy, u64 of_main, u64 of_process)
{
	u64 numbers[COPY_NUMBERS];

	ledger_read(token, numbers, COPY_NUMBERS);
	numbers[2 * copy] = of_main;
	numbers[2 * copy + 1] = of_process;
	ledger_write(token, numbers, COPY_NUMBERS);
}

static void make_source(const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	char *data = malloc(params.bytes);
	size_t i;

	if (file < 0 || !data)
		die(path);
	for (i = 0; i < params.bytes; i++)
		data[i] = i % 251;
	if (write(file, data, params.bytes) != (ssize_t)params.bytes)
		die(path);
	free(data);
	close(file);
}

/* Of this process, so far */
static u64 faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static u64 now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000ULL + time.tv_nsec / 1000;
}

/* Whole pages, so that each piece and each mapping of a block is one, too. */
static size_t parse_block(const char *text)
{
	char *end;
	unsigned long block = strtoul(text, &end, 10);

	if (*end || block < PAGE || block > LARGE_BLOCK || block % PAGE) {
		fprintf(stderr, "copy: BLOCK '%s': expected a multiple of %u up to %u\n", text,
			PAGE, LARGE_BLOCK);
		exit(2);
	}
	return block;
}

static void copy(u64 token, u64 before, bool mapped, const char *block_text, const char *source,
		 const char *target)
{
	size_t block = parse_block(block_text);
	int from = open(source, O_RDONLY), to = open(target, O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct stat stat;
	u64 begin, of_process;

	if (from < 0 || fstat(from, &stat))
		die(source);
	if (to < 0 || ftruncate(to, stat.st_size))
		die(target);
	begin = now_us();
	if (mapped)
		copy_by_mappings(from, to, block, stat.st_size);
	else
		copy_by_calls(from, to, block, stat.st_size);
	printf("%" PRIu64 " bytes copied in %" PRIu64 " us\n", (u64)stat.st_size,
	       now_us() - begin);
	of_process = faults();
	if (stat.st_size == params.bytes && block == (mapped ? MAPPED_BLOCK : LARGE_BLOCK))
		note(token, mapped, of_process - before, of_process);
}

int main(int argc, char **argv)
{
	u64 before = faults(), token = token_read();

	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);	/* pages are counted: all are small */
	copy_params(&params, token);
	if (argc == 3 && !strcmp(argv[1], "new")) {
		make_source(argv[2]);
	} else if (argc == 5 && (!strcmp(argv[1], "rw") || !strcmp(argv[1], "mmap"))) {
		copy(token, before, argv[1][0] == 'm', argv[2], argv[3], argv[4]);
	} else {
		fprintf(stderr, "usage: copy rw|mmap BLOCK SOURCE TARGET\n"
				"       copy new FILE\n");
		return 2;
	}
	return 0;
}
