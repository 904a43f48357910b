/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gone_files.h - how many samples are in files that could not be opened
 *
 * The module's tables have files and stacks of earlier recordings, too. Those without samples in
 * this one do not count.
 */
#ifndef KPROF_GONE_FILES_H
#define KPROF_GONE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "user/files.h"

/* Zero-initialise. */
struct gone_files {
	uint32_t *samples;	/* by id of a user stack */
	size_t nr_samples, samples_room;
	uint32_t *file;		/* by id of a stack: the number of the file that its leaf is in */
	size_t nr_file, file_room;
};

/* Note a stack. */
void gone_files_stack(struct gone_files *g, const struct kprof_stack *stack);

/* Note the samples among records. */
void gone_files_records(struct gone_files *g, const struct kprof_record *rec, size_t nr);

/* Say how many samples are in such files, and in the recording, which files those are. */
void gone_files_write(const struct gone_files *g, const struct user_files *files,
		      struct data_writer *out);
void gone_files_free(struct gone_files *g);

#endif /* KPROF_GONE_FILES_H */
