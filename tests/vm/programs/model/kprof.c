// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof.c - kprof's files, and those of the modules that it watches
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model.h"

#define KPROF		"/sys/kernel/debug/kprof"
#define MAX_FILE	(4 << 20)

/* The text of a file, to be freed. */
char *read_file(const char *name)
{
	char *text = malloc(MAX_FILE + 1), path[128];
	size_t size = 0;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), KPROF "/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || !text) {
		perror(path);
		exit(2);
	}
	while ((got = read(fd, text + size, MAX_FILE - size)) > 0)
		size += got;
	close(fd);
	text[size] = '\0';
	return text;
}

static int write_path(const char *path, int flags, const char *text)
{
	ssize_t size = strlen(text);
	int fd = open(path, O_WRONLY | flags), err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, size) != size)
		err = errno;
	close(fd);
	return err;
}

/* Return: 0 or an errno. */
int write_file(const char *name, const char *text, bool truncate)
{
	char path[128];

	snprintf(path, sizeof(path), KPROF "/%s", name);
	return write_path(path, truncate ? O_TRUNC : 0, text);
}

/* Memory of which so much can be written to, and nothing behind it. */
static char *memory_of(size_t valid, size_t *mapped)
{
	size_t page = sysconf(_SC_PAGESIZE), size = (valid + page - 1) / page * page;
	char *memory;

	*mapped = size + page;
	memory = mmap(NULL, *mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || mprotect(memory + size, page, PROT_NONE)) {
		perror("mmap");
		exit(2);
	}
	return memory + size - valid;
}

/*
 * Read so many bytes into memory of which only the first can be written to. Return: what
 * read() does; if that is -1, the errno, negative.
 */
int read_ring(int cpu, size_t size, size_t valid)
{
	size_t mapped, page = sysconf(_SC_PAGESIZE);
	char path[128], *to = memory_of(valid, &mapped);
	int fd, got;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/ring", KPROF, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0) {
		perror(path);
		exit(2);
	}
	got = read(fd, to, size);
	if (got < 0)
		got = -errno;
	close(fd);
	munmap(to + valid + page - mapped, mapped);
	return got;
}

int trigger(const char *module, const char *parameter, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", module, parameter);
	return write_path(path, 0, text);
}

/* What follows "NAME: " in stats; NULL if that line is not there. */
const char *stat_text(const char *stats, const char *name)
{
	size_t length = strlen(name);

	for (; stats && *stats; stats = strchr(stats, '\n'), stats += !!stats)
		if (!strncmp(stats, name, length) && !strncmp(stats + length, ": ", 2))
			return stats + length + 2;
	return NULL;
}

bool stat_find(const char *stats, const char *name, uint64_t *value)
{
	const char *text = stat_text(stats, name);

	*value = text ? strtoull(text, NULL, 10) : 0;
	return text;
}
