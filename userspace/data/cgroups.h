/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroups.h - the cgroup of a task, of "record --cgroups"
 */
#ifndef KPROF_CGROUPS_H
#define KPROF_CGROUPS_H

#include <stdint.h>

#include "data/data.h"

/* Fill d->task[].cgroup from d->text[DATA_CGROUPS], which is split in place; -1: it is damaged. */
int cgroups_parse(struct data *d);

/*
 * Does the recording have cgroups? Returns EXIT_OK, or EXIT_ERROR after a message, which calls the
 * recording @name.
 */
int cgroups_check(const struct data *d, const char *name);

#define CGROUPS_NONE	"[no cgroup]"

/* The path of a task's cgroup; CGROUPS_NONE if the recording does not tell. */
const char *cgroups_name(const struct data *d, uint32_t task);

#endif /* KPROF_CGROUPS_H */
