/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * missed.h - time in which a CPU could not be sampled, by cause: rows of their own
 *
 * A sample that comes late stands for time before it, too. The function that it finds is not always
 * the one that used that time: a program cannot turn interrupts off, and nobody runs on a virtual
 * CPU while its host runs something else. The module tells of each late sample by how much it came
 * late, and the cause if the kernel knows it.
 */
#ifndef KPROF_MISSED_H
#define KPROF_MISSED_H

#include <stdbool.h>
#include <stdint.h>

#include "data/data.h"

/* Did the module tell of late samples (ABI 5)? Else their time cannot be told apart. */
bool missed_is_told(const struct data *d);

/*
 * The bits of info that make a row of missed time out of a record of kind KPROF_REC_LATE; 0 if that
 * time may be the function's: it ran in the kernel, where interrupts may have been off.
 */
uint32_t missed_row(const struct kprof_record *late);

/* What stands in place of a function in such a row, "[stolen]"; NULL if it is another row. */
const char *missed_name(uint32_t info);

/* The causes, for a list of all; NULL at the end. */
struct missed_cause {
	const char *name;	/* "[stolen]" */
	const char *meaning;	/* plain text; further lines begin with "#   " */
};

extern const struct missed_cause missed_causes[];

#endif /* KPROF_MISSED_H */
