/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_regions.h - the regions of a program that it marks by kprof.h
 */
#ifndef KPROF_USER_REGIONS_H
#define KPROF_USER_REGIONS_H

struct buf;

/*
 * Append the target that times the regions of the program @path; its source is REGIONS_SOURCE.
 * Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int user_regions_target(const char *path, struct buf *target);

#endif /* KPROF_USER_REGIONS_H */
