/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * about.h - what a recording is of, as headings
 */
#ifndef KPROF_ABOUT_H
#define KPROF_ABOUT_H

#include "data/data.h"
#include "lib/buf.h"

/*
 * @title gets the command, or without one which tasks or CPUs were recorded; @about one line of
 * kernel, event and rate, duration, losses. If one is NULL, it is not asked for; without a
 * @title, @about begins with the command. What the recording does not contain is left out.
 */
void about_recording(const struct data *d, struct buf *title, struct buf *about);

/* What was lost, or that the recording was cut off, behind what is there. */
void about_losses(const struct data *d, struct buf *about);

#endif /* KPROF_ABOUT_H */
