/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_function.h - names of functions in programs and libraries become offsets in their files
 *
 * Functions that return int return EXIT_OK, or EXIT_ERROR or EXIT_USAGE after a message.
 */
#ifndef KPROF_USER_FUNCTION_H
#define KPROF_USER_FUNCTION_H

#include <stdbool.h>

#include "lib/buf.h"
#include "user/code.h"

/* The functions of the file that was last loaded. Zero-initialise. */
struct user_code {
	struct buf path;		/* without links */
	struct buf id;			/* of the file that was read: see file_id_add() */
	struct user_functions functions;
};

int user_code_load(struct user_code *code, const char *path);
void user_code_free(struct user_code *code);

/* Refuse a name in a file that has none. */
int user_code_nameless(const struct user_code *code);

/* "FUNCTION[+0xOFFSET][%return]" as "/PATH:0xOFFSET[%return]". @is_call: its return is watched. */
int user_code_place(const struct user_code *code, const char *function, bool is_call,
		    struct buf *line);

#endif /* KPROF_USER_FUNCTION_H */
