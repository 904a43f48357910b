/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keep_user.h - the code of functions of programs that were sampled, for the recording
 *
 * By the time that a recording is read, a program may be another one, or gone.
 */
#ifndef KPROF_RECORD_KEEP_USER_H
#define KPROF_RECORD_KEEP_USER_H

#include "data/data.h"
#include "user/files.h"

/*
 * Write the code of the functions at some addresses (uint64_t), of which only places of user code
 * count: up to KEEP_CODE_FUNCTION bytes of each, KEEP_CODE_MAX in all. @names: lines of DATA_CODE.
 * What is in no file of 64 bits is left out.
 */
void keep_user_write(const struct user_files *files, const struct buf *addresses,
		     const struct buf *names, struct data_writer *out);

#endif /* KPROF_RECORD_KEEP_USER_H */
