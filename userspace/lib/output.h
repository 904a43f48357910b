/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - the file a recording goes to
 */
#ifndef KPROF_OUTPUT_H
#define KPROF_OUTPUT_H

/*
 * Create it, "-" is standard output; an older recording of that name is kept as
 * PATH.old. A descriptor to be closed, or, after a message, -1.
 */
int output_create(const char *path);

/*
 * Close it; -1 was never open. Returns @ret, what came of writing it, or EXIT_ERROR after
 * a message where all was well but for what is noticed only now.
 */
int output_close(int fd, const char *path, int ret);

#endif /* KPROF_OUTPUT_H */
