// SPDX-License-Identifier: GPL-2.0-only
/*
 * looks.c - a reader of pins that looks at them, and takes nothing
 *
 * usage: looks <&FD                      ten times a second, until it is ended
 *        looks once <&FD                 once, and prints them
 *        looks expect FILE... <&FD       announces files, and prints the answers; "-": the vDSO,
 *                                        "nothing": a descriptor of no file
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define KPROF_PINS_EXPECT	_IO('k', 0x51)

static void expect(const char *path)
{
	int fd = !strcmp(path, "-") ? -1 : !strcmp(path, "nothing") ? 1000 : open(path, O_RDONLY);
	int id = ioctl(STDIN_FILENO, KPROF_PINS_EXPECT, fd);

	if (id > 0)
		printf("%d\n", id);
	else
		printf("%s\n", strerror(errno));
	if (fd >= 0 && fd != 1000)
		close(fd);
}

int main(int argc, char **argv)
{
	char text[4096];
	ssize_t len;
	int i;

	for (i = 2; i < argc; i++)
		expect(argv[i]);
	if (argc > 2)
		return 0;
	for (;;) {
		len = pread(STDIN_FILENO, text, sizeof(text), 0);
		if (len < 0) {
			perror("looks");
			return 1;
		}
		if (argc > 1)
			return fwrite(text, 1, len, stdout) != (size_t)len;
		usleep(100000);
	}
}
