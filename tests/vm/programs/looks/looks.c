// SPDX-License-Identifier: GPL-2.0-only
/*
 * looks.c - a reader of pins that looks at them, and takes nothing
 *
 * usage: looks <&FD          ten times a second, until it is ended
 *        looks once <&FD     once, and prints them
 */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char text[4096];
	ssize_t len;

	(void)argv;
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
