/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lines.h - the source lines of a part of a program or library, from its debug information
 */
#ifndef KPROF_USER_LINES_H
#define KPROF_USER_LINES_H

#include <stdint.h>

#include "lib/buf.h"

#define USER_LINES_MAX		(16ul << 20)	/* bytes of text */

/*
 * Append a line "UID", of the owner of the file that has the debug information, which may be
 * another one than @fd, and of another user; then lines "OFFSET LINE PATH", OFFSET hexadecimal
 * and growing: from there on, up to the next one, code is of this line. Of @size bytes at offset
 * @start of the file; @path: see debuginfo_open(). Without debug information there are no lines.
 *
 * The file may be made to exhaust or crash who reads it, so a process of its own does that. Returns
 * 0; or -1 with @error set, and nothing appended, if it could not.
 */
int user_lines_read(int fd, const char *path, uint64_t start, uint64_t size, struct buf *out,
		    char error[256]);

#endif /* KPROF_USER_LINES_H */
