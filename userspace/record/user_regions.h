/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_regions.h - what a program marks by kprof.h: its regions, and the part to be profiled
 */
#ifndef KPROF_USER_REGIONS_H
#define KPROF_USER_REGIONS_H

struct buf;

/*
 * Append the target that times the regions of a command's program; its source is REGIONS_SOURCE.
 * Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int user_regions_target(const char *command, struct buf *target);

/*
 * Append the targets that note when a command's program starts and stops being of interest; their
 * sources are MARKS_START and MARKS_STOP. Returns as above.
 */
int user_marks_targets(const char *command, struct buf *start, struct buf *stop);

/* EXIT_ERROR, after a message, if the program has no kprof_start(). */
int user_marks_check(const char *path);

#endif /* KPROF_USER_REGIONS_H */
