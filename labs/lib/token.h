/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * token.h - the token of a lab, as a program in its guest reads it
 */
#ifndef LABS_TOKEN_H
#define LABS_TOKEN_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "derive.h"

/* Where there is none, the program ends: it is no lab's guest. */
static inline u64 token_read(void)
{
	int file = open("/etc/lab/token", O_RDONLY);
	char text[17] = "";

	if (file < 0 || read(file, text, 16) != 16) {
		perror("/etc/lab/token");
		exit(1);
	}
	close(file);
	return strtoull(text, NULL, 16);
}

#endif /* LABS_TOKEN_H */
