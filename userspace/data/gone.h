/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gone.h - samples in files of programs that could not be opened
 */
#ifndef KPROF_GONE_H
#define KPROF_GONE_H

#include <stdint.h>

#include "data/data.h"

/* The line of DATA_META that has the numbers of these files, as in DATA_FILES. */
#define GONE_META	"files_gone"

/* The samples whose innermost user function is in such a file. */
uint64_t gone_samples(const struct data *d);

#endif /* KPROF_GONE_H */
