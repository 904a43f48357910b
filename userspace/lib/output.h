/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - create and close the file of --output, of a recording or of text; refuse to write to
 * an input; redirect standard output
 */
#ifndef KPROF_OUTPUT_H
#define KPROF_OUTPUT_H

#include <stdio.h>

/*
 * Create @path; "-" is standard output. An existing recording is renamed to PATH.old.
 * Returns a file descriptor, or -1 after a message.
 */
int output_create(const char *path);

/*
 * Close @fd; -1 is ignored. Returns @ret, the result of writing the recording, or, if that
 * was EXIT_OK and closing fails, EXIT_ERROR after a message.
 */
int output_close(int fd, const char *path, int ret);

/*
 * Refuse to write to a file that was read, which would be lost. @option has the path.
 * Returns EXIT_OK, or EXIT_USAGE after a message.
 */
int output_is_no_input(const char *option, const char *path);

/*
 * Open the file of --output of a verb that writes to standard error otherwise, where @path is NULL;
 * "-" is standard output. Returns an exit status, after a message unless that is EXIT_OK.
 */
int output_open(const char *path, FILE **out);

/*
 * Close it, unless it is NULL or a standard stream. Returns EXIT_OK, or EXIT_ERROR after a message
 * if not all of it could be written.
 */
int output_end(FILE *out, const char *path);

/*
 * Redirect standard output to the file of --output, so that output is still escaped; "-" changes
 * nothing. Returns an exit status, after a message unless that is EXIT_OK.
 */
int output_redirect(const char *path);

/* What standard output is called in a message: "standard output", or that file. */
const char *output_name(void);

#endif /* KPROF_OUTPUT_H */
