/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regions.h - which region of its program a sample is in, by what "record --regions" has recorded
 */
#ifndef KPROF_REGIONS_H
#define KPROF_REGIONS_H

#include <stdint.h>

#include "data/data.h"

/* The source of the records of regions. */
#define REGIONS_SOURCE	"regions"

/*
 * Find out when each thread was in which region. Messages call the recording @name. Returns
 * EXIT_OK, or EXIT_ERROR after a message if it has no regions. data_close() frees it.
 */
int regions_open(struct data *d, const char *name);
void regions_close(struct data *d);

/*
 * The region that a thread was in, from 1 on: of nested ones the one that began last. 0: none that
 * is known, or regions_open() was not called.
 */
uint32_t regions_at(const struct data *d, uint32_t pid, uint64_t time);

/* How many numbers of regions there are, with 0. */
uint32_t regions_nr(const struct data *d);

/*
 * Its name, as the module prints texts; "[no region]" for 0, and "[unknown region]" for one that
 * found the table of names full. No other region has one of these two names.
 */
const char *regions_name(const struct data *d, uint32_t region);

/* How many times a thread was in a region that found that table full. */
uint64_t regions_unknown(const struct data *d);

#endif /* KPROF_REGIONS_H */
