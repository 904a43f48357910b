// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads.c - read a file of records in ways that fail, or nearly so
 *
 * usage: reads FILE SIZE
 *
 * FILE has records of SIZE bytes, and gets no more of them. Prints a line for each of:
 *
 * small N	errno of a read that is too small for a record
 * fault N	errno of a read into memory that is not there
 * part N	records of a read into memory of which the second half is not there
 * odd N	records of a read of two records and a half
 * rest N	records of the reads after it, to the end
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Two pages, of which the second is none. */
static char *half_memory(size_t page)
{
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || munmap(memory + page, page)) {
		perror("reads: mmap");
		exit(1);
	}
	return memory;
}

static void tell_error(const char *what, ssize_t got)
{
	printf("%s %d\n", what, got < 0 ? errno : 0);
}

/* A read that brings no whole records says so by a number that nobody expects. */
static long records(ssize_t got, size_t size)
{
	return got < 0 || got % size ? -1 : (long)(got / size);
}

int main(int argc, char **argv)
{
	size_t page = sysconf(_SC_PAGESIZE), size = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	int fd = size ? open(argv[1], O_RDONLY) : -1;
	char *memory = half_memory(page);
	long rest = 0;
	ssize_t got;

	if (fd < 0) {
		fputs("usage: reads FILE SIZE; FILE has to be there\n", stderr);
		return 2;
	}
	tell_error("small", read(fd, memory, size - 1));
	tell_error("fault", read(fd, memory + page, page));
	printf("part %ld\n", records(read(fd, memory, 2 * page), size));
	printf("odd %ld\n", records(read(fd, memory, 2 * size + size / 2), size));
	while ((got = read(fd, memory, page)) > 0)
		rest += records(got, size);
	printf("rest %ld\n", rest);
	return 0;
}
