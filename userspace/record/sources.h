/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources.h - the module's sources, without those of earlier sessions
 *
 * A target that was removed stays among the sources until a reset, with what it has seen.
 */
#ifndef KPROF_RECORD_SOURCES_H
#define KPROF_RECORD_SOURCES_H

#include "lib/buf.h"

/* Both return 0, or EXIT_ERROR after a message. */

/* Set @removed to the lines of those that are removed now. */
int sources_removed(struct buf *removed);
/* Set @sources to the lines of all but those that were @removed before, and still are. */
int sources_read(struct buf *sources, const struct buf *removed);

#endif /* KPROF_RECORD_SOURCES_H */
