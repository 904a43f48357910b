/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inlined.h - what is inlined into a program or library, and its lines, from its debug information
 */
#ifndef KPROF_USER_INLINED_H
#define KPROF_USER_INLINED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/buf.h"

#define USER_INLINED_BYTES	(16ul << 20)	/* of text: of a recording, too */
#define USER_INLINED_SECONDS	10		/* of processor time, for one file */

/* What to read: @fd and @path as in debuginfo_open(), and offsets in the file. */
struct user_inlined_of {
	int fd;
	const char *path;
	const uint64_t *offset;
	size_t nr;
	uint64_t base;		/* with an offset, this is a place */
	double seconds;		/* of processor time that this may take */
};

/* What became of it. */
struct user_inlined {
	uid_t owner;		/* of the file with the debug information, which may be another */
	size_t left_out;	/* offsets that there was no time or no room for */
};

/*
 * Append what is known of the places, as lines of inlined_print(), names demangled, up to
 * USER_INLINED_BYTES in @out. Without debug information there are none.
 *
 * The file may be made to exhaust or crash who reads it, so a process of its own does that. Returns
 * 0; or -1 with @error set, and nothing appended, if it could not.
 */
int user_inlined_read(const struct user_inlined_of *of, struct user_inlined *result,
		      struct buf *out, char error[256]);

#endif /* KPROF_USER_INLINED_H */
