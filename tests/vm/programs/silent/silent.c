// SPDX-License-Identifier: GPL-2.0-only
/*
 * silent.c - a file system whose server never answers
 *
 * usage: silent DIRECTORY
 *
 * Mounts it there, and waits. Whoever looks up a file in it waits until this process ends.
 */
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

/* Only the first request has an answer: without that nobody may ask more. */
static void answer_init(int fd)
{
	static char request[FUSE_MIN_READ_BUFFER];
	struct {
		struct fuse_out_header header;
		struct fuse_init_out init;
	} answer = {
		.header.len = sizeof(answer),
		.init = { .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION },
	};
	const struct fuse_in_header *header = (const void *)request;

	if (read(fd, request, sizeof(request)) < 0 || header->opcode != FUSE_INIT)
		abort();
	answer.header.unique = header->unique;
	if (write(fd, &answer, sizeof(answer)) != sizeof(answer))
		abort();
}

int main(int argc, char **argv)
{
	int fd = open("/dev/fuse", O_RDWR);
	char options[128];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
	if (argc != 2 || fd < 0 || mount("silent", argv[1], "fuse", 0, options)) {
		perror("silent");
		return 1;
	}
	answer_init(fd);
	puts("mounted");
	fflush(stdout);
	pause();
	return 0;
}
