// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads.c - a process of several threads: threads N FILE TEXT
 *
 * Each of N threads, none of which is the first one of the process, writes TEXT into
 * FILE, one after the other.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path, *text;

static void *write_text(void *failed)
{
	ssize_t size = strlen(text);
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, size) != size) {
		perror(path);
		*(int *)failed = 1;
	}
	if (fd >= 0)
		close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int failed = 0, n;

	if (argc != 4) {
		fputs("usage: threads N FILE TEXT\n", stderr);
		return 2;
	}
	path = argv[2];
	text = argv[3];
	for (n = atoi(argv[1]); n > 0 && !failed; n--) {
		if (pthread_create(&thread, NULL, write_text, &failed))
			return 1;
		pthread_join(thread, NULL);
	}
	return failed;
}
