/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - the build id in ELF notes, such as those of /sys/kernel/notes
 */
#ifndef KPROF_INDEX_NOTES_H
#define KPROF_INDEX_NOTES_H

#include <stddef.h>

#include "lib/buf.h"

#define NOTES_BUILD_ID_MAX	32	/* bytes of the longest that is taken */

/* Returns its bytes, which are in @notes, and sets *@size; to 0 if there is none. */
const unsigned char *notes_build_id(const struct buf *notes, size_t *size);

#endif /* KPROF_INDEX_NOTES_H */
