/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chains.h - the functions inlined at addresses of an ELF file, and the lines, by libdw
 *
 * The file may be that of any user, so only processes that apart.h starts call this.
 */
#ifndef KPROF_USER_CHAINS_H
#define KPROF_USER_CHAINS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/inlined.h"
#include "user/debuginfo.h"

#define CHAINS_TEXT_MAX	4096	/* bytes of a name or a path; what is longer is not told */

struct chains_wanted {
	const uint64_t *offset;		/* in the file */
	size_t nr;
	double seconds;			/* of processor time of this process */
	/*
	 * Called with what is known of an offset, innermost function first; names are as the
	 * debug information has them, mangled, and place is the offset.
	 */
	void (*found)(const struct inlined_frame *frame, size_t nr, void *arg);
	void *arg;
};

/* Returns how many of the offsets there was no time for. */
size_t chains_read(const struct debuginfo *d, const struct chains_wanted *wanted);

#endif /* KPROF_USER_CHAINS_H */
