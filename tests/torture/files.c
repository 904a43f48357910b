// SPDX-License-Identifier: GPL-2.0-only
/*
 * files.c - the files that kprof has
 *
 * They are found once, while it is loaded: a file of tomorrow is tormented too.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "torture.h"

#define MAX_FILES	256

static const char *readable[MAX_FILES], *writable[MAX_FILES];
static size_t nr_readable, nr_writable;

static int found(const char *path, const struct stat *stat, int type, struct FTW *unused)
{
	(void)unused;
	if (type != FTW_F)
		return 0;
	if (stat->st_mode & 0400 && nr_readable < MAX_FILES)
		readable[nr_readable++] = strdup(path);
	if (stat->st_mode & 0200 && nr_writable < MAX_FILES)
		writable[nr_writable++] = strdup(path);
	return 0;
}

void files_find(void)
{
	nftw(KPROF, found, 8, FTW_PHYS);
	if (!nr_readable || !nr_writable) {
		fprintf(stderr, "torture: no files in %s: is kprof loaded?\n", KPROF);
		exit(1);
	}
}

const char *files_readable(void)
{
	return readable[random_below(nr_readable)];
}

const char *files_writable(void)
{
	return writable[random_below(nr_writable)];
}

/* Returns 0 or an errno; ENODEV if the file is not there. */
int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND);
	int err = 0;

	if (fd < 0)
		return ENODEV;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}
