/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keep_inlined.h - what is inlined where programs were sampled, and lines, for the recording
 *
 * By the time that a recording is read, a program may be another one, or gone.
 */
#ifndef KPROF_RECORD_KEEP_INLINED_H
#define KPROF_RECORD_KEEP_INLINED_H

#include "data/data.h"
#include "user/files.h"

/*
 * Write what the debug information of the files has on the places that were requested, after
 * user_files_name(). Warns of places that it took too long, or too much room, to look at.
 */
void keep_inlined_write(const struct user_files *files, struct data_writer *out);

#endif /* KPROF_RECORD_KEEP_INLINED_H */
